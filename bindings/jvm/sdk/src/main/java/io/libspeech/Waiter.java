package io.libspeech;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the end of a call. The thread can be interrupted. A virtual thread does not pin its
 * carrier meanwhile.
 *
 * @param <T> the type of the result
 */
final class Waiter<T extends @Nullable Object> implements SpeechCallback<T> {
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable T result;
    private @Nullable SpeechException error;

    @Override
    public void onResult(T result) {
        this.result = result;
        ended.countDown();
    }

    @Override
    public void onError(SpeechException error) {
        this.error = error;
        ended.countDown();
    }

    /**
     * Returns the result of a call. If the thread is interrupted, its interrupt status is set and
     * the call is cancelled; a call that has already ended is not affected.
     *
     * @throws SpeechException if the call has failed; a {@link CancelledException} if it was
     *     cancelled
     */
    T await(SpeechCall call) {
        boolean interrupted = false;
        while (true) {
            try {
                ended.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
                call.cancel();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (error != null) {
            // The stack trace of the computing thread does not help.
            error.fillInStackTrace();
            throw error;
        }
        return result();
    }

    @SuppressWarnings("NullAway") // `onResult` received it.
    private T result() {
        return result;
    }
}
