package io.libspeech;

/** An unsupported language, voice or option, a malformed request, or the use of an engine that is closed. */
public final class InvalidRequestException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * An exception under a request identifier of its own.
     *
     * @param message the message for people
     */
    public InvalidRequestException(String message) {
        super(ErrorKind.INVALID_REQUEST, message);
    }
}
