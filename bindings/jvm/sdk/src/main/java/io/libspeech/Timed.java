package io.libspeech;

/** A part of the audio with its timestamps. */
abstract class Timed extends Value {
    private final double start;
    private final double end;

    Timed(Fields fields) {
        this.start = fields.doubleValue("start");
        this.end = fields.doubleValue("end");
    }

    /**
     * The start, in seconds from the start of the audio; in a stream, from the start of the stream.
     *
     * @return the time in seconds
     */
    public double start() {
        return start;
    }

    /**
     * The end, in seconds from the start of the audio; in a stream, from the start of the stream.
     *
     * @return the time in seconds
     */
    public double end() {
        return end;
    }
}
