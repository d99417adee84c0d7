package io.libspeech;

/** Joins surrogate pairs that are split between two pieces of a text. */
final class PieceJoiner {
    /** Receives text with complete characters only. */
    interface Sink {
        void take(String joined);
    }

    /** The high surrogate at the end of the last piece; its low surrogate begins the next piece. */
    private String highSurrogate = "";

    /**
     * Passes a piece to the sink, except for half a pair at its end. If the sink throws, the joiner
     * is unchanged.
     */
    synchronized void join(String piece, Sink sink) {
        String text = highSurrogate + piece;
        boolean cut = !text.isEmpty() && Character.isHighSurrogate(text.charAt(text.length() - 1));
        int end = cut ? text.length() - 1 : text.length();
        sink.take(text.substring(0, end));
        highSurrogate = text.substring(end);
    }

    /** Ends the text. */
    synchronized void finish() {
        String rest = highSurrogate;
        highSurrogate = "";
        Checks.unicode("the text", rest);
    }
}
