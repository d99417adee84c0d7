package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory that is kept, and memory that is freed. */
@Timeout(300)
class MemoryTest {
    private static final int CALLS = 1_000 * rounds();

    private static int rounds() {
        String rounds = System.getenv("SPEECH_MEMORY_ROUNDS");
        return rounds == null ? 1 : Integer.parseInt(rounds);
    }

    /** The growth of the process during many repetitions, in bytes. */
    private static long grown(int times, Runnable run) throws Exception {
        for (int i = 0; i < times / 4; i++) {
            run.run();
        }
        collect();
        long before = Support.resident();
        for (int i = 0; i < times; i++) {
            run.run();
        }
        collect();
        return Support.resident() - before;
    }

    private static void collect() throws Exception {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(100);
        }
    }

    @Test
    void callsLeaveNothingBehind() throws Exception {
        try (SpeechEngine engine = Support.fake().load()) {
            long grown = grown(CALLS, () -> engine.synthesize("Hello."));
            assertTrue(grown < 48 << 20, grown + " bytes for " + CALLS + " calls");
        }
    }

    @Test
    void refusalsLeaveNothingBehind() throws Exception {
        String text = "x".repeat(20_000);
        try (SpeechEngine engine = Support.fake().load()) {
            long grown =
                    grown(CALLS, () -> Support.refused(TextTooLongException.class, "", () -> engine.synthesize(text)));
            assertTrue(grown < 48 << 20, grown + " bytes for " + CALLS + " refusals");
        }
    }

    @Test
    void enginesThatAreDroppedAreFreed() throws Exception {
        // The weights of 100 engines are gigabytes.
        long grown = grown(40, () -> assertTrue(Support.fake().load().threads() > 0));
        assertTrue(grown < 400 << 20, grown + " bytes");
        Support.until("every engine is freed", () -> collected() == 0);
    }

    @Test
    void streamsThatAreDroppedAreFreed() throws Exception {
        try (SpeechEngine engine = Support.fake().load()) {
            long grown =
                    grown(
                            40,
                            () -> {
                                engine.stream(Support.TEXT).next();
                                LiveStream live = engine.live();
                                live.push(Support.TEXT);
                                live.next();
                                new Segmenter().push("A");
                                engine.synthesize("A", SpeechOptions.builder().lexicon(Lexicon.parse("A\tb")).build());
                            });
            assertTrue(grown < 48 << 20, grown + " bytes");
            Support.until("every stream is freed", () -> collected() == 1);
        }
    }

    /** The number of objects of the native library after a collection. */
    private static int collected() {
        System.gc();
        return Support.objects();
    }

    /** An endless source of text does not keep a stream alive that nobody reads any more. */
    @Test
    void aSourceDoesNotKeepItsStream() throws Exception {
        try (SpeechEngine engine = Support.fake().load()) {
            engine.speakLive(Stream.generate(() -> Support.TEXT).iterator()).next();
            Support.until("the stream is freed", () -> collected() == 1);
            Support.until("its thread has ended", () -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("libspeech-text")));
        }
    }

    /** The collector runs continuously while threads use otherwise unreferenced objects. */
    @Test
    void theCollectorAtWork() throws Exception {
        byte[] expected;
        try (SpeechEngine engine = Support.fake().load()) {
            expected = engine.synthesize(Support.TEXT).toByteArray();
        }
        ExecutorService threads = Executors.newFixedThreadPool(5);
        Future<?> collector =
                threads.submit(
                        () -> {
                            while (!Thread.currentThread().isInterrupted()) {
                                System.gc();
                            }
                        });
        List<Future<?>> users = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            users.add(
                    threads.submit(
                            () -> {
                                for (int round = 0; round < 6; round++) {
                                    assertArrayEquals(
                                            expected, Support.fake().load().synthesize(Support.TEXT).toByteArray());
                                    assertArrayEquals(
                                            expected, Support.joined(Support.fake().load().stream(Support.TEXT)));
                                    SpeechOptions options =
                                            SpeechOptions.builder().lexicon(Lexicon.parse("Initially\tFirst")).build();
                                    String text = Support.TEXT.replace("First", "Initially");
                                    assertArrayEquals(expected, Support.fake().load().synthesize(text, options).toByteArray());
                                    List<Segment> sentences = new Segmenter().push(Support.TEXT + " More");
                                    assertEquals(3, sentences.size());
                                }
                            }));
        }
        for (Future<?> user : users) {
            user.get();
        }
        collector.cancel(true);
        threads.shutdownNow();
    }

    /** Samples outlive their engine. */
    @Test
    void samplesAreTheVirtualMachines() {
        SpeechEngine engine = Support.fake().load();
        SpeechAudio audio = engine.synthesize(Support.TEXT);
        byte[] before = audio.toByteArray();
        java.nio.ByteBuffer part = audio.bytes().slice();
        engine.close();
        System.gc();
        byte[] after = new byte[part.remaining()];
        part.get(after);
        assertArrayEquals(before, after);
    }

    /** The scratch memory of a real voice is returned to the system. */
    @Test
    void trimGivesMemoryBack() throws Exception {
        try (SpeechEngine engine = Support.real().load()) {
            engine.synthesize("It was a bright cold day in April, and the clocks were striking thirteen.");
            collect();
            long before = Support.resident();
            engine.trim();
            long given = before - Support.resident();
            assertTrue(Support.resident() == 0 || given > 16 << 20, given + " bytes were given back");
            assertTrue(engine.synthesize("And again.").sampleCount() > 0);
        }
    }

    @Test
    void whatTheBindingAddsToACall() {
        String text = "a".repeat(1_001);
        try (SpeechEngine engine = Support.fake().load()) {
            long best = Long.MAX_VALUE;
            for (int i = 0; i < 2_000; i++) {
                long began = System.nanoTime();
                try {
                    engine.synthesize(text);
                } catch (TextTooLongException refused) {
                    best = Math.min(best, System.nanoTime() - began);
                }
            }
            assertTrue(best < 1_000_000, best + " ns");
        }
    }
}
