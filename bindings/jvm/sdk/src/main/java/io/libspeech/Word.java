package io.libspeech;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When a word is heard. In a stream it is in the chunk in which it begins. */
public final class Word extends Timed {
    private final Span span;

    Word(Fields fields) {
        super(fields);
        this.span = fields.object("span").span();
    }

    /**
     * Where the text has it.
     *
     * @return its part of the text
     */
    public Span span() {
        return span;
    }

    @Override
    Map<String, @Nullable Object> fields() {
        return Json.object("span", span, "start", start(), "end", end());
    }
}
