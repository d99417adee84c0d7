package io.libspeech;

import java.nio.ByteBuffer;

/**
 * A sentence of a stream, with the pause after it. With low latency the first sentence may arrive
 * in three chunks.
 */
public final class SpeechChunk extends SpeechSamples {
    private final Span span;

    SpeechChunk(Fields fields, ByteBuffer samples) {
        super(fields, samples);
        this.span = fields.object("span").span();
    }

    /**
     * The span of the sentence in the text.
     *
     * @return the span
     */
    public Span span() {
        return span;
    }

    @Override
    public String toString() {
        return "SpeechChunk{duration=" + duration() + ", span=" + span + "}";
    }
}
