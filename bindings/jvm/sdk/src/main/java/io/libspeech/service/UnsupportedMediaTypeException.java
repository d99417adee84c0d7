package io.libspeech.service;

import io.libspeech.ErrorKind;
import io.libspeech.SpeechException;

/** For services: the media type of the request is not supported. */
public final class UnsupportedMediaTypeException extends SpeechException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with a new request identifier.
     *
     * @param message the message for people
     */
    public UnsupportedMediaTypeException(String message) {
        super(ErrorKind.UNSUPPORTED_MEDIA_TYPE, message);
    }
}
