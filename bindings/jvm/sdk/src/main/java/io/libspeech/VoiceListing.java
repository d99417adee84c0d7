package io.libspeech;

import java.util.List;

/** The voices, the languages, and the limits common to all. */
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
     * @return BCP 47 tags, such as {@code en-US}; immutable
     */
    public List<String> languages() {
        return languages;
    }

    /**
     * The voices.
     *
     * @return an immutable list
     */
    public List<VoiceInfo> voices() {
        return voices;
    }

    /**
     * The voice of a request without a voice.
     *
     * @return its identifier
     */
    public String defaultVoice() {
        return defaultVoice;
    }

    /**
     * The native sample rate of every voice.
     *
     * @return the rate in hertz
     */
    public int sampleRate() {
        return sampleRate;
    }

    /**
     * The length of the longest text of one request.
     *
     * @return a number of characters
     */
    public int maxCharacters() {
        return maxCharacters;
    }

    /**
     * The list as JSON, for a service's response.
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
