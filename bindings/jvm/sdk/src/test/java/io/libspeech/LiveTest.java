package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Texts that arrive in pieces. */
@Timeout(120)
class LiveTest {
    private static final List<String> TOKENS = List.of("It cost $3", ".5", "0. Dr", ". No paid", " it.");
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
    void theSameHoweverItIsCut() {
        String text = "It cost $3.50. Dr. No 😀 paid it.";
        byte[] expected = engine.synthesize(text).toByteArray();
        for (int size : new int[] {1, 2, 7, 100}) {
            try (LiveStream live = engine.live()) {
                for (int at = 0; at < text.length(); at += size) {
                    live.push(text.substring(at, Math.min(text.length(), at + size)));
                }
                live.finish();
                live.finish();
                assertArrayEquals(expected, Support.joined(live));
                assertEquals(text.codePointCount(0, text.length()), live.characters());
                assertEquals("😀", live.diagnostics().get(0).span().of(text));
            }
        }
    }

    @Test
    void spokenWhileItArrives() throws Exception {
        try (LiveStream live = engine.live()) {
            live.push("A first sentence. And");
            SpeechChunk first = live.next();
            assertEquals(0, first.span().start());
            CompletableFuture<SpeechChunk> second = CompletableFuture.supplyAsync(live::next);
            // A sentence without an end is not spoken: the second one includes all that follows.
            live.push(" then");
            live.flush();
            assertEquals("A first sentence. And then".length(), second.get().span().end());
            live.finish();
            assertFalse(live.hasNext());
        }
    }

    @Test
    void fromAnIterator() {
        byte[] expected = engine.synthesize(String.join("", TOKENS)).toByteArray();
        try (LiveStream live = engine.speakLive(TOKENS.iterator())) {
            assertArrayEquals(expected, Support.joined(live));
        }
    }

    @Test
    void anIteratorThatFails() {
        IllegalStateException failure = new IllegalStateException("of the source");
        AtomicInteger given = new AtomicInteger();
        Iterator<String> failing =
                new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return true;
                    }

                    @Override
                    public String next() {
                        if (given.getAndIncrement() == 2) {
                            throw failure;
                        }
                        return "A sentence. ";
                    }
                };
        try (LiveStream live = engine.speakLive(failing)) {
            CancelledException error = assertThrows(CancelledException.class, () -> Support.joined(live));
            assertSame(failure, error.getCause());
            assertEquals(live.requestId(), error.requestId());
            assertThrows(CancelledException.class, live::hasNext);
        }
        try (LiveStream live = engine.speakLive(List.of("a", "b\0").iterator())) {
            Support.refused(InvalidRequestException.class, "NUL", () -> Support.joined(live));
        }
    }

    /**
     * A source may fail while the listener receives a chunk; the listener then receives the error.
     */
    @Test
    void aListenerHearsThatTheIteratorFailed() throws Exception {
        IllegalStateException failure = new IllegalStateException("of the source");
        CompletableFuture<Void> heard = new CompletableFuture<>();
        CompletableFuture<SpeechException> ended = new CompletableFuture<>();
        Supplier<String> failing =
                () -> {
                    heard.join();
                    throw failure;
                };
        LiveStream live =
                engine.speakLive(Stream.of(() -> "A sentence. And", failing).map(Supplier::get).iterator());
        ChunkListener listener =
                new ChunkListener() {
                    @Override
                    public void onChunk(SpeechChunk chunk) {
                        heard.complete(null);
                        while (!live.isClosed()) {
                            Thread.onSpinWait();
                        }
                    }

                    @Override
                    public void onError(SpeechException error) {
                        ended.complete(error);
                    }

                    @Override
                    public void onComplete() {
                        ended.complete(null);
                    }
                };
        live.subscribe(listener);
        assertSame(failure, ended.get(30, TimeUnit.SECONDS).getCause());
    }

    /** The error of the speech is thrown, not the rejection of further text from the source. */
    @Test
    void theErrorOfTheSpeechIsThrown(@TempDir Path folder) throws Exception {
        try (SpeechEngine failing = Support.failing(folder).load()) {
            for (int round = 0; round < 20; round++) {
                Stream<String> endless = Stream.generate(() -> "a ");
                Iterator<String> source = Stream.concat(Stream.of("A sentence.\n\n"), endless).iterator();
                try (LiveStream live = failing.speakLive(source)) {
                    Support.refused(InternalException.class, "not finite", () -> Support.joined(live));
                }
            }
        }
    }

    @Test
    void aSourceThatNeverEnds() throws Exception {
        AtomicInteger taken = new AtomicInteger();
        Iterator<String> endless = Stream.generate(
                        () -> {
                            taken.incrementAndGet();
                            return "Hello there. ".repeat(100);
                        })
                .iterator();
        try (LiveStream live = engine.speakLive(endless)) {
            live.next();
            Thread.sleep(300);
            int ahead = taken.get();
            assertTrue(live.isFull());
            assertTrue(ahead > 10 && ahead < 20, ahead + " pieces were taken");
            for (int chunk = 0; chunk < 200; chunk++) {
                live.next();
            }
            while (taken.get() == ahead) {
                Thread.sleep(20);
            }
        }
    }

    @Test
    void piecesAreRefused() {
        try (LiveStream live = engine.live()) {
            Support.refused(InvalidRequestException.class, "NUL", () -> live.push("a\0"));
            Support.refused(
                    InvalidRequestException.class, "half a surrogate pair at index 0", () -> live.push("\ude00"));
            live.push("a\ud83d");
            assertEquals(1, live.characters());
            live.push("\ude00");
            assertEquals(2, live.characters());
            live.push("\ud83d");
            Support.refused(InvalidRequestException.class, "the text has half a surrogate pair", live::finish);
            live.finish();
            Support.refused(InvalidRequestException.class, "the text is finished", () -> live.push("b"));
            assertTrue(Support.joined(live).length > 0);
            Support.refused(InvalidRequestException.class, "the text is finished", () -> live.push("b"));
            assertThrows(NullPointerException.class, () -> live.push(null));
        }
    }

    @Test
    void bargeIn() {
        String answer = "It is four o'clock. It is time to go home. ";
        LiveStream live = engine.live();
        live.push(answer);
        double played = live.next().duration();
        live.close();
        assertTrue(live.isClosed());
        assertEquals(0, live.heardAt(0));
        String heard = answer.substring(0, live.heardAt(played));
        assertTrue(heard.startsWith("It is four o'clock"), heard);
        assertEquals(answer.length(), live.characters());
        Support.refused(CancelledException.class, "", () -> live.push("more"));
        Support.refused(CancelledException.class, "", live::hasNext);
    }

    @Test
    void optionsAreRefused() {
        SpeechOptions options = SpeechOptions.builder().rate(9).build();
        Support.refused(InvalidRequestException.class, "rate is 9", () -> engine.live(options));
        Support.refused(
                InvalidRequestException.class,
                "unsupported voice \"nobody\"",
                () -> engine.live(SpeechOptions.builder().voice("nobody").build()));
    }

    @Test
    void lowLatency() {
        SpeechOptions low = SpeechOptions.builder().latency(Latency.LOW).build();
        try (LiveStream live = engine.speakLive(TOKENS.iterator(), low)) {
            assertTrue(Support.joined(live).length > 0);
        }
        try (LiveStream live = engine.live(low)) {
            // The end of the sentence is not yet known.
            live.push("Of course, I can certainly help you with that and more ");
            assertEquals("Of course,".length(), live.next().span().end());
        }
    }
}
