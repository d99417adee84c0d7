package io.libspeech;

/** The latency of the first audio of a stream. */
public enum Latency {
    /** The first sentence as a whole; the default. */
    STANDARD("standard"),
    /**
     * Sooner: the first half second of a long first sentence before the rest is computed, and in
     * live text the beginning of a sentence before its end has arrived. For streams only.
     */
    LOW("low");

    private final String id;

    Latency(String id) {
        this.id = id;
    }

    /**
     * The name used in requests.
     *
     * @return the name
     */
    public String id() {
        return id;
    }
}
