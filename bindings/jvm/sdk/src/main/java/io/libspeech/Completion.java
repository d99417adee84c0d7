package io.libspeech;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Receives the answer of a task of the native library through {@link #complete}, and passes it to a
 * callback.
 */
final class Completion<T extends @Nullable Object> {
    /** Converts an answer to the result. */
    interface Decoder<T extends @Nullable Object> {
        T decode(Fields fields, @Nullable ByteBuffer samples);
    }

    private final Decoder<T> decoder;
    private final SpeechCallback<? super T> callback;

    Completion(Decoder<T> decoder, SpeechCallback<? super T> callback) {
        this.decoder = decoder;
        this.callback = callback;
    }

    /** Called by the native library to allocate memory for the samples of its answer. */
    @SuppressWarnings("unused")
    ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes);
    }

    /** Called by the native library, once. It must not throw. */
    @SuppressWarnings("unused")
    void complete(byte @Nullable [] answer, @Nullable ByteBuffer samples) {
        try {
            T result;
            try {
                result = decoder.decode(Answer.read(answer), samples);
            } catch (SpeechException error) {
                callback.onError(error);
                return;
            } catch (RuntimeException | OutOfMemoryError failure) {
                callback.onError(internal(failure));
                return;
            }
            callback.onResult(result);
        } catch (Throwable thrown) {
            Thread thread = Thread.currentThread();
            try {
                thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
            } catch (Throwable ignored) {
                // The virtual machine also ignores exceptions of this handler.
            }
        }
    }

    private static SpeechException internal(Throwable failure) {
        SpeechException error = new InternalException("the answer of the library could not be read");
        error.initCause(failure);
        return error;
    }
}
