package io.libspeech.service;

import io.libspeech.ErrorKind;
import io.libspeech.SpeechException;

/** For services: the request exceeds the limit. */
public final class RequestTooLargeException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with a new request identifier.
     *
     * @param message the message for people
     */
    public RequestTooLargeException(String message) {
        super(ErrorKind.REQUEST_TOO_LARGE, message);
    }
}
