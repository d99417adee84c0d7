package io.libspeech;

/**
 * The quality level: which networks compute the speech, and so how much computation it takes.
 * {@link SpeechEngine#qualities} lists the available levels.
 */
public enum Quality {
    /** The best level that the voice bundle has for the voice and the language; the default. */
    AUTO("auto"),
    /** The large networks: the reference. */
    FULL("full"),
    /** The timing and intonation of {@link #FULL} at a fraction of its cost. */
    FAST("fast"),
    /** The small networks: for phones, boards and long texts. */
    LIGHT("light");

    private final String id;

    Quality(String id) {
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
