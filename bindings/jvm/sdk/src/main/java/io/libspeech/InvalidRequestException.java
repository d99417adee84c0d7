package io.libspeech;

/** An unsupported language, voice or option, a malformed request, or the use of a closed engine. */
public final class InvalidRequestException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with a new request identifier.
     *
     * @param message the message for people
     */
    public InvalidRequestException(String message) {
        super(ErrorKind.INVALID_REQUEST, message);
    }
}
