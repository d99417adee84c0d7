package io.libspeech;

/**
 * The synthesis was stopped: by {@link SpeechCall#cancel()}, by the end of its engine or stream, or because the thread was
 * interrupted, whose interrupt status is set then.
 */
public final class CancelledException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * An exception under a request identifier of its own.
     *
     * @param message the message for people
     */
    public CancelledException(String message) {
        super(ErrorKind.CANCELLED, message);
    }
}
