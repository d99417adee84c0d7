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
                () -> ServiceRequest.of("a", SpeechOptions.builder().quality("none").build()).validate());
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
            SpeechOptions options = SpeechOptions.builder().quality(quality).build();
            byte[] pcm = engine.synthesize(Support.TEXT, options).toByteArray();
            spoken.add(Arrays.hashCode(pcm));
            assertArrayEquals(pcm, engine.synthesize(Support.TEXT, options).toByteArray());
            assertArrayEquals(pcm, Support.joined(engine.stream(Support.TEXT, options)));
            assertArrayEquals(pcm, Support.joined(engine.streamLong(Support.TEXT, options)));
            assertArrayEquals(pcm, Support.joined(engine.speakLive(List.of(Support.TEXT).iterator(), options)));
        }
        assertEquals(3, spoken.size());
        SpeechOptions full = SpeechOptions.builder().quality(Quality.FULL).build();
        assertArrayEquals(
                engine.synthesize(Support.TEXT, full).toByteArray(), engine.synthesize(Support.TEXT).toByteArray());
    }

    @Test
    void lowLatencyOfALightQuality() {
        SpeechOptions options = SpeechOptions.builder().quality(Quality.LIGHT).latency(Latency.LOW).build();
        int end = 0;
        try (SpeechStream stream = engine.stream(Support.TEXT, options)) {
            for (SpeechChunk chunk : stream) {
                end = chunk.span().end();
            }
        }
        assertEquals(Support.TEXT.length(), end);
    }

    @Test
    void whatTheBundleLacksIsRefused() {
        SpeechOptions options = SpeechOptions.builder().voice(Voice.LEO).quality(Quality.FAST).build();
        String message = "the voice bundle does not have quality fast for leo in en-US; it has full";
        for (Executable call :
                List.<Executable>of(
                        () -> engine.synthesize(Support.TEXT, options),
                        () -> engine.stream(Support.TEXT, options),
                        () -> engine.streamLong(Support.TEXT, options),
                        () -> engine.live(options))) {
            InvalidRequestException error = Support.refused(InvalidRequestException.class, message, call);
            assertEquals("quality_not_in_bundle", error.detail());
            assertNull(error.advice());
        }
    }
}
