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
     * The result of a call. If the thread is interrupted, the call is stopped, and has ended when this throws.
     *
     * @throws SpeechException if the call has failed; a {@link CancelledException} if the thread was interrupted, whose interrupt
     *     status is set then
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
        if (interrupted) {
            throw new CancelledException("the synthesis was cancelled");
        }
        return result();
    }

    @SuppressWarnings("NullAway") // It is what `onResult` was given.
    private T result() {
        return result;
    }
}
