package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Streams of whole texts. */
@Timeout(120)
class StreamTest {
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
    void sentenceAfterSentence() {
        List<String> sentences = new ArrayList<>();
        try (SpeechStream stream = engine.stream(Support.TEXT)) {
            assertEquals(Support.TEXT.length(), stream.characters());
            assertEquals(22_050, stream.sampleRate());
            assertTrue(stream.requestId().matches(Support.UUID));
            double seconds = 0;
            for (SpeechChunk chunk : stream) {
                sentences.add(chunk.span().of(Support.TEXT));
                assertTrue(chunk.words().get(0).start() >= seconds);
                seconds += chunk.duration();
            }
            assertTrue(stream.isClosed());
            assertFalse(stream.hasNext());
            assertThrows(NoSuchElementException.class, stream::next);
        }
        assertEquals(List.of("First this, of 25 words.", "Then that!", "And it ends here."), sentences);
    }

    @Test
    void theSameAsTheWhole() {
        byte[] expected = engine.synthesize(Support.TEXT).toByteArray();
        assertArrayEquals(expected, Support.joined(engine.stream(Support.TEXT)));
        assertArrayEquals(expected, Support.joined(engine.streamLong(Support.TEXT)));
    }

    @Test
    void asBytes() throws Exception {
        byte[] expected = engine.synthesize(Support.TEXT).toByteArray();
        try (InputStream bytes = engine.stream(Support.TEXT).toInputStream()) {
            assertEquals(expected[0], (byte) bytes.read());
            assertTrue(bytes.available() > 0);
            byte[] rest = bytes.readAllBytes();
            assertArrayEquals(Arrays.copyOfRange(expected, 1, expected.length), rest);
            assertEquals(-1, bytes.read());
        }
        SpeechStream stream = engine.stream(Support.TEXT);
        InputStream closed = stream.toInputStream();
        closed.close();
        assertTrue(stream.isClosed());
        assertThrows(CancelledException.class, closed::read);
    }

    @Test
    void toAListener() throws Exception {
        byte[] expected = engine.synthesize(Support.TEXT).toByteArray();
        List<SpeechChunk> chunks = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        engine.stream(Support.TEXT).subscribe(listener(chunks, done, new AtomicReference<>()));
        assertTrue(done.await(30, TimeUnit.SECONDS));
        assertArrayEquals(expected, Support.joined(chunks));
    }

    private static ChunkListener listener(
            List<SpeechChunk> chunks, CountDownLatch done, AtomicReference<SpeechException> failure) {
        return new ChunkListener() {
            @Override
            public void onChunk(SpeechChunk chunk) {
                chunks.add(chunk);
            }

            @Override
            public void onError(SpeechException error) {
                failure.set(error);
                done.countDown();
            }

            @Override
            public void onComplete() {
                done.countDown();
            }
        };
    }

    @Test
    void aListenerHearsOfTheEnd() throws Exception {
        SpeechEngine closing = Support.fake().load();
        CountDownLatch done = new CountDownLatch(1);
        AtomicReference<SpeechException> failure = new AtomicReference<>();
        ChunkListener listener = listener(new ArrayList<>(), done, failure);
        SpeechStream stream = closing.stream(Support.TEXT);
        closing.close();
        stream.subscribe(listener);
        assertTrue(done.await(30, TimeUnit.SECONDS));
        assertTrue(failure.get() instanceof CancelledException);
    }

    /** Interrupted speech must not look complete. */
    @Test
    void aListenerHearsThatTheStreamWasClosed() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        AtomicReference<SpeechException> failure = new AtomicReference<>();
        SpeechStream stream = engine.stream(Support.TEXT);
        ChunkListener closing =
                new ChunkListener() {
                    @Override
                    public void onChunk(SpeechChunk chunk) {
                        stream.close();
                    }

                    @Override
                    public void onError(SpeechException error) {
                        failure.set(error);
                        done.countDown();
                    }

                    @Override
                    public void onComplete() {
                        done.countDown();
                    }
                };
        stream.subscribe(closing);
        assertTrue(done.await(30, TimeUnit.SECONDS));
        assertTrue(failure.get() instanceof CancelledException);
        assertEquals(stream.requestId(), failure.get().requestId());
    }

    @Test
    void oneAtATimeByCallback() {
        SpeechStream stream = engine.stream("One.");
        for (boolean more : new boolean[] {true, false, false}) {
            Waiter<SpeechChunk> waiter = new Waiter<>();
            stream.next(waiter);
            SpeechChunk chunk = waiter.await(() -> {});
            if (more) {
                assertNotNull(chunk);
            } else {
                assertNull(chunk);
            }
        }
    }

    @Test
    void aStreamThatIsClosedBeforeItsEndFails() {
        SpeechStream stream = engine.stream(Support.TEXT);
        assertTrue(stream.hasNext() && stream.hasNext());
        stream.next();
        stream.close();
        stream.close();
        assertTrue(stream.isClosed());
        Waiter<SpeechChunk> waiter = new Waiter<>();
        stream.next(waiter);
        List<Executable> reads = List.of(stream::hasNext, stream::next, stream.toInputStream()::read, () -> waiter.await(() -> {}));
        for (Executable read : reads) {
            CancelledException error = assertThrows(CancelledException.class, read);
            assertEquals(stream.requestId(), error.requestId());
        }
        assertThrows(UnsupportedOperationException.class, stream::remove);
    }

    @Test
    void aStreamThatIsClosedAfterItsEndHasEnded() {
        SpeechStream stream = engine.stream("One.");
        stream.next();
        assertFalse(stream.hasNext());
        stream.close();
        assertFalse(stream.hasNext());
    }

    /** A waiting thread must not mistake a close by another thread for the end of the speech. */
    @Test
    void closingWhileAThreadWaits() throws Exception {
        try (SpeechEngine real = Support.real().load()) {
            for (int round = 0; round < 3; round++) {
                SpeechStream stream = real.stream(Support.LONG);
                AtomicReference<Throwable> thrown = new AtomicReference<>();
                Thread reader =
                        new Thread(
                                () -> {
                                    try {
                                        Support.joined(stream);
                                    } catch (Throwable error) {
                                        thrown.set(error);
                                    }
                                });
                reader.start();
                Thread.sleep(50 + 100L * round);
                stream.close();
                reader.join(20_000);
                assertTrue(thrown.get() instanceof CancelledException, () -> "thrown: " + thrown.get());
                assertEquals(stream.requestId(), ((CancelledException) thrown.get()).requestId());
            }
        }
    }

    @Test
    void lowLatencyIsForStreams() {
        SpeechOptions low = SpeechOptions.builder().latency(Latency.LOW).build();
        InvalidRequestException error =
                Support.refused(InvalidRequestException.class, "latency low", () -> engine.synthesize(Support.TEXT, low));
        assertEquals("latency_needs_stream", error.detail());
        assertEquals("use_stream", error.advice());
        assertTrue(Support.joined(engine.stream(Support.TEXT, low)).length > 0);
    }

    @Test
    void aTextOfAnyLength() {
        String text = "One sentence of many. ".repeat(100);
        assertThrows(TextTooLongException.class, () -> engine.stream(text));
        int end = 0;
        try (SpeechStream stream = engine.streamLong(text)) {
            for (SpeechChunk chunk : stream) {
                assertTrue(chunk.span().start() >= end);
                end = chunk.span().end();
            }
            assertEquals(text.length(), stream.characters());
        }
        assertEquals(text.trim().length(), end);
        assertThrows(EmptyTextException.class, () -> engine.streamLong(" "));
        SpeechOptions ssml = SpeechOptions.builder().ssml(true).build();
        assertThrows(InvalidRequestException.class, () -> engine.streamLong("<speak>a</speak>", ssml));
    }
}
