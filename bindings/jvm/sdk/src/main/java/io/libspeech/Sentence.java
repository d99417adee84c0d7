package io.libspeech;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The timestamps of a sentence, from the start of its first word to the end of its last. In a
 * stream it belongs to the last chunk of the sentence.
 */
public final class Sentence extends Timed {
    private final Span span;

    Sentence(Fields fields) {
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
