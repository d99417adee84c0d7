package io.libspeech.service;

import io.libspeech.ErrorKind;
import io.libspeech.SpeechException;

/** For services: the service is overloaded; the same request may succeed later. */
public final class OverloadedException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with a new request identifier.
     *
     * @param message the message for people
     */
    public OverloadedException(String message) {
        super(ErrorKind.OVERLOADED, message);
    }
}
