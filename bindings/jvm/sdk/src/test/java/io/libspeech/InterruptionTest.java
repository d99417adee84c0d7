package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Interrupts threads that wait for real speech. */
@Timeout(120)
class InterruptionTest {
    private static final List<Function<SpeechEngine, Object>> CALLS =
            List.of(
                    engine -> engine.synthesize(Support.LONG),
                    engine -> Support.joined(engine.stream(Support.LONG)),
                    engine -> Support.joined(engine.streamLong(Support.LONG)),
                    engine -> engine.live().next());

    private static SpeechEngine engine;

    @BeforeAll
    static void load() {
        engine = Support.real().load();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    /**
     * The exception of a thread interrupted after some milliseconds; its interrupt status must be
     * set.
     */
    private static Throwable interrupted(Function<SpeechEngine, Object> call, int milliseconds) throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicReference<Boolean> status = new AtomicReference<>();
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                call.apply(engine);
                            } catch (Throwable error) {
                                thrown.set(error);
                            }
                            status.set(Thread.currentThread().isInterrupted());
                        });
        thread.start();
        Thread.sleep(milliseconds);
        thread.interrupt();
        thread.join(20_000);
        assertEquals(Boolean.TRUE, status.get(), "the interrupt status is set");
        return thrown.get();
    }

    @Test
    void everyCallThatWaitsCanBeInterrupted() throws Exception {
        for (Function<SpeechEngine, Object> call : CALLS) {
            for (int milliseconds : new int[] {0, 150}) {
                Throwable thrown = interrupted(call, milliseconds);
                assertTrue(thrown instanceof CancelledException, () -> "thrown: " + thrown);
            }
        }
    }

    /** The computation itself has stopped: otherwise the next request would wait for seconds. */
    @Test
    void theComputationStops() throws Exception {
        List<Throwable> thrown = new ArrayList<>();
        long began = System.nanoTime();
        for (int i = 0; i < 10; i++) {
            thrown.add(interrupted(CALLS.get(0), 50));
        }
        assertTrue(thrown.stream().allMatch(CancelledException.class::isInstance));
        assertTrue(engine.synthesize("Now.").sampleCount() > 0);
        // Ten texts, each with a minute of speech, take minutes.
        assertTrue((System.nanoTime() - began) / 1_000_000_000 < 60);
    }

    /** An interrupt after the end stops nothing: otherwise a loaded engine would be lost. */
    @Test
    void aResultThatCameFirstIsGiven() {
        Waiter<String> waiter = new Waiter<>();
        waiter.onResult("engine");
        Thread.currentThread().interrupt();
        assertEquals("engine", waiter.await(() -> {}));
        assertTrue(Thread.interrupted());
    }

    @Test
    void loadingCanBeInterrupted() {
        Thread.currentThread().interrupt();
        assertThrows(CancelledException.class, () -> Support.fake().load());
        assertTrue(Thread.interrupted());
    }
}
