package io.libspeech;

import org.jspecify.annotations.Nullable;

/** The voices are missing, damaged or of another version. {@link #detail()} and {@link #path()} say more. */
public final class ModelException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * An exception under a request identifier of its own.
     *
     * @param message the message for people
     */
    public ModelException(String message) {
        super(ErrorKind.MODEL_ERROR, message);
    }

    /**
     * An exception that says more, under a request identifier of its own.
     *
     * @param message the message for people
     * @param detail what {@link #detail()} gives
     * @param advice what {@link #advice()} gives
     */
    public ModelException(String message, @Nullable String detail, @Nullable String advice) {
        this(message);
        describe(requestId(), detail, null, advice);
    }
}
