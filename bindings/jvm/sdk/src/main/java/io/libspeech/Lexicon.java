package io.libspeech;

import java.util.Objects;

/**
 * Words and their readings: immutable, and shared by any number of requests and threads. There is
 * nothing to close.
 *
 * <pre>{@code
 * Lexicon names = Lexicon.parse("Siobhan\t/ʃɪˈvɔːn/\nkubectl\tcube control\n");
 * engine.synthesize("Siobhan runs kubectl.", SpeechOptions.builder().lexicon(names).build());
 * }</pre>
 */
public final class Lexicon {
    private final Handle handle;
    private final int size;

    private Lexicon(Fields fields) {
        this.handle = Handle.of(this, fields);
        this.size = fields.intValue("size");
    }

    /**
     * Reads a lexicon of at most 5,000 entries, one per line, the words and their reading separated
     * by a tab. Empty lines and lines that begin with {@code #} are comments; of two entries for
     * the same words the later one counts.
     *
     * @param text the lines
     * @return the lexicon
     * @throws InvalidRequestException for an invalid entry; the message names the line
     */
    public static Lexicon parse(String text) {
        return new Lexicon(new Call("parse_lexicon").put("text", Objects.requireNonNull(text, "text")).run());
    }

    /**
     * Reads a lexicon in the Pronunciation Lexicon Specification 1.0. It applies to texts in the
     * language of its {@code xml:lang}, and has at most 5,000 graphemes, with phonemes in the
     * alphabet {@code ipa} or {@code cmu-arpabet}.
     *
     * @param document the document
     * @return the lexicon
     * @throws InvalidRequestException for unsupported content; the message names its line and
     *     column
     */
    public static Lexicon fromPls(String document) {
        Objects.requireNonNull(document, "document");
        return new Lexicon(new Call("parse_pls").put("document", document).run());
    }

    /**
     * The number of entries.
     *
     * @return a number of entries
     */
    public int size() {
        return size;
    }

    /** The handle of the native library's lexicon. */
    long number() {
        return handle.number();
    }

    /** Describes the lexicon without its entries, which must not reach a log. */
    @Override
    public String toString() {
        return "Lexicon{size=" + size + "}";
    }
}
