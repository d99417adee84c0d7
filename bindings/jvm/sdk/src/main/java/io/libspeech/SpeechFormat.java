package io.libspeech;

/** The format in which a service returns speech. An engine ignores it. */
public enum SpeechFormat {
    /** One complete file; the default. */
    WAV("wav"),
    /** A stream of samples. */
    PCM("pcm");

    private final String id;

    SpeechFormat(String id) {
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
