package io.libspeech;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** When the mouth has a shape. */
public final class Viseme {
    private final String viseme;
    private final int azure;
    private final double start;
    private final double end;

    Viseme(WireReader reader) {
        this.viseme = reader.string();
        this.azure = reader.intValue();
        this.start = reader.doubleValue();
        this.end = reader.doubleValue();
    }

    /**
     * The shape, of the 15 of OVR LipSync: {@code sil}, {@code PP}, {@code FF}, {@code TH}, {@code DD}, {@code kk}, {@code CH},
     * {@code SS}, {@code nn}, {@code RR}, {@code aa}, {@code E}, {@code ih}, {@code oh} or {@code ou}.
     *
     * @return the name of the shape
     */
    public String viseme() {
        return viseme;
    }

    /**
     * The shape, of the 22 of Azure's table.
     *
     * @return 0 to 21
     */
    public int azure() {
        return azure;
    }

    /**
     * Seconds from the start of the audio; in a stream, from the start of the stream.
     *
     * @return when it begins
     */
    public double start() {
        return start;
    }

    /**
     * Seconds from the start of the audio; in a stream, from the start of the stream.
     *
     * @return when it ends
     */
    public double end() {
        return end;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof Viseme)) {
            return false;
        }
        Viseme that = (Viseme) other;
        return viseme.equals(that.viseme)
                && azure == that.azure
                && Double.compare(start, that.start) == 0
                && Double.compare(end, that.end) == 0;
    }

    @Override
    public int hashCode() {
        return Objects.hash(viseme, azure, start, end);
    }

    @Override
    public String toString() {
        return "Viseme{viseme=" + viseme
                + ", azure=" + azure
                + ", start=" + start
                + ", end=" + end
                + "}";
    }
}
