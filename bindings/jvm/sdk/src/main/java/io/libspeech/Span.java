package io.libspeech;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A part of a text, in UTF-16 code units, as {@link String#substring(int, int)} takes them. */
public final class Span extends Value {
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
    Map<String, @Nullable Object> fields() {
        return Json.object("start", start, "end", end);
    }
}
