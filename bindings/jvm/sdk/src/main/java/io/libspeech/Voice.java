package io.libspeech;

/**
 * The voices known to this version. Requests also accept identifiers, for voices known only at run
 * time.
 */
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
     * The identifier used in requests.
     *
     * @return the identifier, such as {@code aria}
     */
    public String id() {
        return id;
    }
}
