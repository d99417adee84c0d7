package io.libspeech;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the end of a call. The thread can be interrupted, and if it is a virtual one it does not hold its carrier.
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
     * The result of a call. If the thread is interrupted, its interrupt status is set and the call is stopped, which has no effect on
     * one that has ended.
     *
     * @throws SpeechException if the call has failed; a {@link CancelledException} if it was stopped
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
            // The trace of the thread that computed helps nobody.
            error.fillInStackTrace();
            throw error;
        }
        return result();
    }

    @SuppressWarnings("NullAway") // It is what `onResult` was given.
    private T result() {
        return result;
    }
}
