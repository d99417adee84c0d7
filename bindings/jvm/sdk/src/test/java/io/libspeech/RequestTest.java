package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Requests and options as values. */
class RequestTest {
    private static final List<UnaryOperator<SpeechOptions.Builder>> CHANGES =
            List.of(
                    builder -> builder.language(Language.HI_IN),
                    builder -> builder.voice(Voice.LEO),
                    builder -> builder.latency(Latency.LOW),
                    builder -> builder.quality(Quality.LIGHT),
                    builder -> builder.sampleRate(8000),
                    builder -> builder.encoding(Encoding.MULAW),
                    builder -> builder.rate(1.5),
                    builder -> builder.pitch(-2),
                    builder -> builder.volume(3),
                    builder -> builder.ssml(true),
                    builder -> builder.readPauses(false),
                    builder -> builder.readEmoji(true),
                    builder -> builder.readRomanizedHindi(false),
                    builder -> builder.pronunciation("a", "b"));

    private static final SpeechOptions WITH_LEXICON =
            SpeechOptions.builder().lexicon(Lexicon.parse("secret\ta")).build();

    @Test
    void everyFieldCounts() {
        SpeechOptions plain = SpeechOptions.defaults();
        for (UnaryOperator<SpeechOptions.Builder> change : CHANGES) {
            SpeechOptions changed = change.apply(SpeechOptions.builder()).build();
            assertNotEquals(plain, changed);
            assertEquals(changed, changed.toBuilder().build());
            assertEquals(changed.hashCode(), changed.toBuilder().build().hashCode());
            assertNotEquals(plain.toString(), changed.toString());
            assertNotEquals(request("a", plain), request("a", changed));
        }
        assertNotEquals(plain, WITH_LEXICON);
        assertEquals(WITH_LEXICON, WITH_LEXICON.toBuilder().build());
        assertEquals(plain, SpeechOptions.builder().build());
        assertEquals(request("a", plain), request("a", SpeechOptions.builder().build()));
        assertNotEquals(request("a", plain), request("b", plain));
        assertNotEquals(ServiceRequest.fromJson("{\"text\": \"a\", \"format\": \"pcm\"}"), request("a", plain));
    }

    private static ServiceRequest request(String text, SpeechOptions options) {
        return ServiceRequest.of(text, options);
    }

    @Test
    void everyFieldIsReadFromJson() {
        ServiceRequest read =
                ServiceRequest.fromJson(
                        "{\"text\": \"b\", \"language\": \"hi-IN\", \"voice\": \"leo\", \"format\": \"pcm\","
                                + " \"latency\": \"low\", \"quality\": \"light\", \"rate\": 1.5, \"pitch\": -2,"
                                + " \"sample_rate\": 8000, \"encoding\": \"mulaw\","
                                + " \"volume\": 3, \"ssml\": true,"
                                + " \"read_pauses\": false, \"read_emoji\": true, \"read_romanized_hindi\": false,"
                                + " \"pronunciations\": {\"a\": \"b\"}}");
        SpeechOptions.Builder made = SpeechOptions.builder();
        CHANGES.forEach(change -> change.apply(made));
        assertEquals("b", read.text());
        assertEquals(made.build(), read.options());
        assertEquals(SpeechFormat.PCM.id(), read.format());
        assertEquals(
                request("नमस्ते 😀", SpeechOptions.defaults()), ServiceRequest.fromJson("{\"text\": \"नमस्ते 😀\"}"));
        // A service has lexicons of its own.
        assertEquals(
                request("a", SpeechOptions.defaults()),
                ServiceRequest.fromJson("{\"text\": \"a\", \"lexicons\": [\"drugs\"], \"lexicons\": 5}"));
    }

    @Test
    void jsonThatIsRefused() {
        Support.refused(InvalidRequestException.class, "empty", () -> ServiceRequest.fromJson(""));
        Support.refused(
                InvalidRequestException.class, "surrogate", () -> ServiceRequest.fromJson("{\"text\": \"\ud83d\"}"));
        byte[] latin1 = "{\"text\": \"é\"}".getBytes(StandardCharsets.ISO_8859_1);
        Support.refused(InvalidRequestException.class, "not valid JSON", () -> ServiceRequest.fromJson(latin1));
        assertThrows(NullPointerException.class, () -> ServiceRequest.fromJson((byte[]) null));
    }

    @Test
    void theTextIsNotInALog() {
        ServiceRequest request = request("a secret 😀", SpeechOptions.defaults());
        assertFalse(request.toString().contains("secret"));
        assertTrue(request.toString().contains("10 characters"), request.toString());
        assertTrue(WITH_LEXICON.toString().contains("lexicons=[Lexicon{size=1}]"), WITH_LEXICON.toString());
    }

    @Test
    void requestsAreChecked() {
        SpeechOptions defaults = SpeechOptions.defaults();
        request("a", defaults).validate();
        Support.refused(EmptyTextException.class, "text is empty", () -> request("", defaults).validate());
        TextTooLongException error =
                Support.refused(
                        TextTooLongException.class,
                        "text has 1001 characters; the limit is 1000",
                        () -> request("a".repeat(1001), defaults).validate());
        assertEquals("split_text", error.advice());
        Support.refused(
                InvalidRequestException.class,
                "text has half a surrogate pair at index 1",
                () -> request("a\ud83d", defaults).validate());
        Support.refused(
                InvalidRequestException.class,
                "text has half a surrogate pair at index 0",
                () -> request("\ude00a", defaults).validate());
        Support.refused(
                InvalidRequestException.class,
                "rate is NaN",
                () -> request("a", SpeechOptions.builder().rate(Double.NaN).build()).validate());
        Support.refused(
                InvalidRequestException.class,
                "volume is out of range",
                () -> request("a", SpeechOptions.builder().volume(Double.NEGATIVE_INFINITY).build()).validate());
        String rates = "it must be 8000, 16000, 22050, 24000, 44100 or 48000";
        Support.refused(
                InvalidRequestException.class,
                "sample_rate is 11025; " + rates,
                () -> request("a", SpeechOptions.builder().sampleRate(11_025).build()).validate());
        Support.refused(
                InvalidRequestException.class,
                "sample_rate must be a positive whole number",
                () -> request("a", SpeechOptions.builder().sampleRate(-8000).build()).validate());
        assertThrows(NullPointerException.class, () -> request(null, defaults));
        assertThrows(NullPointerException.class, () -> request("a", null));
        assertThrows(NullPointerException.class, () -> SpeechOptions.builder().voice((String) null));
    }

    @Test
    void optionsSayWhatTheyAre() {
        SpeechOptions options = SpeechOptions.builder().voice("leo").rate(1.2).build();
        assertEquals(options, request("a", options).options());
        assertEquals("leo", options.voice());
        assertEquals(1.2, options.rate());
        assertTrue(options.toString().contains("voice=leo"), options.toString());
    }
}
