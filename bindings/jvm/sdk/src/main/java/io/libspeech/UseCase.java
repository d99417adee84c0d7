package io.libspeech;

/** What waits for the text of a transcription: the use case that a tier is chosen for. */
public enum UseCase {
    /** A person waits in the middle of a sentence: live captions, voice agents, interpreting. */
    MID_SENTENCE("mid_sentence"),
    /** A person waits for a whole utterance: voice search, dictation. */
    WHOLE_UTTERANCE("whole_utterance"),
    /** Nothing waits: recorded calls, archives, subtitles. */
    NOTHING_WAITS("nothing_waits"),
    /** Anything else. */
    OTHER("other");

    private final String id;

    UseCase(String id) {
        this.id = id;
    }

    /**
     * The name of the contract.
     *
     * @return the name
     */
    public String id() {
        return id;
    }
}
