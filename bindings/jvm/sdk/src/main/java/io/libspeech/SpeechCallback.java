package io.libspeech;

import org.jspecify.annotations.Nullable;

/**
 * Hears how a call ended: one of its methods is called, once, on a thread of the library's own. It must not block that thread for
 * long. What it throws goes to the thread's handler of uncaught exceptions.
 *
 * <p>Two functions call it before they return, on the thread of their caller: {@link SpeechCall#cancel} of an engine that is being
 * loaded, and {@link SpeechStream#next(SpeechCallback)} of a stream that is closed.
 *
 * @param <T> the type of the result
 */
public interface SpeechCallback<T extends @Nullable Object> {
    /**
     * The call has given a result.
     *
     * @param result the result
     */
    void onResult(T result);

    /**
     * The call has failed.
     *
     * @param error why; a {@link CancelledException} if it was stopped
     */
    void onError(SpeechException error);
}
