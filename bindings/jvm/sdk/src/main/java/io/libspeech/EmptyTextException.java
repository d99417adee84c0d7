package io.libspeech;

/** The text is empty or only whitespace. */
public final class EmptyTextException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with a new request identifier.
     *
     * @param message the message for people
     */
    public EmptyTextException(String message) {
        super(ErrorKind.EMPTY_TEXT, message);
    }
}
