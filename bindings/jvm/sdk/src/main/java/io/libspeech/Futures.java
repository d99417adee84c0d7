package io.libspeech;

import java.util.concurrent.CompletableFuture;

/** Calls as futures. They are apart from the rest because older versions of Android have none. */
@RequiresApi(24)
final class Futures {
    private Futures() {}

    /** Starts a call that answers a callback. */
    interface Start<T> {
        SpeechCall start(SpeechCallback<T> callback);
    }

    /** The future of a call, which stops the call if it is cancelled. A call that is refused at once is one that fails. */
    static <T> CompletableFuture<T> start(Start<T> start) {
        CompletableFuture<T> future = new CompletableFuture<>();
        SpeechCallback<T> callback =
                new SpeechCallback<T>() {
                    @Override
                    public void onResult(T result) {
                        // An engine that came too late is freed by its handle.
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
