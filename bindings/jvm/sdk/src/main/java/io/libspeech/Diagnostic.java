package io.libspeech;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A note on how the text was read. */
public final class Diagnostic {
    private final String kind;
    private final Span span;

    Diagnostic(WireReader reader) {
        this.kind = reader.string();
        this.span = reader.span();
    }

    /**
     * What it is about: {@code skipped} for characters that were not spoken.
     *
     * @return the name of the kind
     */
    public String kind() {
        return kind;
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
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof Diagnostic)) {
            return false;
        }
        Diagnostic that = (Diagnostic) other;
        return kind.equals(that.kind)
                && span.equals(that.span);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, span);
    }

    @Override
    public String toString() {
        return "Diagnostic{kind=" + kind
                + ", span=" + span
                + "}";
    }
}
