package io.libspeech;

/** A call that is going on. */
public interface SpeechCall {
    /** Stops it soon, even inside a running computation, without waiting. Does nothing once the call has ended. */
    void cancel();
}
