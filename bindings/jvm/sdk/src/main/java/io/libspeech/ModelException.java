package io.libspeech;

import org.jspecify.annotations.Nullable;

/**
 * The voices are missing, damaged or of another version. {@link #detail()} and {@link #path()} give
 * the cause.
 */
public final class ModelException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with a new request identifier.
     *
     * @param message the message for people
     */
    public ModelException(String message) {
        super(ErrorKind.MODEL_ERROR, message);
    }

    /**
     * Creates an exception with details, with a new request identifier.
     *
     * @param message the message for people
     * @param detail the result of {@link #detail()}
     * @param advice the result of {@link #advice()}
     */
    public ModelException(String message, @Nullable String detail, @Nullable String advice) {
        this(message);
        describe(requestId(), detail, null, advice);
    }
}
