package io.libspeech;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A span of a text, in UTF-16 code units, as for {@link String#substring(int, int)}. */
public final class Span extends Value {
    private final int start;
    private final int end;

    Span(int start, int end) {
        this.start = start;
        this.end = end;
    }

    /**
     * The start.
     *
     * @return the index of its first code unit
     */
    public int start() {
        return start;
    }

    /**
     * The end.
     *
     * @return the index after its last code unit
     */
    public int end() {
        return end;
    }

    /**
     * The text in this span.
     *
     * @param text the text that was spoken
     * @return the part of the text
     */
    public String of(String text) {
        return text.substring(start, end);
    }

    @Override
    Map<String, @Nullable Object> fields() {
        return Json.object("start", start, "end", end);
    }
}
