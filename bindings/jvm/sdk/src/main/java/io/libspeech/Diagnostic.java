package io.libspeech;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A note on how the text was read. */
public final class Diagnostic extends Value {
    private final String kind;
    private final Span span;

    Diagnostic(Fields fields) {
        this.kind = fields.string("kind");
        this.span = fields.object("span").span();
    }

    /**
     * The kind: {@code skipped} for characters that were not spoken.
     *
     * @return the name of the kind
     */
    public String kind() {
        return kind;
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
        return Json.object("kind", kind, "span", span);
    }
}
