package io.libspeech;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the speech. Immutable. Values are checked when they are used.
 *
 * <pre>{@code
 * SpeechOptions options = SpeechOptions.builder().voice(Voice.JOHN).rate(1.2).build();
 * engine.synthesize("Good morning.", options);
 * }</pre>
 */
public final class SpeechOptions extends Value {
    private static final SpeechOptions DEFAULTS = builder().build();

    private final String language;
    private final String voice;
    private final String latency;
    private final String quality;
    private final int sampleRate;
    private final String encoding;
    private final double rate;
    private final double pitch;
    private final double volume;
    private final boolean isSsml;
    private final boolean readsPauses;
    private final boolean readsEmoji;
    private final boolean readsRomanizedHindi;
    /** Words and their readings. */
    private final List<List<String>> pronunciations;
    private final List<Lexicon> lexicons;

    SpeechOptions(Builder builder) {
        this.language = builder.language;
        this.voice = builder.voice;
        this.latency = builder.latency;
        this.quality = builder.quality;
        this.sampleRate = builder.sampleRate;
        this.encoding = builder.encoding;
        this.rate = builder.rate;
        this.pitch = builder.pitch;
        this.volume = builder.volume;
        this.isSsml = builder.ssml;
        this.readsPauses = builder.readPauses;
        this.readsEmoji = builder.readEmoji;
        this.readsRomanizedHindi = builder.readRomanizedHindi;
        this.pronunciations = Collections.unmodifiableList(new ArrayList<>(builder.pronunciations));
        this.lexicons = Collections.unmodifiableList(new ArrayList<>(builder.lexicons));
    }

    /** The options of a request in JSON. */
    static SpeechOptions of(Fields fields) {
        Builder builder = builder();
        builder.pronunciations.addAll(fields.stringLists("pronunciations"));
        return builder
                .language(fields.string("language"))
                .voice(fields.string("voice"))
                .latency(fields.string("latency"))
                .quality(fields.string("quality"))
                .sampleRate(fields.intValue("sample_rate"))
                .encoding(fields.string("encoding"))
                .rate(fields.doubleValue("rate"))
                .pitch(fields.doubleValue("pitch"))
                .volume(fields.doubleValue("volume"))
                .ssml(fields.flag("ssml"))
                .readPauses(fields.flag("read_pauses"))
                .readEmoji(fields.flag("read_emoji"))
                .readRomanizedHindi(fields.flag("read_romanized_hindi"))
                .build();
    }

    /** The fields by their JSON names. */
    @Override
    Map<String, @Nullable Object> fields() {
        return Json.object(
                "language", language,
                "voice", voice,
                "latency", latency,
                "quality", quality,
                "sample_rate", sampleRate,
                "encoding", encoding,
                "rate", rate,
                "pitch", pitch,
                "volume", volume,
                "ssml", isSsml,
                "read_pauses", readsPauses,
                "read_emoji", readsEmoji,
                "read_romanized_hindi", readsRomanizedHindi,
                "pronunciations", pronunciations,
                "lexicons", lexicons);
    }

    /** The options, with only the number of pronunciations: their words do not belong in a log. */
    @Override
    public String toString() {
        Map<String, @Nullable Object> fields = fields();
        fields.put("pronunciations", pronunciations.size());
        return "SpeechOptions" + fields;
    }

    /**
     * The default options.
     *
     * @return the options
     */
    public static SpeechOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Creates a builder.
     *
     * @return a builder, with every value at its default
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Creates a builder with the values of these options.
     *
     * @return a builder
     */
    public Builder toBuilder() {
        Builder builder = builder();
        builder.pronunciations.addAll(pronunciations);
        builder.lexicons.addAll(lexicons);
        return builder
                .language(language)
                .voice(voice)
                .latency(latency)
                .quality(quality)
                .sampleRate(sampleRate)
                .encoding(encoding)
                .rate(rate)
                .pitch(pitch)
                .volume(volume)
                .ssml(isSsml)
                .readPauses(readsPauses)
                .readEmoji(readsEmoji)
                .readRomanizedHindi(readsRomanizedHindi);
    }

    /**
     * The language of the text.
     *
     * @return a BCP 47 tag
     */
    public String language() {
        return language;
    }

    /**
     * The voice.
     *
     * @return the identifier of a voice
     */
    public String voice() {
        return voice;
    }

    /**
     * The latency of the first audio of a stream.
     *
     * @return the identifier of a {@link Latency}
     */
    public String latency() {
        return latency;
    }

    /**
     * The quality level.
     *
     * @return the identifier of a {@link Quality}
     */
    public String quality() {
        return quality;
    }

    /**
     * The sample rate.
     *
     * @return the rate in hertz
     */
    public int sampleRate() {
        return sampleRate;
    }

    /**
     * The encoding of the samples in bytes and files.
     *
     * @return the identifier of an {@link Encoding}
     */
    public String encoding() {
        return encoding;
    }

    /**
     * The speaking rate.
     *
     * @return a factor of the voice's natural rate
     */
    public double rate() {
        return rate;
    }

    /**
     * The pitch, relative to the voice's own.
     *
     * @return the difference in semitones
     */
    public double pitch() {
        return pitch;
    }

    /**
     * The volume, relative to the voice's own.
     *
     * @return the difference in decibels
     */
    public double volume() {
        return volume;
    }

    /**
     * Whether the text is an SSML document.
     *
     * @return whether it is
     */
    public boolean isSsml() {
        return isSsml;
    }

    /**
     * Whether {@code [pause 500ms]} in the text is a pause.
     *
     * @return whether they are
     */
    public boolean readsPauses() {
        return readsPauses;
    }

    /**
     * Whether emoji are read by name.
     *
     * @return whether they are
     */
    public boolean readsEmoji() {
        return readsEmoji;
    }

    /**
     * Whether romanized Hindi is read as Hindi.
     *
     * @return whether it is
     */
    public boolean readsRomanizedHindi() {
        return readsRomanizedHindi;
    }

    /**
     * The pronunciations of the request.
     *
     * @return the readings by word; immutable
     */
    public Map<String, String> pronunciations() {
        Map<String, String> readings = new LinkedHashMap<>();
        for (List<String> entry : pronunciations) {
            readings.put(entry.get(0), entry.get(1));
        }
        return Collections.unmodifiableMap(readings);
    }

    /**
     * The lexicons of the request, in the order in which they are searched.
     *
     * @return an unmodifiable list
     */
    public List<Lexicon> lexicons() {
        return lexicons;
    }

    /** Builds {@link SpeechOptions}. */
    public static final class Builder {
        private String language = Language.EN_US.tag();
        private String voice = Voice.ARIA.id();
        private String latency = Latency.STANDARD.id();
        private String quality = Quality.AUTO.id();
        private int sampleRate = Speech.SAMPLE_RATE;
        private String encoding = Encoding.PCM16.id();
        private double rate = 1;
        private double pitch;
        private double volume;
        private boolean ssml;
        private boolean readPauses = true;
        private boolean readEmoji;
        private boolean readRomanizedHindi = true;
        private final List<List<String>> pronunciations = new ArrayList<>();
        private final List<Lexicon> lexicons = new ArrayList<>();

        Builder() {}

        /**
         * The language of the text. By default {@link Language#EN_US}.
         *
         * @param language the language
         * @return this builder
         */
        public Builder language(Language language) {
            return language(language.tag());
        }

        /**
         * The language of the text. By default {@code en-US}.
         *
         * @param tag a BCP 47 tag; an unsupported one is rejected when it is used
         * @return this builder
         */
        public Builder language(String tag) {
            language = Objects.requireNonNull(tag, "tag");
            return this;
        }

        /**
         * The voice. By default {@link Voice#ARIA}.
         *
         * @param voice the voice
         * @return this builder
         */
        public Builder voice(Voice voice) {
            return voice(voice.id());
        }

        /**
         * The voice. By default {@code aria}.
         *
         * @param id the identifier of a voice; an unsupported one is rejected when it is used
         * @return this builder
         */
        public Builder voice(String id) {
            voice = Objects.requireNonNull(id, "id");
            return this;
        }

        /**
         * The latency of the first audio of a stream. By default {@link Latency#STANDARD}; {@code
         * synthesize} rejects {@link Latency#LOW}.
         *
         * @param latency the latency
         * @return this builder
         */
        public Builder latency(Latency latency) {
            return latency(latency.id());
        }

        /**
         * The latency of the first audio of a stream. By default {@code standard}.
         *
         * @param id {@code standard} or {@code low}; another one is rejected when it is used
         * @return this builder
         */
        public Builder latency(String id) {
            latency = Objects.requireNonNull(id, "id");
            return this;
        }

        /**
         * The quality level. By default {@link Quality#AUTO}. {@link SpeechEngine#qualities(Voice,
         * Language)} lists the levels of the voice bundle; others are rejected.
         *
         * @param quality the quality
         * @return this builder
         */
        public Builder quality(Quality quality) {
            return quality(quality.id());
        }

        /**
         * The quality level. By default {@code auto}.
         *
         * @param id {@code auto}, {@code full}, {@code fast} or {@code light}; another one is
         *     rejected when it is used
         * @return this builder
         */
        public Builder quality(String id) {
            quality = Objects.requireNonNull(id, "id");
            return this;
        }

        /**
         * The sample rate. By default 22050. Speech is computed at 24,000 Hz, and resampled once to
         * another rate.
         *
         * @param hertz 8000, 16000, 22050, 24000, 44100 or 48000; another one is rejected when it is
         *     used
         * @return this builder
         */
        public Builder sampleRate(int hertz) {
            sampleRate = hertz;
            return this;
        }

        /**
         * The encoding of the samples in bytes and files. By default {@link Encoding#PCM16}.
         *
         * @param encoding the encoding
         * @return this builder
         */
        public Builder encoding(Encoding encoding) {
            return encoding(encoding.id());
        }

        /**
         * The encoding of the samples in bytes and files. By default {@code pcm16}.
         *
         * @param id {@code pcm16}, {@code float32}, {@code mulaw} or {@code alaw}; another one is
         *     rejected when it is used
         * @return this builder
         */
        public Builder encoding(String id) {
            encoding = Objects.requireNonNull(id, "id");
            return this;
        }

        /**
         * The speaking rate. By default 1.
         *
         * @param factor a factor of the voice's natural rate, 0.5 to 2
         * @return this builder
         */
        public Builder rate(double factor) {
            rate = factor;
            return this;
        }

        /**
         * The pitch, relative to the voice's own. By default 0.
         *
         * @param semitones -6 to 6
         * @return this builder
         */
        public Builder pitch(double semitones) {
            pitch = semitones;
            return this;
        }

        /**
         * The volume, relative to the voice's own. By default 0. Every sentence gets the same gain,
         * and a limiter prevents clipping.
         *
         * @param decibels -40 to 12
         * @return this builder
         */
        public Builder volume(double decibels) {
            volume = decibels;
            return this;
        }

        /**
         * Whether the text is an SSML 1.1 document. By default it is not.
         *
         * @param isSsml whether it is
         * @return this builder
         */
        public Builder ssml(boolean isSsml) {
            ssml = isSsml;
            return this;
        }

        /**
         * Whether {@code [pause 500ms]} and {@code [pause 1.5s]} in the text are pauses. By default
         * they are.
         *
         * @param read whether they are
         * @return this builder
         */
        public Builder readPauses(boolean read) {
            readPauses = read;
            return this;
        }

        /**
         * Whether emoji are read by name. By default they are skipped, and listed in the
         * diagnostics.
         *
         * @param read whether they are read
         * @return this builder
         */
        public Builder readEmoji(boolean read) {
            readEmoji = read;
            return this;
        }

        /**
         * Whether romanized Hindi is read as Hindi. By default it is; otherwise its words are read
         * as English.
         *
         * @param read whether it is
         * @return this builder
         */
        public Builder readRomanizedHindi(boolean read) {
            readRomanizedHindi = read;
            return this;
        }

        /**
         * Adds one or more words and their reading in this request. They take precedence over the
         * pronunciations of the engine. A request has at most 200, of 16,384 bytes in total.
         *
         * @param words the words in the text
         * @param reading IPA between slashes, such as {@code /ʃɪˈvɔːn/}, or other words; an
         *     unspeakable one is rejected when it is used
         * @return this builder
         */
        public Builder pronunciation(String words, String reading) {
            pronunciations.add(
                    Arrays.asList(Objects.requireNonNull(words, "words"), Objects.requireNonNull(reading, "reading")));
            return this;
        }

        /**
         * Adds words and their readings, as {@link #pronunciation} does.
         *
         * @param pronunciations the readings by word
         * @return this builder
         */
        public Builder pronunciations(Map<String, String> pronunciations) {
            for (Map.Entry<String, String> entry : pronunciations.entrySet()) {
                pronunciation(entry.getKey(), entry.getValue());
            }
            return this;
        }

        /**
         * Adds a lexicon. Lexicons are searched in the order in which they were added, after the
         * pronunciations of the request and before those of the engine.
         *
         * @param lexicon words and their readings
         * @return this builder
         */
        public Builder lexicon(Lexicon lexicon) {
            lexicons.add(Objects.requireNonNull(lexicon, "lexicon"));
            return this;
        }

        /**
         * Creates the options.
         *
         * @return the options
         */
        public SpeechOptions build() {
            return new SpeechOptions(this);
        }
    }
}
