package io.libspeech.service;

import io.libspeech.ErrorKind;
import io.libspeech.SpeechException;

/** For services: no such resource. */
public final class NotFoundException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with a new request identifier.
     *
     * @param message the message for people
     */
    public NotFoundException(String message) {
        super(ErrorKind.NOT_FOUND, message);
    }
}
