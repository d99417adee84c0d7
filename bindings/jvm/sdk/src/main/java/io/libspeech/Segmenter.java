package io.libspeech;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Splits a text that arrives in pieces, such as the tokens of a language model, into sentences to
 * speak.
 *
 * <p>The sentences do not depend on how the text is cut into pieces. Each is a valid request.
 * Thread-safe. There is nothing to close.
 */
public final class Segmenter {
    private final Handle handle;
    private final PieceJoiner joiner = new PieceJoiner();

    /** A segmenter at the start of a text. */
    public Segmenter() {
        this.handle = Handle.of(this, new Call("new_segmenter").run());
    }

    /**
     * Takes the next piece, of any length.
     *
     * @param piece the piece
     * @return the sentences that are now decided; immutable
     * @throws InvalidRequestException for a piece with a NUL character or half a surrogate pair,
     *     unless the next piece completes the pair; the segmenter is then unchanged
     */
    public List<Segment> push(String piece) {
        Objects.requireNonNull(piece, "piece");
        List<Segment> sentences = new ArrayList<>();
        joiner.join(
                piece,
                joined -> {
                    Fields answer = new Call("segment", this, handle).put("piece", joined).run();
                    sentences.addAll(answer.list("sentences", Segment::new));
                });
        return Collections.unmodifiableList(sentences);
    }

    /**
     * Ends the text. The next piece begins another text.
     *
     * @return the remaining sentences; immutable
     * @throws InvalidRequestException if the text ends with half a surrogate pair. The half is
     *     discarded, but the text has not ended: call this again for the remaining sentences
     */
    public List<Segment> finish() {
        joiner.finish();
        return new Call("finish_segmenter", this, handle).run().list("sentences", Segment::new);
    }
}
