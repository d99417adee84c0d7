package io.libspeech;

import java.util.Objects;

/**
 * What builders of {@link SpeechSettings} and of {@link SpeechRequest} have in common. Values are checked when they are used.
 *
 * @param <B> the builder
 */
public abstract class SettingsBuilder<B extends SettingsBuilder<B>> {
    String language = Language.EN_US.tag();
    String voice = Voice.ARIA.id();
    String latency = Latency.STANDARD.id();
    String quality = Quality.AUTO.id();
    double rate = 1;
    double pitch;
    double volume;
    boolean readPauses = true;
    boolean readEmoji;
    boolean readRomanizedHindi = true;

    SettingsBuilder() {}

    abstract B self();

    /** Takes over all of some settings. */
    final B copy(SpeechSettings settings) {
        language = settings.language();
        voice = settings.voice();
        latency = settings.latency();
        quality = settings.quality();
        rate = settings.rate();
        pitch = settings.pitch();
        volume = settings.volume();
        readPauses = settings.readsPauses();
        readEmoji = settings.readsEmoji();
        readRomanizedHindi = settings.readsRomanizedHindi();
        return self();
    }

    /**
     * The language that the text is read in. By default {@link Language#EN_US}.
     *
     * @param language the language
     * @return this builder
     */
    public final B language(Language language) {
        return language(language.tag());
    }

    /**
     * The language that the text is read in. By default {@code en-US}.
     *
     * @param tag a BCP 47 tag; an unsupported one is refused when it is used
     * @return this builder
     */
    public final B language(String tag) {
        language = Objects.requireNonNull(tag, "tag");
        return self();
    }

    /**
     * Who reads it. By default {@link Voice#ARIA}.
     *
     * @param voice the voice
     * @return this builder
     */
    public final B voice(Voice voice) {
        return voice(voice.id());
    }

    /**
     * Who reads it. By default {@code aria}.
     *
     * @param id the identifier of a voice; an unsupported one is refused when it is used
     * @return this builder
     */
    public final B voice(String id) {
        voice = Objects.requireNonNull(id, "id");
        return self();
    }

    /**
     * When the first sound of a stream comes. By default {@link Latency#STANDARD}; {@code synthesize} refuses {@link
     * Latency#LOW}.
     *
     * @param latency the latency
     * @return this builder
     */
    public final B latency(Latency latency) {
        return latency(latency.id());
    }

    /**
     * When the first sound of a stream comes. By default {@code standard}.
     *
     * @param id {@code standard} or {@code low}; another one is refused when it is used
     * @return this builder
     */
    public final B latency(String id) {
        latency = Objects.requireNonNull(id, "id");
        return self();
    }

    /**
     * Which networks compute the speech. By default {@link Quality#AUTO}. {@link SpeechEngine#qualities(Voice, Language)} lists
     * what the voice bundle has; the rest is refused.
     *
     * @param quality the quality
     * @return this builder
     */
    public final B quality(Quality quality) {
        return quality(quality.id());
    }

    /**
     * Which networks compute the speech. By default {@code auto}.
     *
     * @param id {@code auto}, {@code full}, {@code fast} or {@code light}; another one is refused when it is used
     * @return this builder
     */
    public final B quality(String id) {
        quality = Objects.requireNonNull(id, "id");
        return self();
    }

    /**
     * How fast it is read. By default 1.
     *
     * @param factor a factor of the voice's own speed, 0.5 to 2
     * @return this builder
     */
    public final B rate(double factor) {
        rate = factor;
        return self();
    }

    /**
     * How much higher than the voice's own the pitch is. By default 0.
     *
     * @param semitones -6 to 6
     * @return this builder
     */
    public final B pitch(double semitones) {
        pitch = semitones;
        return self();
    }

    /**
     * How much louder than the voice's own it is. By default 0. Every sentence gets the same gain, and a limiter keeps
     * peaks from being clipped.
     *
     * @param decibels -40 to 12
     * @return this builder
     */
    public final B volume(double decibels) {
        volume = decibels;
        return self();
    }

    /**
     * Whether {@code [pause 500ms]} and {@code [pause 1.5s]} in the text are pauses. By default they are.
     *
     * @param read whether they are
     * @return this builder
     */
    public final B readPauses(boolean read) {
        readPauses = read;
        return self();
    }

    /**
     * Whether emoji are read by their names. By default they are skipped, and listed in the diagnostics.
     *
     * @param read whether they are read
     * @return this builder
     */
    public final B readEmoji(boolean read) {
        readEmoji = read;
        return self();
    }

    /**
     * Whether Hindi that is typed in Latin letters is read as Hindi. By default it is; else its words are read as English ones.
     *
     * @param read whether it is
     * @return this builder
     */
    public final B readRomanizedHindi(boolean read) {
        readRomanizedHindi = read;
        return self();
    }
}
