package io.libspeech;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What cannot be changed, and is equal to everything of its class that has equal fields. */
abstract class Value {
    /** The values of the fields by their names. */
    abstract Map<String, @Nullable Object> fields();

    @Override
    public boolean equals(@Nullable Object other) {
        return other != null && getClass() == other.getClass() && fields().equals(((Value) other).fields());
    }

    @Override
    public int hashCode() {
        return fields().hashCode();
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + fields();
    }
}
