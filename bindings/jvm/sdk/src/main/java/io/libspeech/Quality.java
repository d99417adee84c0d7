package io.libspeech;

/** Which networks compute the speech, and so how much computation it takes. {@link SpeechEngine#qualities} lists what there is. */
public enum Quality {
    /** The best of the others that the voice bundle has for the voice and the language; the default. */
    AUTO("auto"),
    /** The large networks: the reference. */
    FULL("full"),
    /** The timings and the melody of {@link #FULL} at a fraction of its cost. */
    FAST("fast"),
    /** The small networks: for phones, boards and long texts. */
    LIGHT("light");

    private final String id;

    Quality(String id) {
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
