package io.libspeech;

/** The voices, as this version knows them. Requests take identifiers too, for what is known at run time only. */
public enum Voice {
    /** The default. */
    ARIA("aria"),
    /** Jason. */
    JASON("jason"),
    /** John. */
    JOHN("john"),
    /** Leo. */
    LEO("leo"),
    /** Sofia. */
    SOFIA("sofia");

    private final String id;

    Voice(String id) {
        this.id = id;
    }

    /**
     * What requests name it.
     *
     * @return the identifier, such as {@code aria}
     */
    public String id() {
        return id;
    }
}
