package io.libspeech;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What all streams have in common: they give chunks, once, in a loop or in another way. One chunk is computed ahead, and no more
 * than that however slow the reader is.
 *
 * <p>Any thread may close a stream, at any time; that stops the computation. A thread that waits for a chunk then gets a {@link
 * CancelledException}. So does one that is interrupted, which closes the stream. Streams that can no longer be reached are closed by
 * the garbage collector.
 */
public abstract class ChunkStream implements Iterable<SpeechChunk>, Iterator<SpeechChunk>, AutoCloseable {
    final Handle handle;
    private final String requestId;
    /** Held by the thread that asks for a chunk. */
    private final ReentrantLock reading = new ReentrantLock();
    /** What {@link #hasNext} has asked for. Guarded by {@code reading}. */
    private @Nullable SpeechChunk ahead;
    /** Whether it has ended, or was closed. */
    private volatile boolean closed;
    /** The error of the next chunk that is asked for, after its text has failed. */
    private volatile @Nullable Throwable failure;

    ChunkStream(String requestId, long stream) {
        this.requestId = requestId;
        this.handle = Handle.of(this, stream, Native.get()::freeStream);
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
     * Samples a second.
     *
     * @return 22050
     */
    public final int sampleRate() {
        return Speech.SAMPLE_RATE;
    }

    /**
     * Whether it has ended, or was closed.
     *
     * @return whether there are no more chunks
     */
    public final boolean isClosed() {
        return closed;
    }

    /**
     * The stream itself, so that a loop can be written over it. It has one pass.
     *
     * @return this stream
     */
    @Override
    public final Iterator<SpeechChunk> iterator() {
        return this;
    }

    /**
     * Waits for the next chunk, and says whether there is one.
     *
     * @return whether there is one
     * @throws SpeechException if the computation has failed, which ends the stream
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
     * @throws SpeechException if the computation has failed, which ends the stream
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

    /** Throws {@link UnsupportedOperationException}: what was said is said. */
    @Override
    public final void remove() {
        throw new UnsupportedOperationException("remove");
    }

    /**
     * Asks for the next chunk without waiting for it. Ask for another one when the callback was called.
     *
     * @param callback gets the chunk; null after the last one
     */
    public final void next(SpeechCallback<? super @Nullable SpeechChunk> callback) {
        Objects.requireNonNull(callback, "callback");
        if (ended()) {
            callback.onResult(null);
            return;
        }
        started();
        SpeechCallback<@Nullable SpeechChunk> ending =
                new SpeechCallback<@Nullable SpeechChunk>() {
                    @Override
                    public void onResult(@Nullable SpeechChunk chunk) {
                        SpeechException error = end(chunk);
                        if (error == null) {
                            callback.onResult(chunk);
                        } else {
                            callback.onError(error);
                        }
                    }

                    @Override
                    public void onError(SpeechException error) {
                        SpeechException failed = failed();
                        close();
                        callback.onError(failed == null ? error : failed);
                    }
                };
        Answer.read(Native.get().nextChunk(this, handle.number(), new Completion<>(ChunkStream::chunk, ending)));
    }

    /**
     * Tells a listener of every chunk that is left, without waiting for them. {@link #close} ends it.
     *
     * @param listener hears the chunks
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
     * The little-endian bytes of the samples. A chunk is asked for when the bytes of the one before have been read. Closing it
     * closes the stream; what it throws is a {@link SpeechException}.
     *
     * @return a stream of bytes
     */
    public final InputStream toInputStream() {
        return new ChunkInputStream(this);
    }

    /** Stops what runs. It does not wait, and does nothing the second time. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            stop();
        }
    }

    /** Stops the computation. */
    void stop() {
        handle.close();
    }

    /** Called before the first chunk is asked for, and later ones. */
    void started() {}

    /** Closes it with the error that the next chunk fails with. */
    final void fail(Throwable error) {
        if (!closed) {
            failure = error;
            close();
        }
    }

    /** The next chunk; null after the last one. */
    private @Nullable SpeechChunk read() {
        if (ended()) {
            return null;
        }
        Waiter<@Nullable SpeechChunk> waiter = new Waiter<>();
        next(waiter);
        return waiter.await(this::close);
    }

    /** Whether it has ended. Throws the error of its text, once. */
    private boolean ended() {
        if (!closed) {
            return false;
        }
        SpeechException failed = failed();
        if (failed != null) {
            throw failed;
        }
        return true;
    }

    /** Takes a result of the native stream. The error that it is instead, if it is one. */
    private @Nullable SpeechException end(@Nullable SpeechChunk chunk) {
        if (closed) {
            // A call that was waiting when the stream was closed must not look like the end of the speech.
            SpeechException failed = failed();
            return failed == null ? cancelled() : failed;
        }
        if (chunk == null) {
            close();
        }
        return null;
    }

    private @Nullable SpeechException failed() {
        Throwable error = failure;
        failure = null;
        if (error == null || error instanceof SpeechException) {
            return (SpeechException) error;
        }
        SpeechException failed = new CancelledException("the source of the text has failed");
        failed.describe(requestId, null, null, null);
        failed.initCause(error);
        return failed;
    }

    private SpeechException cancelled() {
        SpeechException cancelled = new CancelledException("the synthesis was cancelled");
        cancelled.describe(requestId, null, null, null);
        return cancelled;
    }

    private static @Nullable SpeechChunk chunk(WireReader fields, @Nullable ByteBuffer samples) {
        return fields.flag() ? new SpeechChunk(fields, Objects.requireNonNull(samples)) : null;
    }
}
