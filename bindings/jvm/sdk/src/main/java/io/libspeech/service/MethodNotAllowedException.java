package io.libspeech.service;

import io.libspeech.ErrorKind;
import io.libspeech.SpeechException;

/** For services: the resource does not answer to this method. */
public final class MethodNotAllowedException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * An exception under a request identifier of its own.
     *
     * @param message the message for people
     */
    public MethodNotAllowedException(String message) {
        super(ErrorKind.METHOD_NOT_ALLOWED, message);
    }
}
