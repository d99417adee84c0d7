package io.libspeech;

/**
 * Receives the chunks of a stream as they are computed: {@link SpeechStream#subscribe}. Its methods
 * are called one after the other, on the library's threads. The next chunk is requested when {@link
 * #onChunk} has returned. An exception of a method goes to the thread's handler of uncaught
 * exceptions, and ends the stream.
 */
public interface ChunkListener {
    /**
     * Called with each chunk.
     *
     * @param chunk the chunk
     */
    void onChunk(SpeechChunk chunk);

    /**
     * Called when the stream has failed; the last call.
     *
     * @param error the error; a {@link CancelledException} if the stream or its engine was closed
     */
    void onError(SpeechException error);

    /** Called after the last chunk; the last call. */
    void onComplete();
}
