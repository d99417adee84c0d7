package io.libspeech;

/** A call in progress. */
public interface SpeechCall {
    /**
     * Cancels the call soon, even during a computation; does not wait for that. Does nothing once
     * the call has ended.
     */
    void cancel();
}
