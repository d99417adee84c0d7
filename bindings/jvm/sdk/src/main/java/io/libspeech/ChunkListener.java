package io.libspeech;

/**
 * Hears the chunks of a stream as they are computed: {@link SpeechStream#subscribe}. Its methods are called one after the other, on
 * threads of the library's own. The next chunk is asked for when {@link #onChunk} has returned. What a method throws goes to the
 * thread's handler of uncaught exceptions, and ends the stream.
 */
public interface ChunkListener {
    /**
     * A chunk was computed.
     *
     * @param chunk the chunk
     */
    void onChunk(SpeechChunk chunk);

    /**
     * The stream has failed; it was the last call.
     *
     * @param error why; a {@link CancelledException} if the stream or its engine was closed
     */
    void onError(SpeechException error);

    /** There are no more chunks; it was the last call. */
    void onComplete();
}
