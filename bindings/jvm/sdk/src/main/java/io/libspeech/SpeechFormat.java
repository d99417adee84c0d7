package io.libspeech;

/** How a service delivers speech. An engine does not look at it. */
public enum SpeechFormat {
    /** One file, once the whole text is spoken; the default. */
    WAV("wav"),
    /** A stream of samples. */
    PCM("pcm");

    private final String id;

    SpeechFormat(String id) {
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
