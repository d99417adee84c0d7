package io.libspeech;

/** What a sample is in the bytes and in the file of speech. Every encoding is made of the same 16-bit samples. */
public enum Encoding {
    /** A 16-bit integer, little-endian; the default. */
    PCM16("pcm16"),
    /** A 32-bit float from -1 to 1, little-endian. */
    FLOAT32("float32"),
    /** The nearest of the 8-bit codes of mu-law (ITU-T G.711), as telephones in North America and Japan use it. */
    MULAW("mulaw"),
    /** The nearest of the 8-bit codes of A-law (ITU-T G.711), as telephones elsewhere use it. */
    ALAW("alaw");

    private final String id;

    Encoding(String id) {
        this.id = id;
    }

    /** The encoding with a name of the library. */
    static Encoding of(String id) {
        for (Encoding encoding : values()) {
            if (encoding.id.equals(id)) {
                return encoding;
            }
        }
        throw new IllegalArgumentException("no encoding " + id);
    }

    /**
     * The name that requests use.
     *
     * @return the name
     */
    public String id() {
        return id;
    }
}
