package io.libspeech;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A part of a text, in UTF-16 code units, as {@link String#substring(int, int)} takes them. */
public final class Span {
    private final int start;
    private final int end;

    Span(int start, int end) {
        this.start = start;
        this.end = end;
    }

    /**
     * Where it begins.
     *
     * @return the index of its first code unit
     */
    public int start() {
        return start;
    }

    /**
     * Where it ends.
     *
     * @return the index after its last code unit
     */
    public int end() {
        return end;
    }

    /**
     * The part of the text that it is about.
     *
     * @param text the text that was spoken
     * @return that part
     */
    public String of(String text) {
        return text.substring(start, end);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof Span)) {
            return false;
        }
        Span that = (Span) other;
        return start == that.start
                && end == that.end;
    }

    @Override
    public int hashCode() {
        return Objects.hash(start, end);
    }

    @Override
    public String toString() {
        return "Span{start=" + start
                + ", end=" + end
                + "}";
    }
}
