package io.libspeech;

import java.nio.ByteBuffer;
import java.util.List;

/** The speech of a whole text. */
public final class SpeechAudio extends SpeechSamples {
    private final int characters;
    private final String requestId;
    private final List<Diagnostic> diagnostics;
    private final String kernels;
    private final String precision;
    private final double elapsed;

    SpeechAudio(Fields fields, ByteBuffer samples) {
        super(fields, samples);
        this.characters = fields.intValue("characters");
        this.requestId = fields.string("request_id");
        this.diagnostics = fields.list("diagnostics", Diagnostic::new);
        this.kernels = fields.string("kernels");
        this.precision = fields.string("precision");
        this.elapsed = fields.doubleValue("elapsed");
    }

    /**
     * The metered quantity: the number of characters (Unicode scalar values) of the text as given.
     *
     * @return a number of characters
     */
    public int characters() {
        return characters;
    }

    /**
     * The identifier of the request.
     *
     * @return a UUID
     */
    public String requestId() {
        return requestId;
    }

    /**
     * Notes on how the text was read: skipped text.
     *
     * @return an immutable list
     */
    public List<Diagnostic> diagnostics() {
        return diagnostics;
    }

    /**
     * The kernels in use.
     *
     * @return their name, such as {@code avx512}
     */
    public String kernels() {
        return kernels;
    }

    /**
     * The precision of the matrix products.
     *
     * @return {@code fp32}, {@code int16} or {@code bf16}
     */
    public String precision() {
        return precision;
    }

    /**
     * The computation time, including the wait in the queue.
     *
     * @return seconds
     */
    public double elapsed() {
        return elapsed;
    }

    @Override
    public String toString() {
        return "SpeechAudio{duration=" + duration() + ", characters=" + characters + ", requestId=" + requestId + "}";
    }
}
