package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The native libraries of the Android package, with the libraries of Android 6. */
final class EmulatedAndroidTest {
    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"arm64-v8a", "armeabi-v7a"})
    void theLibraryListsVoices(String processor) throws IOException {
        try (EmulatedAndroid android = android(processor)) {
            assertEquals(List.of(), android.missing());
            Fields listing = android.call(new Call("voices"));
            assertEquals(List.of("en-US", "hi-IN"), listing.strings("languages"));
            List<VoiceInfo> voices = listing.list("voices", VoiceInfo::new);
            assertEquals(5, voices.size());
            assertEquals("aria", voices.get(0).id());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"arm64-v8a", "armeabi-v7a"})
    void errorsAreAnswers(String processor) throws IOException {
        try (EmulatedAndroid android = android(processor)) {
            Call validate = new Call("validate").put("request", ServiceRequest.json(" ", SpeechOptions.defaults()));
            assertThrows(EmptyTextException.class, () -> android.call(validate));
            EmulatedAndroid.Completed answer = android.await(load("/sdcard/nowhere"));
            SpeechException error = assertThrows(ModelException.class, () -> Answer.read(answer.answer()));
            assertTrue(error.getMessage().contains("/sdcard/nowhere"), error.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"arm64-v8a", "armeabi-v7a"})
    void itHums(String processor) throws IOException {
        File bundle = new File(System.getenv("SPEECH_FAKE_MODEL"));
        copy(bundle, folder.resolve("root/sdcard/voices"));
        short[] samples = speaksAsHere(processor, "Hello, world.", bundle).toShortArray();
        try (SpeechEngine here = fp32(bundle)) {
            SpeechAudio expected = here.synthesize("Hello, world.");
            for (int i = 0; i < samples.length; i++) {
                // Kernels round differently.
                assertEquals(expected.samples().get(i), samples[i], 2, "sample " + i);
            }
        }
    }

    @Test
    void itSpeaks() throws IOException {
        File bundle = new File(System.getenv("SPEECH_REFERENCE_BUNDLE"));
        if (bundle.isDirectory()) {
            copy(bundle, folder.resolve("root/sdcard/voices"));
        } else {
            Files.createDirectories(folder.resolve("root/sdcard"));
            Files.copy(bundle.toPath(), folder.resolve("root/sdcard/voices"));
        }
        speaksAsHere("arm64-v8a", "Hello, world.", bundle);
    }

    /**
     * Speaks with the voices in an Android folder; the length and the words are the same as on this
     * machine.
     */
    private SpeechAudio speaksAsHere(String processor, String text, File bundle) throws IOException {
        try (EmulatedAndroid android = android(processor)) {
            Fields engine = Answer.read(android.await(load("/sdcard/voices")).answer());
            assertEquals(1, engine.intValue("threads"));
            assertEquals(processor.startsWith("arm64") ? "neon" : "portable", engine.string("kernels"));
            assertEquals("fp32", engine.string("precision"));

            EmulatedAndroid.Completed spoken =
                    android.await(
                            new Call("synthesize")
                                    .put("handle", engine.longValue("handle"))
                                    .put("request", ServiceRequest.json(text, SpeechOptions.defaults())));
            assertNotNull(spoken.samples());
            SpeechAudio audio =
                    new SpeechAudio(Answer.read(spoken.answer()), EmulatedAndroid.direct(spoken.samples()));
            assertEquals(text.length(), audio.characters());
            try (SpeechEngine here = fp32(bundle)) {
                SpeechAudio expected = here.synthesize(text);
                assertEquals(expected.words(), audio.words());
                assertEquals(expected.sampleCount(), audio.sampleCount());
            }
            return audio;
        }
    }

    /** An engine on this machine that computes like the emulated processors. */
    private static SpeechEngine fp32(File bundle) {
        return SpeechEngine.builder().bundle(bundle).kernels("portable").precision("fp32").load();
    }

    /** Loads an engine of one thread with the voices at a path. */
    private static Call load(String path) {
        return new Call("load")
                .put("bundle", BundleSource.path(path).place)
                .put("threads", 1)
                .put("pronunciations", List.of());
    }

    private EmulatedAndroid android(String processor) throws IOException {
        Path library = folder.resolve(processor).resolve("libspeech_jvm.so");
        Files.createDirectories(library.getParent());
        try (ZipFile aar = new ZipFile(System.getProperty("libspeech-sdk-android"))) {
            ZipEntry entry = aar.getEntry("jni/" + processor + "/libspeech_jvm.so");
            assertNotNull(entry);
            try (InputStream in = aar.getInputStream(entry)) {
                Files.copy(in, library);
            }
        }
        return new EmulatedAndroid(library.toFile(), processor.contains("64"), folder.resolve("root").toFile());
    }

    private static void copy(File from, Path to) throws IOException {
        Files.createDirectories(to);
        for (File file : from.listFiles()) {
            Files.copy(file.toPath(), to.resolve(file.getName()));
        }
    }
}
