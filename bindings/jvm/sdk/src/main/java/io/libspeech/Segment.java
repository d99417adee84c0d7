package io.libspeech;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A sentence of a text that arrives in pieces. */
public final class Segment {
    private final String text;
    private final long start;
    private final long end;
    private final boolean endsParagraph;

    Segment(WireReader reader) {
        this.text = reader.string();
        this.start = reader.longValue();
        this.end = reader.longValue();
        this.endsParagraph = reader.flag();
    }

    /**
     * The sentence, without white space around it.
     *
     * @return the sentence
     */
    public String text() {
        return text;
    }

    /**
     * Where it begins in all that was pushed.
     *
     * @return the index of its first UTF-16 code unit
     */
    public long start() {
        return start;
    }

    /**
     * Where it ends in all that was pushed.
     *
     * @return the index after its last UTF-16 code unit
     */
    public long end() {
        return end;
    }

    /**
     * Whether a paragraph, a heading or an item of a list ends with it.
     *
     * @return whether one does
     */
    public boolean endsParagraph() {
        return endsParagraph;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof Segment)) {
            return false;
        }
        Segment that = (Segment) other;
        return text.equals(that.text)
                && start == that.start
                && end == that.end
                && endsParagraph == that.endsParagraph;
    }

    @Override
    public int hashCode() {
        return Objects.hash(text, start, end, endsParagraph);
    }

    @Override
    public String toString() {
        return "Segment{text=" + text
                + ", start=" + start
                + ", end=" + end
                + ", endsParagraph=" + endsParagraph
                + "}";
    }
}
