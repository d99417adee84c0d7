package io.libspeech;

/** The languages that can be spoken. Requests take tags too, for what is known at run time only. */
public enum Language {
    /** English as in the United States; the default. */
    EN_US("en-US"),
    /** Hindi as in India. */
    HI_IN("hi-IN");

    private final String id;

    Language(String id) {
        this.id = id;
    }

    /**
     * The tag that requests name it by.
     *
     * @return a BCP 47 tag, such as {@code en-US}
     */
    public String tag() {
        return id;
    }
}
