package io.libspeech;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** When a {@code <mark>} of SSML is reached. */
public final class Mark {
    private final String name;
    private final double time;

    Mark(WireReader reader) {
        this.name = reader.string();
        this.time = reader.doubleValue();
    }

    /**
     * The name of the mark.
     *
     * @return its name
     */
    public String name() {
        return name;
    }

    /**
     * Seconds from the start of the audio; in a stream, from the start of the stream.
     *
     * @return when it is reached
     */
    public double time() {
        return time;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof Mark)) {
            return false;
        }
        Mark that = (Mark) other;
        return name.equals(that.name)
                && Double.compare(time, that.time) == 0;
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, time);
    }

    @Override
    public String toString() {
        return "Mark{name=" + name
                + ", time=" + time
                + "}";
    }
}
