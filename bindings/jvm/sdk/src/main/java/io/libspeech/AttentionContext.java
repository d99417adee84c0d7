package io.libspeech;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An attention context of an encoder, in frames of 80 ms. */
public final class AttentionContext {
    private final int left;
    private final int right;

    AttentionContext(int left, int right) {
        this.left = left;
        this.right = right;
    }

    /**
     * The frames before.
     *
     * @return a number of frames
     */
    public int left() {
        return left;
    }

    /**
     * The frames after, which are the lookahead.
     *
     * @return a number of frames
     */
    public int right() {
        return right;
    }

    /**
     * A context.
     *
     * @param left the frames before
     * @param right the frames after
     * @return the context
     * @throws InvalidRequestException if one of them is negative
     */
    public static AttentionContext of(int left, int right) {
        return new AttentionContext(
                Checks.inRange("left", left, 0, Integer.MAX_VALUE),
                Checks.inRange("right", right, 0, Integer.MAX_VALUE));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof AttentionContext)) {
            return false;
        }
        AttentionContext that = (AttentionContext) other;
        return left == that.left
                && right == that.right;
    }

    @Override
    public int hashCode() {
        return Objects.hash(left, right);
    }

    @Override
    public String toString() {
        return "AttentionContext{left=" + left
                + ", right=" + right
                + "}";
    }
}
