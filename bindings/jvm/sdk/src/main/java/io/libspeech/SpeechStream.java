package io.libspeech;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Speech, one sentence at a time: the first can be played while the next is computed. At most one
 * chunk is computed in advance, even if the reader is slow.
 *
 * <pre>{@code
 * try (SpeechStream stream = engine.stream("First this. Then that.")) {
 *     for (SpeechChunk chunk : stream) {
 *         play(chunk.toShortArray());
 *     }
 * }
 * }</pre>
 *
 * <p>A stream returns its chunks once: in a loop, to a {@link #next(SpeechCallback) callback}, to a
 * {@link #subscribe listener}, or as {@link #toInputStream bytes}.
 *
 * <p>Any thread may close a stream at any time, which stops the computation. If a stream is closed
 * before its end, requests for a chunk throw a {@link CancelledException}, including those that
 * already wait. Interrupting a waiting thread closes the stream. A failed stream throws its error
 * on every request for a chunk. The garbage collector closes unreachable streams.
 */
public class SpeechStream implements Iterable<SpeechChunk>, Iterator<SpeechChunk>, AutoCloseable {
    private final Handle handle;
    private final String requestId;
    private final int sampleRate;
    private final Encoding encoding;
    /** Held by the thread that requests a chunk. */
    private final ReentrantLock reading = new ReentrantLock();
    /** The chunk that {@link #hasNext} has read. Guarded by {@code reading}. */
    private @Nullable SpeechChunk ahead;
    /** Whether the last chunk was returned. */
    private volatile boolean ended;
    /** Whether the stream has ended, has failed or was closed. */
    private volatile boolean closed;
    /** The error, if the stream has failed. */
    private volatile @Nullable Throwable failure;

    SpeechStream(Fields fields) {
        this.requestId = fields.string("request_id");
        this.sampleRate = fields.intValue("sample_rate");
        this.encoding = Encoding.of(fields.string("encoding"));
        this.handle = Handle.of(this, fields);
    }

    /**
     * The identifier of the request.
     *
     * @return a UUID
     */
    public final String requestId() {
        return requestId;
    }

    /**
     * The metered quantity: the number of characters (Unicode scalar values) of the text as given;
     * for a live text, of all text pushed so far.
     *
     * @return a number of characters
     */
    public final int characters() {
        return call("stream_state").run().intValue("characters");
    }

    /**
     * Notes on how the text is read: skipped text. For {@link SpeechEngine#stream} they are
     * complete at once. For long and live texts they cover the text spoken so far, up to 10,000
     * notes.
     *
     * @return an immutable list
     */
    public final List<Diagnostic> diagnostics() {
        return call("stream_state").run().list("diagnostics", Diagnostic::new);
    }

    /** Creates a call of a method of the stream. */
    final Call call(String name) {
        return new Call(name, this, handle);
    }

    /**
     * The sample rate.
     *
     * @return the rate in hertz
     */
    public final int sampleRate() {
        return sampleRate;
    }

    /**
     * The encoding of the samples in the bytes of the chunks.
     *
     * @return the encoding
     */
    public final Encoding encoding() {
        return encoding;
    }

    /**
     * Whether the stream has ended, has failed or was closed.
     *
     * @return whether there are no more chunks
     */
    public final boolean isClosed() {
        return closed;
    }

    /**
     * Returns the stream itself, for use in a loop. It can be iterated once.
     *
     * @return this stream
     */
    @Override
    public final Iterator<SpeechChunk> iterator() {
        return this;
    }

    /**
     * Waits for the next chunk, and returns whether there is one.
     *
     * @return whether there is one
     * @throws CancelledException if the stream was closed before its end, or the thread is
     *     interrupted
     * @throws SpeechException if the computation has failed
     */
    @Override
    public final boolean hasNext() {
        reading.lock();
        try {
            if (ahead == null) {
                ahead = read();
            }
            return ahead != null;
        } finally {
            reading.unlock();
        }
    }

    /**
     * Waits for the next chunk.
     *
     * @return the chunk
     * @throws NoSuchElementException if there are no more
     * @throws CancelledException if the stream was closed before its end, or the thread is
     *     interrupted
     * @throws SpeechException if the computation has failed
     */
    @Override
    public final SpeechChunk next() {
        reading.lock();
        try {
            SpeechChunk chunk = ahead == null ? read() : ahead;
            ahead = null;
            if (chunk == null) {
                throw new NoSuchElementException("the stream has ended");
            }
            return chunk;
        } finally {
            reading.unlock();
        }
    }

    /** Throws {@link UnsupportedOperationException}. */
    @Override
    public final void remove() {
        throw new UnsupportedOperationException("remove");
    }

    /**
     * Requests the next chunk without blocking. Request another one only after the callback was
     * called.
     *
     * @param callback receives the chunk; null after the last one. If the stream is closed, it is
     *     called before this returns
     */
    public final void next(SpeechCallback<? super @Nullable SpeechChunk> callback) {
        Objects.requireNonNull(callback, "callback");
        SpeechCallback<@Nullable SpeechChunk> ending =
                new SpeechCallback<@Nullable SpeechChunk>() {
                    @Override
                    public void onResult(@Nullable SpeechChunk chunk) {
                        if (closed && !ended) {
                            callback.onError(failure());
                            return;
                        }
                        if (chunk == null) {
                            ended = true;
                            close();
                        }
                        callback.onResult(chunk);
                    }

                    @Override
                    public void onError(SpeechException error) {
                        fail(error);
                        callback.onError(failure());
                    }
                };
        if (closed) {
            ending.onResult(null);
            return;
        }
        started();
        call("next").start(new Completion<>(SpeechStream::chunk, ending));
    }

    /**
     * Passes every remaining chunk to a listener, without blocking. {@link #close} ends it.
     *
     * @param listener receives the chunks
     */
    public final void subscribe(ChunkListener listener) {
        Objects.requireNonNull(listener, "listener");
        next(
                new SpeechCallback<@Nullable SpeechChunk>() {
                    @Override
                    public void onResult(@Nullable SpeechChunk chunk) {
                        if (chunk == null) {
                            listener.onComplete();
                            return;
                        }
                        boolean heard = false;
                        try {
                            listener.onChunk(chunk);
                            heard = true;
                        } finally {
                            if (!heard) {
                                close();
                            }
                        }
                        next(this);
                    }

                    @Override
                    public void onError(SpeechException error) {
                        listener.onError(error);
                    }
                });
    }

    /**
     * The bytes of the samples, in the encoding of the request. The next chunk is requested when
     * the bytes of the previous one have been read. Closing the input stream closes this stream.
     * Its errors are {@link SpeechException}s.
     *
     * @return an input stream
     */
    public final InputStream toInputStream() {
        return new ChunkInputStream(this);
    }

    /** Cancels the computation. Does not wait; idempotent. */
    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            // Cancels but does not free the stream: `heardAt` works after the end, so only
            // the handle frees it.
            call("cancel").run();
        }
    }

    /** Called before each request for a chunk. */
    void started() {}

    /** Closes the stream with an error. */
    final void fail(Throwable error) {
        if (!closed) {
            failure = error;
            close();
        }
    }

    /** Reads the next chunk; null after the last one. */
    private @Nullable SpeechChunk read() {
        Waiter<@Nullable SpeechChunk> waiter = new Waiter<>();
        next(waiter);
        return waiter.await(this::close);
    }

    /** The error for a request for a chunk of a closed stream. */
    private SpeechException failure() {
        Throwable error = failure;
        if (error instanceof SpeechException) {
            return (SpeechException) error;
        }
        SpeechException cancelled =
                new CancelledException(
                        error == null ? "the synthesis was cancelled" : "the source of the text has failed");
        cancelled.describe(requestId, null, null, null);
        cancelled.initCause(error);
        return cancelled;
    }

    private static @Nullable SpeechChunk chunk(Fields fields, @Nullable ByteBuffer samples) {
        return samples == null ? null : new SpeechChunk(fields, samples);
    }
}
