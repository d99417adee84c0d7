package io.libspeech;

import java.util.List;

/** The voices, the languages, and the limits that hold for all. */
public final class VoiceListing {
    private final List<String> languages;
    private final List<VoiceInfo> voices;
    private final String defaultVoice;
    private final int sampleRate;
    private final int maxCharacters;
    private final String json;
    private final String version;

    private VoiceListing(WireReader reader) {
        this.languages = reader.list(WireReader::string);
        this.voices = reader.list(VoiceInfo::new);
        this.defaultVoice = reader.string();
        this.sampleRate = reader.intValue();
        this.maxCharacters = reader.intValue();
        this.json = reader.string();
        this.version = reader.string();
    }

    static VoiceListing load() {
        return new VoiceListing(Answer.read(Native.get().voices()));
    }

    /** The version of the native library. */
    String version() {
        return version;
    }

    /**
     * The languages.
     *
     * @return BCP 47 tags, such as {@code en-US}; the list cannot be changed
     */
    public List<String> languages() {
        return languages;
    }

    /**
     * The voices.
     *
     * @return a list that cannot be changed
     */
    public List<VoiceInfo> voices() {
        return voices;
    }

    /**
     * The voice of a request that names none.
     *
     * @return its identifier
     */
    public String defaultVoice() {
        return defaultVoice;
    }

    /**
     * Samples a second of all audio.
     *
     * @return hertz
     */
    public int sampleRate() {
        return sampleRate;
    }

    /**
     * The longest text of one request.
     *
     * @return a number of characters
     */
    public int maxCharacters() {
        return maxCharacters;
    }

    /**
     * The listing as a service sends it, with the names of the contract.
     *
     * @return a JSON object
     */
    public String toJson() {
        return json;
    }

    @Override
    public String toString() {
        return json;
    }
}
