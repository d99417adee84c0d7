package io.libspeech;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The exception of every function of the library. There is a subclass for each {@link ErrorKind}; those that the library never
 * throws, which are for services that are built on it, are in {@link io.libspeech.service}. No message has the whole text that was
 * to be spoken.
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

    /** What went wrong. */
    private final ErrorKind kind;

    /** The identifier of the request that failed. */
    private String requestId = UUID.randomUUID().toString();

    /** What exactly went wrong; null where the kind says it all. */
    private @Nullable String detail;

    /** The file that it is about; null if it is about none. */
    private @Nullable String path;

    /** The key of what the user may do about it; null if there is nothing. */
    private @Nullable String advice;

    /**
     * An exception of a kind, under a request identifier of its own.
     *
     * @param kind what went wrong
     * @param message the message for people
     */
    protected SpeechException(ErrorKind kind, String message) {
        super(Objects.requireNonNull(message, "message"));
        this.kind = kind;
    }

    /** Fills in what an error of the library has besides its message. */
    final void describe(
            String requestId, @Nullable String detail, @Nullable String path, @Nullable String advice) {
        this.requestId = requestId;
        this.detail = detail;
        this.path = path;
        this.advice = advice;
    }

    /**
     * What went wrong.
     *
     * @return the kind
     */
    public final ErrorKind kind() {
        return kind;
    }

    /**
     * The identifier of the request that failed.
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
     * The HTTP status that a service answers with.
     *
     * @return the status; null for what never reaches a client
     */
    public final @Nullable Integer httpStatus() {
        return kind.httpStatus();
    }

    /**
     * What exactly went wrong, such as {@code bundle_not_found}, {@code file_missing}, {@code file_damaged}, {@code
     * file_unreadable}, {@code bundle_too_old}, {@code bundle_too_new}, {@code incompatible_model}, {@code unsupported_backend},
     * {@code latency_needs_stream} or {@code quality_not_in_bundle}.
     *
     * @return the name; null where the kind says it all
     */
    public final @Nullable String detail() {
        return detail;
    }

    /**
     * The file that it is about.
     *
     * @return its path; null if it is about none
     */
    public final @Nullable String path() {
        return path;
    }

    /**
     * The key of what the user of an application may do about it, for which the application has its own words: {@code
     * install_voices}, {@code check_bundle_path}, {@code reinstall_voices}, {@code update_voices}, {@code update_library}, {@code
     * split_text} or {@code use_stream}.
     *
     * @return the key; null if there is nothing
     */
    public final @Nullable String advice() {
        return advice;
    }

    /**
     * The error as a service sends it: {@code {"error": {"type": ..., "message": ..., "request_id": ...}}}.
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
