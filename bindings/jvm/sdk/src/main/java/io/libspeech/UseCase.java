package io.libspeech;

/** The use of a transcript that a tier is chosen for. */
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
     * The name used in requests.
     *
     * @return the name
     */
    public String id() {
        return id;
    }
}
