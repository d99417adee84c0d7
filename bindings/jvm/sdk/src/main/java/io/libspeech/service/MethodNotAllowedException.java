package io.libspeech.service;

import io.libspeech.ErrorKind;
import io.libspeech.SpeechException;

/** For services: the resource does not support the method. */
public final class MethodNotAllowedException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with a new request identifier.
     *
     * @param message the message for people
     */
    public MethodNotAllowedException(String message) {
        super(ErrorKind.METHOD_NOT_ALLOWED, message);
    }
}
