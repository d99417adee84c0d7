package io.libspeech;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When a sentence is heard, from its first word to the end of its last. In a stream it is in the last chunk of the sentence. */
public final class Sentence extends Timed {
    private final Span span;

    Sentence(Fields fields) {
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
