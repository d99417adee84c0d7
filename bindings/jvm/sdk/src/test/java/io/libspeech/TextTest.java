package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Functions without an engine: splitting, segmenters, inspectors, voices and tiers. */
class TextTest {
    @Test
    void splitting() {
        String text = "It was a bright cold day in April. ".repeat(40);
        List<String> parts = Speech.splitText(text);
        assertEquals(2, parts.size());
        assertTrue(parts.stream().allMatch(part -> part.length() <= Speech.MAX_CHARACTERS));
        Support.refused(InvalidRequestException.class, "maxCharacters", () -> Speech.splitText("a", 0));
        Support.refused(InvalidRequestException.class, "NUL", () -> Speech.splitText("a\0"));
        Support.refused(InvalidRequestException.class, "surrogate", () -> Speech.splitText("\ud83d"));
    }

    /** Texts go to the native library in one encoding, and come back in another. */
    @Test
    void everyCharacterStaysWhatItIs() {
        StringBuilder text = new StringBuilder("é नमस्ते 😀 \ufeff\uffff \"quoted\" \\n /");
        for (char c = 1; c < 0x100; c++) {
            text.append(c).append('.');
        }
        assertEquals(List.of(text.toString()), Speech.splitText(text.toString()));
    }

    @Test
    void sentencesOfAText() {
        String text = "It cost $3.50 😀. Dr. No paid it.\n\nThe end";
        for (int size : new int[] {1, 3, 100}) {
            Segmenter segmenter = new Segmenter();
            List<Segment> sentences = new ArrayList<>();
            for (int at = 0; at < text.length(); at += size) {
                sentences.addAll(segmenter.push(text.substring(at, Math.min(text.length(), at + size))));
            }
            sentences.addAll(segmenter.finish());
            assertEquals(
                    List.of("It cost $3.50 😀.", "Dr. No paid it.", "The end"),
                    sentences.stream().map(Segment::text).collect(Collectors.toList()));
            for (Segment sentence : sentences) {
                assertEquals(sentence.text(), text.substring((int) sentence.start(), (int) sentence.end()));
            }
            assertTrue(sentences.get(1).endsParagraph() && !sentences.get(0).endsParagraph());
            // The next piece begins another text.
            segmenter.push("Again.");
            assertEquals(0, segmenter.finish().get(0).start());
        }
    }

    @Test
    void piecesOfASegmenterAreRefused() {
        Segmenter segmenter = new Segmenter();
        Support.refused(InvalidRequestException.class, "NUL", () -> segmenter.push("a\0"));
        segmenter.push("a\ud83d");
        Support.refused(InvalidRequestException.class, "surrogate", segmenter::finish);
        assertEquals("a", segmenter.finish().get(0).text());
    }

    @Test
    void inspecting() {
        Inspector inspector = Inspector.builder().pronunciation("Siobhan", "/ʃɪˈvɔːn/").build();
        String text = "😀 Siobhan paid $5 on 1/4.";
        Inspection.Sentence sentence = inspector.inspect(text, Language.EN_US).sentences().get(0);
        assertTrue(sentence.normalized().contains("five dollars"), sentence.normalized());
        assertTrue(sentence.phonemes().contains("ʃɪvˈɔn"), sentence.phonemes());
        Inspection.Word dollars =
                sentence.words().stream().filter(word -> word.source().equals("$5")).findFirst().orElseThrow();
        assertEquals("$5", dollars.span().of(text));
        assertEquals("five", dollars.normalized());
        Inspection.Choice choice = sentence.choices().get(0);
        assertEquals("1/4", choice.span().of(text));
        assertNotNull(choice.taken().kind());
        assertTrue(choice.refused().stream().allMatch(reading -> reading.score() <= choice.taken().score()));
        assertEquals(List.of(), inspector.inspect("", Language.EN_US).sentences());
        Inspection hindi = inspector.inspect("kal milte hain", Language.HI_IN);
        assertTrue(hindi.sentences().get(0).words().stream().anyMatch(word -> word.inOwnScript() != null));
        String document = "<speak>Born <say-as interpret-as=\"date\" format=\"dm\">4/5</say-as>.</speak>";
        assertEquals(
                "Born the fourth of May.",
                inspector.inspectSsml(document, Language.EN_US).sentences().get(0).normalized());
        assertThrows(InvalidRequestException.class, () -> inspector.inspectSsml("<speak>", Language.EN_US));
        assertThrows(InvalidRequestException.class, () -> Inspector.builder().pronunciation("a", "/b9/").build());
        Inspection emoji = Inspector.builder().readEmoji(true).build().inspect("😀", Language.EN_US);
        assertFalse(emoji.sentences().get(0).words().isEmpty());
        Inspection romanized = Inspector.builder().readRomanizedHindi(false).build().inspect("kal milte hain", Language.HI_IN);
        assertTrue(romanized.sentences().get(0).words().stream().allMatch(word -> word.inOwnScript() == null));
    }

    @Test
    void theListing() {
        VoiceListing listing = Speech.voices();
        JsonObject json = JsonParser.parseString(listing.toJson()).getAsJsonObject();
        assertEquals(
                Set.of("languages", "voices", "default_voice", "sample_rate", "max_characters"), json.keySet());
        assertEquals(Arrays.stream(Language.values()).map(Language::tag).collect(Collectors.toList()), listing.languages());
        assertEquals(
                Arrays.stream(Voice.values()).map(Voice::id).collect(Collectors.toList()),
                listing.voices().stream().map(VoiceInfo::id).collect(Collectors.toList()));
        assertEquals("Aria", listing.voices().get(0).name());
        assertEquals("aria", listing.defaultVoice());
        assertEquals(Speech.SAMPLE_RATE, listing.sampleRate());
        assertEquals(Speech.MAX_CHARACTERS, listing.maxCharacters());
        assertTrue(Speech.version().matches("\\d+\\.\\d+\\.\\d+.*"));
    }

    @Test
    void theTiers() {
        TierCatalogue all = TierCatalogue.all();
        assertEquals(Arrays.asList(Tier.values()), all.tiers().stream().map(TierEntry::tier).collect(Collectors.toList()));
        assertTrue(all.tiers().stream().allMatch(TierEntry::isAvailable));
        assertEquals(Tier.STANDARD, all.defaultTier());
        int[][] table = {{70, 0, 80, 139}, {70, 3, 320, 100}, {70, 6, 560, 61}, {70, 13, 1120, 42}};
        for (Tier tier : Tier.values()) {
            int[] row = table[tier.ordinal()];
            assertEquals(AttentionContext.of(row[0], row[1]), tier.attentionContext());
            assertEquals(row[2], tier.latencyMs());
            assertEquals(row[3], tier.rateMicros());
            TierEntry entry = all.tiers().get(tier.ordinal());
            assertEquals(row[3] / 1e6, entry.rateUsdPerSecond(), 1e-12);
            assertEquals(row[2], entry.latencyMs());
            assertEquals(row[3], entry.rateMicros());
        }
        TierCatalogue some = TierCatalogue.of(AttentionContext.of(70, 3), AttentionContext.of(70, 6));
        assertEquals(List.of(Tier.TURBO, Tier.STANDARD), some.rank(UseCase.MID_SENTENCE));
        assertEquals(Tier.TURBO, some.resolve("turbo"));
        Support.refused(InvalidTierException.class, "tier \"ultra\" is not available here", () -> some.resolve("ultra"));
        Support.refused(InvalidTierException.class, "premium", () -> Tier.of("premium"));
        for (JsonElement row : JsonParser.parseString(all.toJson()).getAsJsonObject().getAsJsonArray("tiers")) {
            Tier tier = Tier.of(row.getAsJsonObject().get("tier").getAsString());
            assertEquals(row.getAsJsonObject().get("rate_micros").getAsInt(), tier.rateMicros());
            assertEquals(row.getAsJsonObject().get("latency_ms").getAsInt(), tier.latencyMs());
        }
        JsonObject json = JsonParser.parseString(some.toJson()).getAsJsonObject();
        assertEquals("standard", json.get("default").getAsString());
        for (UseCase useCase : UseCase.values()) {
            assertEquals(4, all.rank(useCase).size());
        }
        Support.refused(InvalidRequestException.class, "negative", () -> Tier.ULTRA.charge(-1, 0));
        Support.refused(InvalidRequestException.class, "nanoseconds", () -> Tier.ULTRA.charge(1, 1_000_000_000));
        Support.refused(InvalidRequestException.class, "too large", () -> Tier.ULTRA.charge(Long.MAX_VALUE, 0));
        Support.refused(InvalidRequestException.class, "sampleRate", () -> Tier.ULTRA.chargeSamples(1, 0));
        Support.refused(InvalidRequestException.class, "negative", () -> Tier.ULTRA.chargeSamples(-1, 1));
        Support.refused(InvalidRequestException.class, "left", () -> AttentionContext.of(-1, 0));
    }
}
