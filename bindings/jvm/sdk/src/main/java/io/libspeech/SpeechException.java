package io.libspeech;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The exception of every function of the library, with a subclass for each {@link ErrorKind}. The
 * subclasses in {@link io.libspeech.service} are for services built on the library, which never
 * throws them itself. No message contains the whole text of the request.
 *
 * <pre>{@code
 * try {
 *     engine.synthesize("");
 * } catch (EmptyTextException e) {
 *     System.err.println(e.getMessage()); // text is empty
 * }
 * }</pre>
 */
public abstract class SpeechException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The kind of error. */
    private final ErrorKind kind;

    /** The identifier of the failed request. */
    private String requestId = UUID.randomUUID().toString();

    /** The exact cause; null if the kind is exact enough. */
    private @Nullable String detail;

    /** The file at fault; null if there is none. */
    private @Nullable String path;

    /** Advice for the user, as a key; null if there is none. */
    private @Nullable String advice;

    /**
     * Creates an exception of a kind, with a new request identifier.
     *
     * @param kind the kind of error
     * @param message the message for people
     */
    protected SpeechException(ErrorKind kind, String message) {
        super(Objects.requireNonNull(message, "message"));
        this.kind = kind;
    }

    /** Sets the fields that an error of the library has besides its message. */
    final void describe(
            String requestId, @Nullable String detail, @Nullable String path, @Nullable String advice) {
        this.requestId = requestId;
        this.detail = detail;
        this.path = path;
        this.advice = advice;
    }

    /**
     * The kind of error.
     *
     * @return the kind
     */
    public final ErrorKind kind() {
        return kind;
    }

    /**
     * The identifier of the failed request.
     *
     * @return a UUID
     */
    public final String requestId() {
        return requestId;
    }

    /**
     * Whether the same request may succeed later.
     *
     * @return whether it may
     */
    public final boolean isRetryable() {
        return kind.isRetryable();
    }

    /**
     * The HTTP status of a service's response.
     *
     * @return the status; null for an error that never reaches a client
     */
    public final @Nullable Integer httpStatus() {
        return kind.httpStatus();
    }

    /**
     * The exact cause, such as {@code bundle_not_found}, {@code file_missing},
     * {@code file_damaged}, {@code file_unreadable}, {@code bundle_too_old},
     * {@code bundle_too_new}, {@code incompatible_model}, {@code unsupported_backend},
     * {@code latency_needs_stream} or {@code quality_not_in_bundle}.
     *
     * @return the name; null if the kind is exact enough
     */
    public final @Nullable String detail() {
        return detail;
    }

    /**
     * The file at fault.
     *
     * @return its path; null if there is none
     */
    public final @Nullable String path() {
        return path;
    }

    /**
     * Advice for the user, as a key that the application replaces by its own words: {@code
     * install_voices}, {@code check_bundle_path}, {@code reinstall_voices}, {@code update_voices},
     * {@code update_library}, {@code split_text} or {@code use_stream}.
     *
     * @return the key; null if there is none
     */
    public final @Nullable String advice() {
        return advice;
    }

    /**
     * The error as JSON, for a service's response: {@code {"error": {"type": ..., "message": ...,
     * "request_id": ...}}}.
     *
     * @return a JSON object
     */
    public final String toJson() {
        StringBuilder json = new StringBuilder("{\"error\":{\"type\":");
        Json.quote(json, kind.id());
        Json.quote(json.append(",\"message\":"), String.valueOf(getMessage()));
        Json.quote(json.append(",\"request_id\":"), requestId);
        return json.append("}}").toString();
    }
}
