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

    private VoiceListing(Fields fields) {
        this.languages = fields.strings("languages");
        this.voices = fields.list("voices", VoiceInfo::new);
        this.defaultVoice = fields.string("default_voice");
        this.sampleRate = fields.intValue("sample_rate");
        this.maxCharacters = fields.intValue("max_characters");
        this.json = fields.string("json");
    }

    static VoiceListing load() {
        return new VoiceListing(new Call("voices").run());
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
