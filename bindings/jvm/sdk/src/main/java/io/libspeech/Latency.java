package io.libspeech;

/** When the first sound of a stream comes. */
public enum Latency {
    /** With the first sentence; the default. */
    STANDARD("standard"),
    /**
     * Sooner: the first half second of a long first sentence before the rest is computed, and in live text the beginning of a
     * sentence before its end has arrived. For streams only.
     */
    LOW("low");

    private final String id;

    Latency(String id) {
        this.id = id;
    }

    /**
     * The name of the contract.
     *
     * @return the name
     */
    public String id() {
        return id;
    }
}
