package io.libspeech;

/**
 * The text exceeds {@link Speech#MAX_CHARACTERS}: {@link Speech#splitText(String)} splits it, and
 * {@link SpeechEngine#streamLong(String)} speaks it.
 */
public final class TextTooLongException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with a new request identifier.
     *
     * @param message the message for people
     */
    public TextTooLongException(String message) {
        super(ErrorKind.TEXT_TOO_LONG, message);
    }
}
