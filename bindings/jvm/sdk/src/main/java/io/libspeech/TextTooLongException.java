package io.libspeech;

/**
 * The text is over the limit of {@link Speech#MAX_CHARACTERS}: {@link Speech#splitText(String)} cuts it, and
 * {@link SpeechEngine#streamLong(String)} speaks it.
 */
public final class TextTooLongException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * An exception under a request identifier of its own.
     *
     * @param message the message for people
     */
    public TextTooLongException(String message) {
        super(ErrorKind.TEXT_TOO_LONG, message);
    }
}
