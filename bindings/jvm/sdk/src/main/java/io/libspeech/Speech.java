package io.libspeech;

import java.util.List;
import java.util.Objects;

/** What holds for all speech, and needs no engine. */
public final class Speech {
    /** Samples a second of all audio, in hertz. */
    public static final int SAMPLE_RATE = 22_050;

    /** The longest text of one request, in characters (Unicode scalar values). */
    public static final int MAX_CHARACTERS = 1_000;

    private Speech() {}

    /**
     * The version of the native library.
     *
     * @return a version, such as {@code 1.0.0}
     */
    public static String version() {
        return new Call("version").run().string("version");
    }

    /**
     * The voices, and what holds for all of them. No voice bundle is needed.
     *
     * @return the listing
     */
    public static VoiceListing voices() {
        return VoiceListing.load();
    }

    /**
     * Cuts a text into parts of at most {@link #MAX_CHARACTERS} characters: {@link #splitText(String, int)}.
     *
     * @param text a text of any length
     * @return the parts, in order; the list cannot be changed
     * @throws InvalidRequestException for a NUL character, and for half a surrogate pair
     */
    public static List<String> splitText(String text) {
        return splitText(text, MAX_CHARACTERS);
    }

    /**
     * Cuts a text into parts: after sentences if it can, else after clauses, else between words, and inside a word only if the word
     * alone is over the limit. White space around the parts is left out.
     *
     * @param text a text of any length
     * @param maxCharacters the most characters (Unicode scalar values) of a part, 1 or more
     * @return the parts, in order; the list cannot be changed
     * @throws InvalidRequestException for a NUL character, for half a surrogate pair, and for a limit under 1
     */
    public static List<String> splitText(String text, int maxCharacters) {
        Objects.requireNonNull(text, "text");
        Checks.inRange("maxCharacters", maxCharacters, 1, Integer.MAX_VALUE);
        return new Call("split_text").put("text", text).put("max_characters", maxCharacters).run().strings("parts");
    }
}
