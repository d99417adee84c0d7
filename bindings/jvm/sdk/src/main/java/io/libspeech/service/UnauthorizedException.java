package io.libspeech.service;

import io.libspeech.ErrorKind;
import io.libspeech.SpeechException;

/** For services: a missing or wrong key. */
public final class UnauthorizedException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with a new request identifier.
     *
     * @param message the message for people
     */
    public UnauthorizedException(String message) {
        super(ErrorKind.UNAUTHORIZED, message);
    }
}
