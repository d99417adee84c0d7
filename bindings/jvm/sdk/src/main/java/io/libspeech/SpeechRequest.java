package io.libspeech;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A text to speak and how to speak it. It cannot be changed, and is checked when it is used.
 *
 * <pre>{@code
 * SpeechRequest request = SpeechRequest.builder("Good morning.").voice(Voice.JOHN).rate(1.2).build();
 * }</pre>
 */
public final class SpeechRequest {
    private final String text;
    private final SpeechSettings settings;
    private final String format;
    private final boolean ssml;

    private SpeechRequest(String text, SpeechSettings settings, String format, boolean ssml) {
        this.text = text;
        this.settings = settings;
        this.format = format;
        this.ssml = ssml;
    }

    /**
     * A request with every value at its default.
     *
     * @param text 1 to 1,000 characters, none of them NUL
     * @return the request
     */
    public static SpeechRequest of(String text) {
        return of(text, SpeechSettings.defaults());
    }

    /**
     * A request with some settings.
     *
     * @param text 1 to 1,000 characters, none of them NUL
     * @param settings how the text is spoken
     * @return the request
     */
    public static SpeechRequest of(String text, SpeechSettings settings) {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(settings, "settings");
        return new SpeechRequest(text, settings, SpeechFormat.WAV.id(), false);
    }

    /**
     * Makes a request.
     *
     * @param text 1 to 1,000 characters, none of them NUL; {@link SpeechEngine#streamLong(SpeechRequest)} speaks what is longer
     * @return a builder, with every other value at its default
     */
    public static Builder builder(String text) {
        return new Builder(Objects.requireNonNull(text, "text"));
    }

    /**
     * Reads a request from the JSON that a service is sent. Fields that it does not know are ignored.
     *
     * @param json a JSON object
     * @return the request
     * @throws InvalidRequestException for malformed JSON, a missing {@code text}, a field of the wrong type or given twice, and an
     *     unsupported value
     * @throws EmptyTextException if a value is unsupported and the text is empty as well
     * @throws TextTooLongException if a value is unsupported and the text is too long as well
     */
    public static SpeechRequest fromJson(String json) {
        return fromJson(Checks.unicode("the body", json).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads a request from the JSON that a service is sent. Fields that it does not know are ignored.
     *
     * @param json a JSON object in UTF-8
     * @return the request
     * @throws InvalidRequestException for malformed JSON, invalid UTF-8, a missing {@code text}, a field of the wrong type or
     *     given twice, and an unsupported value
     * @throws EmptyTextException if a value is unsupported and the text is empty as well
     * @throws TextTooLongException if a value is unsupported and the text is too long as well
     */
    public static SpeechRequest fromJson(byte[] json) {
        Objects.requireNonNull(json, "json");
        WireReader fields = Answer.read(Native.get().parseRequest(json));
        Builder builder = builder(String.valueOf(fields.optionalString()));
        builder.language = or(fields.optionalString(), builder.language);
        builder.voice = or(fields.optionalString(), builder.voice);
        builder.latency = or(fields.optionalString(), builder.latency);
        builder.quality = or(fields.optionalString(), builder.quality);
        builder.format = or(fields.optionalString(), builder.format);
        builder.rate = number(fields, builder.rate);
        builder.pitch = number(fields, builder.pitch);
        builder.volume = number(fields, builder.volume);
        builder.readPauses = flag(fields, builder.readPauses);
        builder.readEmoji = flag(fields, builder.readEmoji);
        builder.readRomanizedHindi = flag(fields, builder.readRomanizedHindi);
        builder.ssml = flag(fields, builder.ssml);
        return builder.build();
    }

    private static String or(@Nullable String value, String fallback) {
        return value == null ? fallback : value;
    }

    private static double number(WireReader fields, double fallback) {
        boolean present = fields.flag();
        double value = fields.doubleValue();
        return present ? value : fallback;
    }

    private static boolean flag(WireReader fields, boolean fallback) {
        boolean present = fields.flag();
        boolean value = fields.flag();
        return present ? value : fallback;
    }

    /**
     * Makes a request that differs from this one.
     *
     * @return a builder, with the values of this one
     */
    public Builder toBuilder() {
        return new Builder(text).copy(settings).format(format).ssml(ssml);
    }

    /**
     * The text to speak.
     *
     * @return the text
     */
    public String text() {
        return text;
    }

    /**
     * How it is spoken.
     *
     * @return the settings
     */
    public SpeechSettings settings() {
        return settings;
    }

    /**
     * How a service delivers the speech.
     *
     * @return the identifier of a {@link SpeechFormat}
     */
    public String format() {
        return format;
    }

    /**
     * Whether the text is a document of SSML.
     *
     * @return whether it is
     */
    public boolean isSsml() {
        return ssml;
    }

    /**
     * Checks the request as an engine does.
     *
     * @throws EmptyTextException if the text is empty, or only white space
     * @throws TextTooLongException if the text is over 1,000 characters
     * @throws InvalidRequestException for an unsupported value
     */
    public void validate() {
        Answer.read(Native.get().validate(write()));
    }

    /** The request for the native library, in the order of {@code Fields::read}. */
    byte[] write() {
        WireWriter writer = new WireWriter().string("text", text);
        settings.write(writer);
        return writer.string("format", format).flag(ssml).toByteArray();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof SpeechRequest)) {
            return false;
        }
        SpeechRequest that = (SpeechRequest) other;
        return text.equals(that.text)
                && settings.equals(that.settings)
                && format.equals(that.format)
                && ssml == that.ssml;
    }

    @Override
    public int hashCode() {
        return Objects.hash(text, settings, format, ssml);
    }

    /** The request without its text, which is nobody's business in a log. */
    @Override
    public String toString() {
        return "SpeechRequest{text of "
                + text.codePointCount(0, text.length())
                + " characters, "
                + settings
                + ", format="
                + format
                + ", ssml="
                + ssml
                + "}";
    }

    /** Makes {@link SpeechRequest}s. */
    public static final class Builder extends SettingsBuilder<Builder> {
        private String text;
        private String format = SpeechFormat.WAV.id();
        private boolean ssml;

        Builder(String text) {
            this.text = text;
        }

        @Override
        Builder self() {
            return this;
        }

        /**
         * Another text.
         *
         * @param text 1 to 1,000 characters, none of them NUL
         * @return this builder
         */
        public Builder text(String text) {
            this.text = Objects.requireNonNull(text, "text");
            return this;
        }

        /**
         * All of some settings.
         *
         * @param settings how the text is spoken
         * @return this builder
         */
        public Builder settings(SpeechSettings settings) {
            return copy(Objects.requireNonNull(settings, "settings"));
        }

        /**
         * How a service delivers the speech. By default {@link SpeechFormat#WAV}.
         *
         * @param format the format
         * @return this builder
         */
        public Builder format(SpeechFormat format) {
            return format(format.id());
        }

        /**
         * How a service delivers the speech. By default {@code wav}.
         *
         * @param id {@code wav} or {@code pcm}; another one is refused when it is used
         * @return this builder
         */
        public Builder format(String id) {
            format = Objects.requireNonNull(id, "id");
            return this;
        }

        /**
         * Whether the text is a document of SSML 1.1. By default it is not.
         *
         * @param isSsml whether it is
         * @return this builder
         */
        public Builder ssml(boolean isSsml) {
            ssml = isSsml;
            return this;
        }

        /**
         * Makes the request.
         *
         * @return the request
         */
        public SpeechRequest build() {
            return new SpeechRequest(text, new SpeechSettings(this), format, ssml);
        }
    }
}
