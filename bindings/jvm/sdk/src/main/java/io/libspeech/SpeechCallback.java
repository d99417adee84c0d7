package io.libspeech;

import org.jspecify.annotations.Nullable;

/**
 * Receives the result of a call: one of its methods is called, once, on one of the library's
 * threads, which it must not block for long. An exception goes to the thread's handler of uncaught
 * exceptions.
 *
 * <p>Two functions call it on the caller's thread before they return: {@link SpeechCall#cancel}
 * while an engine is loading, and {@link SpeechStream#next(SpeechCallback)} of a closed stream.
 *
 * @param <T> the type of the result
 */
public interface SpeechCallback<T extends @Nullable Object> {
    /**
     * Called with the result.
     *
     * @param result the result
     */
    void onResult(T result);

    /**
     * Called when the call has failed.
     *
     * @param error the error; a {@link CancelledException} if the call was cancelled
     */
    void onError(SpeechException error);
}
