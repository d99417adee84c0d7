package io.libspeech;

import java.util.concurrent.CompletableFuture;

/**
 * Converts calls to futures. They are a separate class because older versions of Android have no
 * futures.
 */
@RequiresApi(24)
final class Futures {
    private Futures() {}

    /** Starts a call that ends in a callback. */
    interface Start<T> {
        SpeechCall start(SpeechCallback<T> callback);
    }

    /**
     * Returns the future of a call. Cancelling it cancels the call. A call that is rejected at once
     * becomes a failed future.
     */
    static <T> CompletableFuture<T> start(Start<T> start) {
        CompletableFuture<T> future = new CompletableFuture<>();
        SpeechCallback<T> callback =
                new SpeechCallback<T>() {
                    @Override
                    public void onResult(T result) {
                        // If the future was cancelled, its handle frees the engine.
                        future.complete(result);
                    }

                    @Override
                    public void onError(SpeechException error) {
                        future.completeExceptionally(error);
                    }
                };
        try {
            SpeechCall call = start.start(callback);
            future.whenComplete(
                    (result, error) -> {
                        if (future.isCancelled()) {
                            call.cancel();
                        }
                    });
        } catch (SpeechException refused) {
            future.completeExceptionally(refused);
        }
        return future;
    }
}
