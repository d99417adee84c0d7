package io.libspeech;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An attention context of an encoder, in frames of 80 ms. */
public final class AttentionContext extends Value {
    private final int left;
    private final int right;

    AttentionContext(int left, int right) {
        this.left = left;
        this.right = right;
    }

    /**
     * The number of past frames.
     *
     * @return a number of frames
     */
    public int left() {
        return left;
    }

    /**
     * The number of future frames: the lookahead.
     *
     * @return a number of frames
     */
    public int right() {
        return right;
    }

    /**
     * Creates a context.
     *
     * @param left the number of past frames
     * @param right the number of future frames
     * @return the context
     * @throws InvalidRequestException if one of them is negative
     */
    public static AttentionContext of(int left, int right) {
        return new AttentionContext(
                Checks.inRange("left", left, 0, Integer.MAX_VALUE),
                Checks.inRange("right", right, 0, Integer.MAX_VALUE));
    }

    @Override
    Map<String, @Nullable Object> fields() {
        return Json.object("left", left, "right", right);
    }
}
