package io.libspeech;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request as a service is sent it: a text, how to speak it, and how to deliver the speech. It cannot be changed.
 *
 * <pre>{@code
 * ServiceRequest request = ServiceRequest.fromJson("{\"text\": \"Good morning.\", \"voice\": \"john\"}");
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
     * A request for a text.
     *
     * @param text the text, which is not checked yet
     * @param options how it is spoken
     * @return the request, with the format {@link SpeechFormat#WAV}
     */
    public static ServiceRequest of(String text, SpeechOptions options) {
        return new ServiceRequest(text, options, SpeechFormat.WAV.id());
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
    public static ServiceRequest fromJson(String json) {
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
     * How it is spoken.
     *
     * @return the options
     */
    public SpeechOptions options() {
        return options;
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
     * Checks the request as an engine does, but for what its voice bundle may lack: a voice in a language, and a quality.
     *
     * @throws EmptyTextException if the text is empty, or only white space
     * @throws TextTooLongException if the text is over 1,000 characters
     * @throws InvalidRequestException for an unsupported value
     */
    public void validate() {
        new Call("validate").put("request", json(text, options)).run();
    }

    /** A text and its options as the native library takes them. */
    static Map<String, @Nullable Object> json(String text, SpeechOptions options) {
        Map<String, @Nullable Object> fields = options.fields();
        fields.put("text", Objects.requireNonNull(text, "text"));
        return Json.object("lexicons", fields.remove("lexicons"), "fields", fields);
    }

    @Override
    Map<String, @Nullable Object> fields() {
        return Json.object("text", text, "options", options, "format", format);
    }

    /** The request without its text, which is nobody's business in a log. */
    @Override
    public String toString() {
        int characters = text.codePointCount(0, text.length());
        return "ServiceRequest{text of " + characters + " characters, " + options + ", format=" + format + "}";
    }
}
