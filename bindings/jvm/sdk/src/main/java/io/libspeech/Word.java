package io.libspeech;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The timestamps of a word. In a stream it belongs to the chunk in which it begins. */
public final class Word extends Timed {
    private final Span span;

    Word(Fields fields) {
        super(fields);
        this.span = fields.object("span").span();
    }

    /**
     * Its span in the text.
     *
     * @return the span
     */
    public Span span() {
        return span;
    }

    @Override
    Map<String, @Nullable Object> fields() {
        return Json.object("span", span, "start", start(), "end", end());
    }
}
