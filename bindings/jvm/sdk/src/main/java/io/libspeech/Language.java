package io.libspeech;

/** The supported languages. Requests also accept tags, for languages known only at run time. */
public enum Language {
    /** American English; the default. */
    EN_US("en-US"),
    /** Hindi. */
    HI_IN("hi-IN");

    private final String id;

    Language(String id) {
        this.id = id;
    }

    /**
     * The tag used in requests.
     *
     * @return a BCP 47 tag, such as {@code en-US}
     */
    public String tag() {
        return id;
    }
}
