package io.libspeech;

import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The speech of a text that is pushed in pieces, such as the tokens of a language model.
 *
 * <p>A sentence is spoken once it is decided: later text never changes how it is read. With {@link
 * Latency#LOW} the beginning of a sentence is spoken before its end is known, if no other audio is
 * left to play. {@link #push} is thread-safe.
 *
 * <pre>{@code
 * try (LiveStream live = engine.live()) {
 *     model.onToken(live::push);
 *     model.onEnd(live::finish);
 *     for (SpeechChunk chunk : live) {
 *         play(chunk.toShortArray());
 *     }
 * }
 * }</pre>
 */
public final class LiveStream extends SpeechStream {
    /** The time between two checks whether the stream accepts more text. */
    private static final int FULL_MILLISECONDS = 20;

    private final PieceJoiner joiner = new PieceJoiner();
    /** The source of the text, until the first chunk is requested. */
    private @Nullable Iterator<String> pieces;

    LiveStream(Fields fields, @Nullable Iterator<String> pieces) {
        super(fields);
        this.pieces = pieces;
    }

    /**
     * Adds a piece of text of any length: a token, half a word, a page.
     *
     * @param piece the piece
     * @throws CancelledException if the speech was stopped or has failed
     * @throws InvalidRequestException after {@link #finish}, and for a piece with a NUL character
     *     or half a surrogate pair, unless the next piece completes the pair; the piece is then not
     *     added
     */
    public void push(String piece) {
        Objects.requireNonNull(piece, "piece");
        joiner.join(piece, joined -> call("push").put("piece", joined).run());
    }

    /**
     * Whether 16 KiB of text or more wait to be spoken. A source that is faster than playback, such
     * as a book, should pause until this is false: {@link SpeechEngine#speakLive} does so.
     *
     * @return whether to pause
     */
    public boolean isFull() {
        return call("is_full").run().flag("is_full");
    }

    /** Speaks everything pushed so far, as if a sentence ended there. More text may follow. */
    public void flush() {
        call("flush").run();
    }

    /**
     * Ends the text: the rest is spoken, and then the stream ends. Further calls do nothing.
     *
     * @throws InvalidRequestException if the text ends with half a surrogate pair; the text ends
     *     anyway
     */
    public void finish() {
        call("finish").run();
        joiner.finish();
    }

    /**
     * The position in the text up to which words have been heard when playback is {@code seconds}
     * from the start of the stream. It is also available after the end.
     *
     * @param seconds the playback position
     * @return the end of the last word heard completely, in UTF-16 code units of all pushed text,
     *     or 0
     */
    public int heardAt(double seconds) {
        return call("heard_at").put("seconds", seconds).run().intValue("offset");
    }

    @Override
    void started() {
        Iterator<String> source;
        synchronized (this) {
            source = pieces;
            pieces = null;
        }
        if (source != null) {
            WeakReference<LiveStream> stream = new WeakReference<>(this);
            Thread thread = new Thread(() -> take(source, stream), "libspeech-text");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /**
     * Pushes the pieces as they arrive. While it waits for them, the garbage collector may free the
     * stream.
     */
    private static void take(Iterator<String> source, WeakReference<LiveStream> stream) {
        try {
            while (isOpen(stream)) {
                if (isFull(stream.get())) {
                    Thread.sleep(FULL_MILLISECONDS);
                } else if (!take(source.hasNext() ? Objects.requireNonNull(source.next()) : null, stream.get())) {
                    return;
                }
            }
        } catch (Throwable error) {
            fail(error, stream.get());
        }
    }

    private static boolean isOpen(WeakReference<LiveStream> reference) {
        LiveStream stream = reference.get();
        return stream != null && !stream.isClosed();
    }

    private static boolean isFull(@Nullable LiveStream stream) {
        return stream != null && stream.isFull();
    }

    /**
     * Pushes a piece, or ends the text if there is none. Returns whether the stream accepts more.
     */
    private static boolean take(@Nullable String piece, @Nullable LiveStream stream) {
        if (stream == null || stream.isClosed()) {
            return false;
        }
        if (piece == null) {
            stream.finish();
            return false;
        }
        try {
            stream.push(piece);
            return true;
        } catch (CancelledException ended) {
            // The reader of the chunks receives the error.
            return false;
        }
    }

    private static void fail(Throwable error, @Nullable LiveStream stream) {
        if (stream != null) {
            stream.fail(error);
        }
    }
}
