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
 * Speech a sentence at a time: the first can be played while the next is computed. One chunk is computed ahead, and no more than
 * that however slow the reader is.
 *
 * <pre>{@code
 * try (SpeechStream stream = engine.stream("First this. Then that.")) {
 *     for (SpeechChunk chunk : stream) {
 *         play(chunk.toShortArray());
 *     }
 * }
 * }</pre>
 *
 * <p>A stream gives its chunks once: in a loop, to a {@link #next(SpeechCallback) callback}, to a {@link #subscribe listener}, or as
 * {@link #toInputStream bytes}.
 *
 * <p>Any thread may close a stream, at any time; that stops the computation. Whoever asks for a chunk of a stream that was closed
 * before its end gets a {@link CancelledException}, and so does a thread that waits for one. A thread that is interrupted while it
 * waits closes the stream. A stream that has failed gives its error to whoever asks for a chunk. Streams that can no longer be
 * reached are closed by the garbage collector.
 */
public class SpeechStream implements Iterable<SpeechChunk>, Iterator<SpeechChunk>, AutoCloseable {
    private final Handle handle;
    private final String requestId;
    private final int sampleRate;
    private final Encoding encoding;
    /** Held by the thread that asks for a chunk. */
    private final ReentrantLock reading = new ReentrantLock();
    /** What {@link #hasNext} has asked for. Guarded by {@code reading}. */
    private @Nullable SpeechChunk ahead;
    /** Whether the last chunk was given. */
    private volatile boolean ended;
    /** Whether it has ended or failed, or was closed. */
    private volatile boolean closed;
    /** Why it has failed. */
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
     * The metered quantity: the characters (Unicode scalar values) of the text as it was given; of a live text, of what was pushed so
     * far.
     *
     * @return a number of characters
     */
    public final int characters() {
        return call("stream_state").run().intValue("characters");
    }

    /**
     * Notes on how the text is read: what is not spoken. {@link SpeechEngine#stream} knows all of them at once; where a text is long
     * or live, they are those of what was spoken so far, in the first 10,000 places.
     *
     * @return a list that cannot be changed
     */
    public final List<Diagnostic> diagnostics() {
        return call("stream_state").run().list("diagnostics", Diagnostic::new);
    }

    /** A call of a function of the stream. */
    final Call call(String name) {
        return new Call(name, this, handle);
    }

    /**
     * Samples a second.
     *
     * @return in hertz
     */
    public final int sampleRate() {
        return sampleRate;
    }

    /**
     * What a sample is in the bytes of the chunks.
     *
     * @return the encoding
     */
    public final Encoding encoding() {
        return encoding;
    }

    /**
     * Whether it has ended or failed, or was closed.
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
     * @throws CancelledException if the stream was closed before its end, or the thread is interrupted
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
     * @throws CancelledException if the stream was closed before its end, or the thread is interrupted
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

    /** Throws {@link UnsupportedOperationException}: what was said is said. */
    @Override
    public final void remove() {
        throw new UnsupportedOperationException("remove");
    }

    /**
     * Asks for the next chunk without waiting for it. Ask for another one when the callback was called.
     *
     * @param callback gets the chunk; null after the last one. If the stream is closed, it is called before this returns
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
     * The bytes of the samples, in the encoding of the request. A chunk is asked for when the bytes of the one before have been read. Closing it
     * closes the stream; what it throws is a {@link SpeechException}.
     *
     * @return a stream of bytes
     */
    public final InputStream toInputStream() {
        return new ChunkInputStream(this);
    }

    /** Stops what runs. It does not wait, and does nothing the second time. */
    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            // What was heard can be asked afterwards: so it is freed with this object only.
            call("cancel").run();
        }
    }

    /** Called before the first chunk is asked for, and later ones. */
    void started() {}

    /** Closes it with an error. */
    final void fail(Throwable error) {
        if (!closed) {
            failure = error;
            close();
        }
    }

    /** The next chunk; null after the last one. */
    private @Nullable SpeechChunk read() {
        Waiter<@Nullable SpeechChunk> waiter = new Waiter<>();
        next(waiter);
        return waiter.await(this::close);
    }

    /** The error of whoever asks for a chunk that was not given before the stream was closed. */
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
