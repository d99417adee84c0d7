package io.libspeech;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request as a service receives it: a text, its settings, and the format of the audio. Immutable.
 *
 * <pre>{@code
 * ServiceRequest request =
 *     ServiceRequest.fromJson("{\"text\": \"Good morning.\", \"voice\": \"john\"}");
 * engine.synthesize(request.text(), request.options());
 * }</pre>
 */
public final class ServiceRequest extends Value {
    private final String text;
    private final SpeechOptions options;
    private final String format;

    private ServiceRequest(String text, SpeechOptions options, String format) {
        this.text = Objects.requireNonNull(text, "text");
        this.options = Objects.requireNonNull(options, "options");
        this.format = format;
    }

    /**
     * Creates a request for a text.
     *
     * @param text the text, which is not checked yet
     * @param options the settings
     * @return the request, with the format {@link SpeechFormat#WAV}
     */
    public static ServiceRequest of(String text, SpeechOptions options) {
        return new ServiceRequest(text, options, SpeechFormat.WAV.id());
    }

    /**
     * Parses a request in JSON, as a service receives it. Unknown fields are ignored.
     *
     * @param json a JSON object
     * @return the request
     * @throws InvalidRequestException for malformed JSON, a missing {@code text}, a field of the
     *     wrong type or given twice, and an unsupported value
     * @throws EmptyTextException if a value is unsupported and the text is empty
     * @throws TextTooLongException if a value is unsupported and the text is too long
     */
    public static ServiceRequest fromJson(String json) {
        return fromJson(Checks.unicode("the body", json).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Parses a request in JSON, as a service receives it. Unknown fields are ignored.
     *
     * @param json a JSON object in UTF-8
     * @return the request
     * @throws InvalidRequestException for malformed JSON, invalid UTF-8, a missing {@code text}, a
     *     field of the wrong type or given twice, and an unsupported value
     * @throws EmptyTextException if a value is unsupported and the text is empty
     * @throws TextTooLongException if a value is unsupported and the text is too long
     */
    public static ServiceRequest fromJson(byte[] json) {
        Objects.requireNonNull(json, "json");
        Fields fields = Answer.read(Native.get().parseRequest(json));
        return new ServiceRequest(fields.string("text"), SpeechOptions.of(fields), fields.string("format"));
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
     * The settings of the speech.
     *
     * @return the options
     */
    public SpeechOptions options() {
        return options;
    }

    /**
     * The format in which a service returns the speech.
     *
     * @return the identifier of a {@link SpeechFormat}
     */
    public String format() {
        return format;
    }

    /**
     * Checks the request as an engine does, except for what depends on its voice bundle: the voice
     * in a language, and the quality level.
     *
     * @throws EmptyTextException if the text is empty or only whitespace
     * @throws TextTooLongException if the text exceeds 1,000 characters
     * @throws InvalidRequestException for an unsupported value
     */
    public void validate() {
        new Call("validate").put("request", json(text, options)).run();
    }

    /** A text and its options, in the form that the native library takes. */
    static Map<String, @Nullable Object> json(String text, SpeechOptions options) {
        Map<String, @Nullable Object> fields = options.fields();
        fields.put("text", Objects.requireNonNull(text, "text"));
        return Json.object("lexicons", fields.remove("lexicons"), "fields", fields);
    }

    @Override
    Map<String, @Nullable Object> fields() {
        return Json.object("text", text, "options", options, "format", format);
    }

    /** The request without its text, which does not belong in a log. */
    @Override
    public String toString() {
        int characters = text.codePointCount(0, text.length());
        return "ServiceRequest{text of " + characters + " characters, " + options + ", format=" + format + "}";
    }
}
