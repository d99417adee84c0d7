package io.libspeech;

import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The speech of a text that is pushed in pieces, such as the tokens of a language model.
 *
 * <p>A sentence is spoken when it is certain that it has ended, so nothing is spoken that later text would have changed. With {@link
 * Latency#LOW} the beginning of a sentence is spoken before its end is known, while nothing else is left to be heard. Any thread
 * may push.
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
    /** How long a source of pieces waits while so much text waits to be spoken that no more is taken. */
    private static final int FULL_MILLISECONDS = 20;

    private final PieceJoiner joiner = new PieceJoiner();
    /** What gives the text, until it is asked for. */
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
     * @throws InvalidRequestException after {@link #finish}, and for a piece with a NUL character or with half a surrogate pair
     *     other than one that the next piece completes: then nothing is added
     */
    public void push(String piece) {
        Objects.requireNonNull(piece, "piece");
        joiner.join(piece, joined -> call("push").put("piece", joined).run());
    }

    /**
     * Whether 16 KiB of text or more wait to be spoken. A source that gives text faster than it is heard, such as a book,
     * waits until they do not: {@link SpeechEngine#speakLive} does.
     *
     * @return whether to wait before more is pushed
     */
    public boolean isFull() {
        return call("is_full").run().flag("is_full");
    }

    /** Has everything spoken that was pushed, as if a sentence ended there. */
    public void flush() {
        call("flush").run();
    }

    /**
     * Ends the text: what is left is spoken, and then the stream ends. Calling it again does nothing.
     *
     * @throws InvalidRequestException if half a surrogate pair is at the end of the text; it is ended all the same
     */
    public void finish() {
        call("finish").run();
        joiner.finish();
    }

    /**
     * How much of the text has been said when playback is at so many seconds from the start of the stream. It can be asked after
     * the end, too.
     *
     * @param seconds how much was played
     * @return the end of the last word that was heard to its end, in UTF-16 code units of all that was pushed, or 0
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

    /** Pushes the pieces as they come. While it waits for them, the garbage collector may free the stream. */
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

    /** Pushes a piece, or ends the text if there is none. Whether the stream takes more. */
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
            // Who reads the chunks is told why.
            return false;
        }
    }

    private static void fail(Throwable error, @Nullable LiveStream stream) {
        if (stream != null) {
            stream.fail(error);
        }
    }
}
