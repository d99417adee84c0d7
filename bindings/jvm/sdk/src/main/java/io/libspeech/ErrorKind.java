package io.libspeech;

import io.libspeech.service.MethodNotAllowedException;
import io.libspeech.service.NotFoundException;
import io.libspeech.service.OverloadedException;
import io.libspeech.service.RequestTooLargeException;
import io.libspeech.service.UnauthorizedException;
import io.libspeech.service.UnsupportedMediaTypeException;
import org.jspecify.annotations.Nullable;

/**
 * The kind of an error, for programs to act on. Each kind has its own type of {@link
 * SpeechException}.
 */
public enum ErrorKind {
    /** The text is empty or only whitespace. */
    EMPTY_TEXT("empty_text", 400, false),
    /** The text exceeds {@link Speech#MAX_CHARACTERS}. */
    TEXT_TOO_LONG("text_too_long", 400, false),
    /** An unsupported language, voice or option, or a malformed request. */
    INVALID_REQUEST("invalid_request", 400, false),
    /** A latency tier that is unknown, or not available here. */
    INVALID_TIER("invalid_tier", 400, false),
    /** For services: a missing or wrong key. */
    UNAUTHORIZED("unauthorized", 401, false),
    /** For services: no such resource. */
    NOT_FOUND("not_found", 404, false),
    /** For services: the resource does not support the method. */
    METHOD_NOT_ALLOWED("method_not_allowed", 405, false),
    /** For services: the request exceeds the limit. */
    REQUEST_TOO_LARGE("request_too_large", 413, false),
    /** For services: the media type of the request is not supported. */
    UNSUPPORTED_MEDIA_TYPE("unsupported_media_type", 415, false),
    /** For services: the service is overloaded; try again later. */
    OVERLOADED("overloaded", 503, true),
    /** The voices are missing, damaged or of another version. */
    MODEL_ERROR("model_error", 500, false),
    /** A fault of the library. */
    INTERNAL("internal", 500, false),
    /** The synthesis was cancelled. */
    CANCELLED("cancelled", 0, false);

    private final String id;
    private final int httpStatus;
    private final boolean retryable;

    ErrorKind(String id, int httpStatus, boolean retryable) {
        this.id = id;
        this.httpStatus = httpStatus;
        this.retryable = retryable;
    }

    /**
     * The machine-readable name, such as {@code text_too_long}, the same in every language binding.
     *
     * @return the name
     */
    public String id() {
        return id;
    }

    /**
     * The HTTP status of a service's response.
     *
     * @return the status; null for {@link #CANCELLED}, which never reaches a client
     */
    public @Nullable Integer httpStatus() {
        return httpStatus == 0 ? null : Integer.valueOf(httpStatus);
    }

    /**
     * Whether the same request may succeed later.
     *
     * @return whether it may
     */
    public boolean isRetryable() {
        return retryable;
    }

    /** The kind with this name. An unknown name, from a newer library, is an internal error. */
    static ErrorKind of(String id) {
        for (ErrorKind kind : values()) {
            if (kind.id.equals(id)) {
                return kind;
            }
        }
        return INTERNAL;
    }

    /** An exception of the type for this kind. */
    SpeechException exception(String message) {
        switch (this) {
            case EMPTY_TEXT:
                return new EmptyTextException(message);
            case TEXT_TOO_LONG:
                return new TextTooLongException(message);
            case INVALID_REQUEST:
                return new InvalidRequestException(message);
            case INVALID_TIER:
                return new InvalidTierException(message);
            case UNAUTHORIZED:
                return new UnauthorizedException(message);
            case NOT_FOUND:
                return new NotFoundException(message);
            case METHOD_NOT_ALLOWED:
                return new MethodNotAllowedException(message);
            case REQUEST_TOO_LARGE:
                return new RequestTooLargeException(message);
            case UNSUPPORTED_MEDIA_TYPE:
                return new UnsupportedMediaTypeException(message);
            case OVERLOADED:
                return new OverloadedException(message);
            case MODEL_ERROR:
                return new ModelException(message);
            case CANCELLED:
                return new CancelledException(message);
            default:
                return new InternalException(message);
        }
    }
}
