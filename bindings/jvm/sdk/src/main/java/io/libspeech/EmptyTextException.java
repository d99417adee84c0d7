package io.libspeech;

/** The text is empty, or only white space. */
public final class EmptyTextException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * An exception under a request identifier of its own.
     *
     * @param message the message for people
     */
    public EmptyTextException(String message) {
        super(ErrorKind.EMPTY_TEXT, message);
    }
}
