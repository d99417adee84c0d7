package io.libspeech;

/** A fault of the library. */
public final class InternalException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with a new request identifier.
     *
     * @param message the message for people
     */
    public InternalException(String message) {
        super(ErrorKind.INTERNAL, message);
    }
}
