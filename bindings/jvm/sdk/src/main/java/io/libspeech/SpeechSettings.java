package io.libspeech;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How a text is spoken. It cannot be changed. */
public final class SpeechSettings {
    private static final SpeechSettings DEFAULTS = builder().build();

    private final String language;
    private final String voice;
    private final String latency;
    private final String quality;
    private final double rate;
    private final double pitch;
    private final double volume;
    private final boolean readsPauses;
    private final boolean readsEmoji;
    private final boolean readsRomanizedHindi;

    SpeechSettings(SettingsBuilder<?> builder) {
        this.language = builder.language;
        this.voice = builder.voice;
        this.latency = builder.latency;
        this.quality = builder.quality;
        this.rate = builder.rate;
        this.pitch = builder.pitch;
        this.volume = builder.volume;
        this.readsPauses = builder.readPauses;
        this.readsEmoji = builder.readEmoji;
        this.readsRomanizedHindi = builder.readRomanizedHindi;
    }

    /**
     * Settings with every value at its default.
     *
     * @return the settings
     */
    public static SpeechSettings defaults() {
        return DEFAULTS;
    }

    /**
     * Makes settings.
     *
     * @return a builder, with every value at its default
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Makes settings that differ from these.
     *
     * @return a builder, with the values of these
     */
    public Builder toBuilder() {
        return new Builder().copy(this);
    }

    /**
     * The language that the text is read in.
     *
     * @return a BCP 47 tag
     */
    public String language() {
        return language;
    }

    /**
     * Who reads it.
     *
     * @return the identifier of a voice
     */
    public String voice() {
        return voice;
    }

    /**
     * When the first sound of a stream comes.
     *
     * @return the identifier of a {@link Latency}
     */
    public String latency() {
        return latency;
    }

    /**
     * Which networks compute the speech.
     *
     * @return the identifier of a {@link Quality}
     */
    public String quality() {
        return quality;
    }

    /**
     * How fast it is read.
     *
     * @return a factor of the voice's own speed
     */
    public double rate() {
        return rate;
    }

    /**
     * How much higher than the voice's own the pitch is.
     *
     * @return semitones
     */
    public double pitch() {
        return pitch;
    }

    /**
     * How much louder than the voice's own it is.
     *
     * @return decibels
     */
    public double volume() {
        return volume;
    }

    /**
     * Whether pauses in the text are read.
     *
     * @return whether they are
     */
    public boolean readsPauses() {
        return readsPauses;
    }

    /**
     * Whether emoji are read by their names.
     *
     * @return whether they are
     */
    public boolean readsEmoji() {
        return readsEmoji;
    }

    /**
     * Whether Hindi that is typed in Latin letters is read as Hindi.
     *
     * @return whether it is
     */
    public boolean readsRomanizedHindi() {
        return readsRomanizedHindi;
    }

    /** Writes the fields between the text and the format, in the order of {@code Fields::read}. */
    void write(WireWriter writer) {
        writer.string("language", language)
                .string("voice", voice)
                .string("latency", latency)
                .string("quality", quality)
                .doubleValue(rate)
                .doubleValue(pitch)
                .doubleValue(volume)
                .flag(readsPauses)
                .flag(readsEmoji)
                .flag(readsRomanizedHindi);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof SpeechSettings)) {
            return false;
        }
        SpeechSettings that = (SpeechSettings) other;
        return language.equals(that.language)
                && voice.equals(that.voice)
                && latency.equals(that.latency)
                && quality.equals(that.quality)
                && Double.compare(rate, that.rate) == 0
                && Double.compare(pitch, that.pitch) == 0
                && Double.compare(volume, that.volume) == 0
                && readsPauses == that.readsPauses
                && readsEmoji == that.readsEmoji
                && readsRomanizedHindi == that.readsRomanizedHindi;
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                language, voice, latency, quality, rate, pitch, volume, readsPauses, readsEmoji, readsRomanizedHindi);
    }

    @Override
    public String toString() {
        return "SpeechSettings{language="
                + language
                + ", voice="
                + voice
                + ", latency="
                + latency
                + ", quality="
                + quality
                + ", rate="
                + rate
                + ", pitch="
                + pitch
                + ", volume="
                + volume
                + ", readsPauses="
                + readsPauses
                + ", readsEmoji="
                + readsEmoji
                + ", readsRomanizedHindi="
                + readsRomanizedHindi
                + "}";
    }

    /** Makes {@link SpeechSettings}. */
    public static final class Builder extends SettingsBuilder<Builder> {
        Builder() {}

        @Override
        Builder self() {
            return this;
        }

        /**
         * Makes the settings.
         *
         * @return the settings
         */
        public SpeechSettings build() {
            return new SpeechSettings(this);
        }
    }
}
