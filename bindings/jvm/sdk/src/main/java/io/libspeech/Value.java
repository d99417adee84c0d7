package io.libspeech;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An immutable object, equal to every object of its class with equal fields. */
abstract class Value {
    /** The values of the fields by name. */
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
