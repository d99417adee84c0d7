package io.libspeech;

import java.util.List;

/**
 * Speech a sentence at a time: the first can be played while the next is computed.
 *
 * <pre>{@code
 * try (SpeechStream stream = engine.stream("First this. Then that.")) {
 *     for (SpeechChunk chunk : stream) {
 *         play(chunk.toShortArray());
 *     }
 * }
 * }</pre>
 */
public final class SpeechStream extends ChunkStream {
    private final int characters;
    private final int sentences;
    private final List<Diagnostic> diagnostics;

    private SpeechStream(
            String requestId, int characters, int sentences, List<Diagnostic> diagnostics, long stream) {
        super(requestId, stream);
        this.characters = characters;
        this.sentences = sentences;
        this.diagnostics = diagnostics;
    }

    static SpeechStream of(WireReader fields) {
        String requestId = fields.string();
        int characters = fields.intValue();
        int sentences = fields.intValue();
        List<Diagnostic> diagnostics = fields.list(Diagnostic::new);
        return new SpeechStream(requestId, characters, sentences, diagnostics, fields.longValue());
    }

    /**
     * The metered quantity: the characters (Unicode scalar values) of the text as it was given.
     *
     * @return a number of characters
     */
    public int characters() {
        return characters;
    }

    /**
     * The number of sentences of the text.
     *
     * @return 1 or more; 1 if there is nothing to say
     */
    public int sentences() {
        return sentences;
    }

    /**
     * Notes on how the whole text is read: what is not spoken.
     *
     * @return a list that cannot be changed
     */
    public List<Diagnostic> diagnostics() {
        return diagnostics;
    }
}
