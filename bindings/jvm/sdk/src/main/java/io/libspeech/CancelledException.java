package io.libspeech;

/**
 * The synthesis was cancelled: by {@link SpeechCall#cancel()}, because its engine or stream was
 * closed, or because the thread was interrupted. In the last case the thread's interrupt status is
 * set.
 */
public final class CancelledException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with a new request identifier.
     *
     * @param message the message for people
     */
    public CancelledException(String message) {
        super(ErrorKind.CANCELLED, message);
    }
}
