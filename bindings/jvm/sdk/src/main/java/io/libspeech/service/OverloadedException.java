package io.libspeech.service;

import io.libspeech.ErrorKind;
import io.libspeech.SpeechException;

/** For services: there is too much to do; the same request may succeed later. */
public final class OverloadedException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * An exception under a request identifier of its own.
     *
     * @param message the message for people
     */
    public OverloadedException(String message) {
        super(ErrorKind.OVERLOADED, message);
    }
}
