package io.libspeech;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Cuts a text that arrives in pieces, such as the tokens of a language model, into sentences to speak.
 *
 * <p>However the text is cut into pieces, the sentences are the same. Each makes a request. Threads take turns. There is nothing to
 * close.
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
     * @return the sentences that are now decided; the list cannot be changed
     * @throws InvalidRequestException for a piece with a NUL character or with half a surrogate pair other than one that the next
     *     piece completes: then nothing is taken
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
     * @return the sentences that are left; the list cannot be changed
     * @throws InvalidRequestException if half a surrogate pair is at the end of the text. The text has not ended then, but the half is
     *     discarded: call this again for the sentences that are left
     */
    public List<Segment> finish() {
        joiner.finish();
        return new Call("finish_segmenter", this, handle).run().list("sentences", Segment::new);
    }
}
