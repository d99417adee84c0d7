package io.libspeech;

import java.nio.ByteBuffer;

/** A sentence of a stream, with the pause after it; with low latency the first sentence may come as three. */
public final class SpeechChunk extends SpeechSamples {
    private final Span span;

    SpeechChunk(Fields fields, ByteBuffer samples) {
        super(fields, samples);
        this.span = fields.object("span").span();
    }

    /**
     * Where the text has the sentence.
     *
     * @return its part of the text
     */
    public Span span() {
        return span;
    }

    @Override
    public String toString() {
        return "SpeechChunk{duration=" + duration() + ", span=" + span + "}";
    }
}
