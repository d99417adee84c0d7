package io.libspeech;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** When a word is heard. In a stream it is in the chunk in which it begins. */
public final class Word {
    private final Span span;
    private final double start;
    private final double end;

    Word(WireReader reader) {
        this.span = reader.span();
        this.start = reader.doubleValue();
        this.end = reader.doubleValue();
    }

    /**
     * Where the text has it.
     *
     * @return its part of the text
     */
    public Span span() {
        return span;
    }

    /**
     * Seconds from the start of the audio; in a stream, from the start of the stream.
     *
     * @return when it begins
     */
    public double start() {
        return start;
    }

    /**
     * Seconds from the start of the audio; in a stream, from the start of the stream.
     *
     * @return when it ends
     */
    public double end() {
        return end;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof Word)) {
            return false;
        }
        Word that = (Word) other;
        return span.equals(that.span)
                && Double.compare(start, that.start) == 0
                && Double.compare(end, that.end) == 0;
    }

    @Override
    public int hashCode() {
        return Objects.hash(span, start, end);
    }

    @Override
    public String toString() {
        return "Word{span=" + span
                + ", start=" + start
                + ", end=" + end
                + "}";
    }
}
