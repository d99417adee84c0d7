package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The quality of speech: which networks compute it. */
class QualityTest {
    private static SpeechEngine engine;

    @BeforeAll
    static void load() {
        engine = Support.fake().load();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    @Test
    void theEnumHasTheNamesOfTheLibrary() {
        String names = Stream.of(Quality.values()).map(Quality::id).collect(Collectors.joining(", "));
        Support.refused(
                InvalidRequestException.class,
                "unsupported quality \"none\"; use " + names,
                () -> SpeechRequest.builder("a").quality("none").build().validate());
    }

    @Test
    void whatABundleHas() {
        assertEquals(
                List.of(Quality.FULL, Quality.FAST, Quality.LIGHT), engine.qualities(Voice.ARIA, Language.EN_US));
        assertEquals(List.of(Quality.FULL, Quality.FAST), engine.qualities(Voice.ARIA, Language.HI_IN));
        assertEquals(List.of(Quality.FULL), engine.qualities("leo", "en-US"));
        Support.refused(
                InvalidRequestException.class, "unsupported voice \"bob\"", () -> engine.qualities("bob", "en-US"));
        Support.refused(
                InvalidRequestException.class, "unsupported language \"en\"", () -> engine.qualities("leo", "en"));
    }

    @Test
    void eachIsOfOtherNetworks() {
        Set<Integer> spoken = new HashSet<>();
        for (Quality quality : engine.qualities(Voice.ARIA, Language.EN_US)) {
            SpeechSettings settings = SpeechSettings.builder().quality(quality).build();
            SpeechRequest request = SpeechRequest.of(Support.TEXT, settings);
            byte[] pcm = engine.synthesize(request).toByteArray();
            spoken.add(Arrays.hashCode(pcm));
            assertArrayEquals(pcm, engine.synthesize(request).toByteArray());
            assertArrayEquals(pcm, Support.joined(engine.stream(request)));
            assertArrayEquals(pcm, Support.joined(engine.streamLong(request)));
            assertArrayEquals(pcm, Support.joined(engine.speakLive(List.of(Support.TEXT).iterator(), settings)));
        }
        assertEquals(3, spoken.size());
        SpeechRequest full = SpeechRequest.builder(Support.TEXT).quality(Quality.FULL).build();
        assertArrayEquals(engine.synthesize(full).toByteArray(), engine.synthesize(Support.TEXT).toByteArray());
    }

    @Test
    void lowLatencyOfALightQuality() {
        SpeechRequest.Builder request = SpeechRequest.builder(Support.TEXT).quality(Quality.LIGHT);
        int end = 0;
        try (SpeechStream stream = engine.stream(request.latency(Latency.LOW).build())) {
            for (SpeechChunk chunk : stream) {
                end = chunk.span().end();
            }
        }
        assertEquals(Support.TEXT.length(), end);
    }

    @Test
    void whatTheBundleLacksIsRefused() {
        SpeechSettings settings = SpeechSettings.builder().voice(Voice.LEO).quality(Quality.FAST).build();
        SpeechRequest request = SpeechRequest.of(Support.TEXT, settings);
        String message = "the voice bundle does not have quality fast for leo in en-US; it has full";
        for (Executable call :
                List.<Executable>of(
                        () -> engine.synthesize(request),
                        () -> engine.stream(request),
                        () -> engine.streamLong(request),
                        () -> engine.live(settings))) {
            InvalidRequestException error = Support.refused(InvalidRequestException.class, message, call);
            assertEquals("quality_not_in_bundle", error.detail());
            assertNull(error.advice());
        }
    }
}
