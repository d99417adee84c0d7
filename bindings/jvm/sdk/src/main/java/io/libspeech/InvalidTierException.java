package io.libspeech;

/** A latency tier that is unknown, or not available here. */
public final class InvalidTierException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with a new request identifier.
     *
     * @param message the message for people
     */
    public InvalidTierException(String message) {
        super(ErrorKind.INVALID_TIER, message);
    }
}
