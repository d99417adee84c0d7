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

/** Requests and settings as values. */
class RequestTest {
    private static final List<UnaryOperator<SpeechRequest.Builder>> CHANGES =
            List.of(
                    builder -> builder.text("b"),
                    builder -> builder.language(Language.HI_IN),
                    builder -> builder.voice(Voice.LEO),
                    builder -> builder.format(SpeechFormat.PCM),
                    builder -> builder.latency(Latency.LOW),
                    builder -> builder.quality(Quality.LIGHT),
                    builder -> builder.rate(1.5),
                    builder -> builder.pitch(-2),
                    builder -> builder.volume(3),
                    builder -> builder.ssml(true),
                    builder -> builder.readPauses(false),
                    builder -> builder.readEmoji(true),
                    builder -> builder.readRomanizedHindi(false));

    @Test
    void everyFieldCounts() {
        SpeechRequest plain = SpeechRequest.of("a");
        for (UnaryOperator<SpeechRequest.Builder> change : CHANGES) {
            SpeechRequest changed = change.apply(SpeechRequest.builder("a")).build();
            assertNotEquals(plain, changed);
            assertEquals(changed, changed.toBuilder().build());
            assertEquals(changed.hashCode(), changed.toBuilder().build().hashCode());
            assertNotEquals(plain.toString(), changed.toBuilder().text("bb").build().toString());
        }
        assertEquals(plain, SpeechRequest.builder("a").build());
    }

    @Test
    void everyFieldIsReadFromJson() {
        SpeechRequest read =
                SpeechRequest.fromJson(
                        "{\"text\": \"b\", \"language\": \"hi-IN\", \"voice\": \"leo\", \"format\": \"pcm\","
                                + " \"latency\": \"low\", \"quality\": \"light\", \"rate\": 1.5, \"pitch\": -2,"
                                + " \"volume\": 3, \"ssml\": true,"
                                + " \"read_pauses\": false, \"read_emoji\": true, \"read_romanized_hindi\": false}");
        SpeechRequest.Builder made = SpeechRequest.builder("a");
        CHANGES.forEach(change -> change.apply(made));
        assertEquals(made.build(), read);
        assertEquals(SpeechRequest.of("नमस्ते 😀"), SpeechRequest.fromJson("{\"text\": \"नमस्ते 😀\"}"));
    }

    @Test
    void jsonThatIsRefused() {
        Support.refused(InvalidRequestException.class, "empty", () -> SpeechRequest.fromJson(""));
        Support.refused(
                InvalidRequestException.class, "surrogate", () -> SpeechRequest.fromJson("{\"text\": \"\ud83d\"}"));
        byte[] latin1 = "{\"text\": \"é\"}".getBytes(StandardCharsets.ISO_8859_1);
        Support.refused(InvalidRequestException.class, "not valid JSON", () -> SpeechRequest.fromJson(latin1));
        assertThrows(NullPointerException.class, () -> SpeechRequest.fromJson((byte[]) null));
    }

    @Test
    void theTextIsNotInALog() {
        SpeechRequest request = SpeechRequest.of("a secret 😀");
        assertFalse(request.toString().contains("secret"));
        assertTrue(request.toString().contains("10 characters"), request.toString());
    }

    @Test
    void requestsAreChecked() {
        SpeechRequest.of("a").validate();
        Support.refused(EmptyTextException.class, "text is empty", () -> SpeechRequest.of("").validate());
        TextTooLongException error =
                Support.refused(
                        TextTooLongException.class,
                        "text has 1001 characters; the limit is 1000",
                        () -> SpeechRequest.of("a".repeat(1001)).validate());
        assertEquals("split_text", error.advice());
        Support.refused(
                InvalidRequestException.class,
                "text has half a surrogate pair at index 1",
                () -> SpeechRequest.of("a\ud83d").validate());
        Support.refused(
                InvalidRequestException.class,
                "text has half a surrogate pair at index 0",
                () -> SpeechRequest.of("\ude00a").validate());
        Support.refused(
                InvalidRequestException.class,
                "rate is NaN",
                () -> SpeechRequest.builder("a").rate(Double.NaN).build().validate());
        assertThrows(NullPointerException.class, () -> SpeechRequest.of(null));
        assertThrows(NullPointerException.class, () -> SpeechRequest.builder("a").voice((String) null));
    }

    @Test
    void settingsAreShared() {
        SpeechSettings settings = SpeechSettings.builder().voice("leo").rate(1.2).build();
        SpeechRequest request = SpeechRequest.builder("a").settings(settings).build();
        assertEquals(settings, request.settings());
        assertEquals(request, SpeechRequest.of("a", settings));
        assertEquals(settings, settings.toBuilder().build());
        assertEquals(SpeechSettings.defaults(), SpeechSettings.builder().build());
        assertNotEquals(settings, SpeechSettings.defaults());
        assertTrue(settings.toString().contains("leo"));
    }
}
