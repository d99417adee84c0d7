package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.ShortBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples and the timestamps. */
class AudioTest {
    private static SpeechEngine engine;

    @TempDir Path folder;

    @BeforeAll
    static void load() {
        engine = Support.fake().load();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    @Test
    void samplesInEveryForm() throws IOException {
        SpeechAudio audio = engine.synthesize(Support.TEXT);
        short[] shorts = audio.toShortArray();
        byte[] bytes = audio.toByteArray();
        float[] floats = audio.toFloatArray();
        ShortBuffer samples = audio.samples();
        assertEquals(audio.sampleCount(), shorts.length);
        assertEquals(2 * shorts.length, bytes.length);
        assertTrue(samples.isDirect() && samples.isReadOnly() && audio.bytes().isDirect());
        boolean sounds = false;
        for (int i = 0; i < shorts.length; i++) {
            assertEquals(shorts[i], samples.get());
            assertEquals(shorts[i], (short) (bytes[2 * i] & 0xff | bytes[2 * i + 1] << 8));
            assertEquals(shorts[i] / 32_768f, floats[i]);
            sounds |= shorts[i] != 0;
        }
        assertTrue(sounds);
        assertEquals(0, audio.samples().position(), "every buffer has a position of its own");
        assertThrows(ReadOnlyBufferException.class, () -> audio.bytes().put(0, (byte) 1));
        assertEquals(22_050, audio.sampleRate());
        assertEquals(shorts.length / 22_050.0, audio.duration());
        assertTrue(audio.elapsed() > 0);
        assertTrue(audio.requestId().matches(Support.UUID));
        assertEquals(Support.TEXT.length(), audio.characters());

        byte[] wav = audio.toWav();
        ByteBuffer file = ByteBuffer.wrap(wav).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(44 + bytes.length, wav.length);
        assertEquals(bytes.length, file.getInt(40));
        assertEquals(22_050, file.getInt(24));
        File saved = folder.resolve("saved.wav").toFile();
        audio.save(saved);
        assertArrayEquals(wav, Files.readAllBytes(saved.toPath()));
        assertThrows(IOException.class, () -> audio.save(folder.resolve("none/a.wav").toFile()));
    }

    @Test
    void theEncodingsHaveTheNamesOfTheLibrary() {
        String names = Stream.of(Encoding.values()).map(Encoding::id).collect(Collectors.joining(", "));
        Support.refused(
                InvalidRequestException.class,
                "unsupported encoding \"none\"; use " + names,
                () -> ServiceRequest.of("a", SpeechOptions.builder().encoding("none").build()).validate());
    }

    @Test
    void everyRateAndEncoding() {
        double duration = engine.synthesize(Support.TEXT).duration();
        int[] formats = {1, 3, 7, 6};
        int[] bytesPerSample = {2, 4, 1, 1};
        for (int rate : new int[] {8_000, 16_000, 22_050, 24_000, 44_100, 48_000}) {
            short[] samples = engine.synthesize(Support.TEXT, SpeechOptions.builder().sampleRate(rate).build()).toShortArray();
            for (Encoding encoding : Encoding.values()) {
                SpeechOptions options = SpeechOptions.builder().sampleRate(rate).encoding(encoding).build();
                SpeechAudio audio = engine.synthesize(Support.TEXT, options);
                assertEquals(rate, audio.sampleRate());
                assertEquals(encoding, audio.encoding());
                assertArrayEquals(samples, audio.toShortArray());
                assertEquals(samples.length, audio.sampleCount());
                assertEquals((double) samples.length / rate, audio.duration());
                assertEquals(duration, audio.duration(), 0.001);
                byte[] bytes = audio.toByteArray();
                assertEquals(bytesPerSample[encoding.ordinal()] * samples.length, bytes.length);
                ByteBuffer file = ByteBuffer.wrap(audio.toWav()).order(ByteOrder.LITTLE_ENDIAN);
                assertEquals(formats[encoding.ordinal()], file.getShort(20));
                assertEquals(rate, file.getInt(24));
                assertEquals(file.capacity() - 8, file.getInt(4));
                int header = encoding == Encoding.PCM16 ? 44 : 58;
                assertEquals(bytes.length, file.getInt(header - 4));
                assertEquals(ByteBuffer.wrap(bytes), file.position(header).limit(header + bytes.length).slice());
                if (encoding == Encoding.FLOAT32) {
                    float[] floats = new float[samples.length];
                    audio.bytes().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(floats);
                    assertArrayEquals(audio.toFloatArray(), floats);
                }
                SpeechStream stream = engine.stream(Support.TEXT, options);
                assertEquals(rate, stream.sampleRate());
                assertEquals(encoding, stream.encoding());
                assertArrayEquals(bytes, Support.joined(stream));
            }
        }
    }

    /** The bytes are the same as from the command line, whole and streamed. */
    @Test
    void theSameAsTheCommandLine() throws Exception {
        List<ServiceRequest> requests =
                List.of(
                        ServiceRequest.of(Support.TEXT, SpeechOptions.defaults()),
                        ServiceRequest.of(
                                "नमस्ते दुनिया। 10:30 बजे।",
                                SpeechOptions.builder().language(Language.HI_IN).voice(Voice.SOFIA).build()),
                        ServiceRequest.of(
                                Support.TEXT,
                                SpeechOptions.builder().voice("john").rate(1.3).pitch(2).volume(-3).build()),
                        ServiceRequest.of(
                                Support.TEXT, SpeechOptions.builder().sampleRate(8_000).encoding(Encoding.ALAW).build()));
        for (ServiceRequest request : requests) {
            assertArrayEquals(commandLine(request, Support.fakeBundle()), wav(engine, request));
        }
    }

    private static byte[] wav(SpeechEngine engine, ServiceRequest request) {
        return engine.synthesize(request.text(), request.options()).toWav();
    }

    /** The file from the command line program for a request. */
    byte[] commandLine(ServiceRequest request, File bundle) throws Exception {
        Path out = folder.resolve("out.wav");
        SpeechOptions options = request.options();
        List<String> arguments = new ArrayList<>(List.of(Support.variable("SPEECH_PROGRAM").getPath(), "say", request.text()));
        arguments.addAll(List.of("--language", options.language(), "--voice", options.voice()));
        arguments.addAll(List.of("--rate=" + options.rate(), "--pitch=" + options.pitch(), "--volume=" + options.volume()));
        arguments.addAll(List.of("--sample-rate", "" + options.sampleRate(), "--encoding", options.encoding()));
        arguments.addAll(List.of("-o", out.toString()));
        ProcessBuilder program = new ProcessBuilder(arguments);
        program.environment().put("SPEECH_BUNDLE", bundle.getPath());
        Support.run(program);
        return Files.readAllBytes(out);
    }

    @Test
    void theSameAsTheCommandLineWithARealVoice() throws Exception {
        try (SpeechEngine real = Support.real().load()) {
            SpeechOptions john = SpeechOptions.builder().voice(Voice.JOHN).build();
            ServiceRequest request = ServiceRequest.of("Good morning, everyone.", john);
            byte[] expected = commandLine(request, Support.variable("SPEECH_REFERENCE_BUNDLE"));
            assertArrayEquals(expected, wav(real, request));
        }
    }

    @Test
    void whatIsHeardWhen() {
        String text = "😀 Papa may be home. Or not.";
        SpeechAudio audio = engine.synthesize(text);
        List<String> words = new ArrayList<>();
        double last = 0;
        for (Word word : audio.words()) {
            words.add(word.span().of(text));
            assertTrue(last <= word.start() && word.start() < word.end(), word.toString());
            last = word.start();
        }
        assertEquals(List.of("Papa", "may", "be", "home", "Or", "not"), words);
        assertEquals(2, audio.sentences().size());
        assertEquals("Or not.", audio.sentences().get(1).span().of(text));
        assertEquals("Papa", audio.phonemes().get(0).span().of(text));
        assertEquals(audio.duration(), audio.visemes().get(audio.visemes().size() - 1).end(), 1e-9);
        assertEquals("sil", audio.visemes().get(0).viseme());
        assertTrue(audio.visemes().stream().anyMatch(viseme -> viseme.azure() > 0));
        assertEquals(1, audio.diagnostics().size());
        assertEquals("skipped", audio.diagnostics().get(0).kind());
        assertEquals("😀", audio.diagnostics().get(0).span().of(text));
        assertEquals(audio.words(), engine.synthesize(text).words());
        assertEquals(audio.visemes(), engine.synthesize(text).visemes());
        assertThrows(UnsupportedOperationException.class, () -> audio.words().clear());
    }

    @Test
    void marksOfSsml() {
        String document = "<speak>Before <mark name=\"here\"/> after.</speak>";
        SpeechOptions ssml = SpeechOptions.builder().ssml(true).build();
        SpeechAudio audio = engine.synthesize(document, ssml);
        assertEquals(1, audio.marks().size());
        assertEquals("here", audio.marks().get(0).name());
        assertTrue(audio.marks().get(0).time() > 0);
        Support.refused(
                InvalidRequestException.class,
                "SSML line 1, column 8",
                () -> engine.synthesize("<speak><blink/></speak>", ssml));
    }

    @Test
    void optionsHaveAnEffect() {
        String text = "Mind the gap. [pause 1s] Go.";
        SpeechAudio usual = engine.synthesize(text);
        SpeechAudio slow = engine.synthesize(text, SpeechOptions.builder().rate(0.5).build());
        assertTrue(slow.duration() > usual.duration());
        assertTrue(engine.synthesize("Mind the gap. Go.").duration() < usual.duration());
        SpeechOptions emoji = SpeechOptions.builder().readEmoji(true).build();
        assertEquals(List.of(), engine.synthesize("I am 😀.", emoji).diagnostics());
    }

    @Test
    void nothingToSayIsSilence() {
        SpeechAudio audio = engine.synthesize("...!?");
        assertTrue(audio.sampleCount() > 0);
        for (short sample : audio.toShortArray()) {
            assertEquals(0, sample);
        }
    }
}
