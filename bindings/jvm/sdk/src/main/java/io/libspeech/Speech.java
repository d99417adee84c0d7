package io.libspeech;

import java.util.List;
import java.util.Objects;

/** Constants and functions common to all speech, which need no engine. */
public final class Speech {
    /** The native sample rate of every voice, in hertz. */
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
     * The voices and their common properties. Needs no voice bundle.
     *
     * @return the list of voices
     */
    public static VoiceListing voices() {
        return VoiceListing.load();
    }

    /**
     * Splits a text into parts of at most {@link #MAX_CHARACTERS} characters: {@link
     * #splitText(String, int)}.
     *
     * @param text a text of any length
     * @return the parts, in order; immutable
     * @throws InvalidRequestException for a NUL character, and for half a surrogate pair
     */
    public static List<String> splitText(String text) {
        return splitText(text, MAX_CHARACTERS);
    }

    /**
     * Splits a text into parts: after sentences if possible, else after clauses, else between
     * words, and inside a word only if the word alone exceeds the limit. White space around the
     * parts is omitted.
     *
     * @param text a text of any length
     * @param maxCharacters the maximum number of characters (Unicode scalar values) per part, 1 or
     *     more
     * @return the parts, in order; immutable
     * @throws InvalidRequestException for a NUL character, for half a surrogate pair, and for a
     *     limit under 1
     */
    public static List<String> splitText(String text, int maxCharacters) {
        Objects.requireNonNull(text, "text");
        Checks.inRange("maxCharacters", maxCharacters, 1, Integer.MAX_VALUE);
        return new Call("split_text").put("text", text).put("max_characters", maxCharacters).run().strings("parts");
    }
}
