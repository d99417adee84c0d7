package io.libspeech.service;

import io.libspeech.ErrorKind;
import io.libspeech.SpeechException;

/** For services: the request is not of a type that is read. */
public final class UnsupportedMediaTypeException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * An exception under a request identifier of its own.
     *
     * @param message the message for people
     */
    public UnsupportedMediaTypeException(String message) {
        super(ErrorKind.UNSUPPORTED_MEDIA_TYPE, message);
    }
}
