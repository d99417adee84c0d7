package io.libspeech;

/**
 * The encoding of the samples in bytes and files. Every encoding is made from the same 16-bit
 * samples.
 */
public enum Encoding {
    /** A 16-bit integer, little-endian; the default. */
    PCM16("pcm16"),
    /** A 32-bit float from -1 to 1, little-endian. */
    FLOAT32("float32"),
    /**
     * 8-bit mu-law (ITU-T G.711), used by telephones in North America and Japan. Each sample is
     * rounded to the nearest code.
     */
    MULAW("mulaw"),
    /**
     * 8-bit A-law (ITU-T G.711), used by telephones elsewhere. Each sample is rounded to the
     * nearest code.
     */
    ALAW("alaw");

    private final String id;

    Encoding(String id) {
        this.id = id;
    }

    /** The encoding with this name. */
    static Encoding of(String id) {
        for (Encoding encoding : values()) {
            if (encoding.id.equals(id)) {
                return encoding;
            }
        }
        throw new IllegalArgumentException("no encoding " + id);
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
