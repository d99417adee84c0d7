package io.libspeech;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** When a sound is heard. In a stream it is in the chunk in which it begins. */
public final class Phoneme {
    private final String ipa;
    private final Span span;
    private final double start;
    private final double end;

    Phoneme(WireReader reader) {
        this.ipa = reader.string();
        this.span = reader.span();
        this.start = reader.doubleValue();
        this.end = reader.doubleValue();
    }

    /**
     * The sound in IPA, with the mark of stress before a vowel that has it.
     *
     * @return symbols of IPA
     */
    public String ipa() {
        return ipa;
    }

    /**
     * Where the text has its word.
     *
     * @return the span of a {@link Word}
     */
    public Span span() {
        return span;
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
        if (!(other instanceof Phoneme)) {
            return false;
        }
        Phoneme that = (Phoneme) other;
        return ipa.equals(that.ipa)
                && span.equals(that.span)
                && Double.compare(start, that.start) == 0
                && Double.compare(end, that.end) == 0;
    }

    @Override
    public int hashCode() {
        return Objects.hash(ipa, span, start, end);
    }

    @Override
    public String toString() {
        return "Phoneme{ipa=" + ipa
                + ", span=" + span
                + ", start=" + start
                + ", end=" + end
                + "}";
    }
}
