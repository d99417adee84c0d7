package io.libspeech;

/** What is heard from one moment to another. */
abstract class Timed extends Value {
    private final double start;
    private final double end;

    Timed(Fields fields) {
        this.start = fields.doubleValue("start");
        this.end = fields.doubleValue("end");
    }

    /**
     * Seconds from the start of the audio; in a stream, from the start of the stream.
     *
     * @return when it begins
     */
    public double start() {
        return start;
    }

    /**
     * Seconds from the start of the audio; in a stream, from the start of the stream.
     *
     * @return when it ends
     */
    public double end() {
        return end;
    }
}
