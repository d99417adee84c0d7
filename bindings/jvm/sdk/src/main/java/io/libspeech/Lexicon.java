package io.libspeech;

import java.util.Objects;

/**
 * Words and how they are read, which any number of requests may share, in any number of threads. It does not change. There is
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
     * Reads a lexicon of at most 5,000 entries, one a line: the words and how they are read, with a tab between. Empty lines and
     * lines that begin with {@code #} are comments; of two entries for the same words the later counts.
     *
     * @param text the lines
     * @return the lexicon
     * @throws InvalidRequestException for what is no entry; the message names the line
     */
    public static Lexicon parse(String text) {
        return new Lexicon(new Call("parse_lexicon").put("text", Objects.requireNonNull(text, "text")).run());
    }

    /**
     * Reads a lexicon in the Pronunciation Lexicon Specification 1.0, for texts in the language of its {@code xml:lang}: at most
     * 5,000 graphemes, whose phonemes are in the alphabet {@code ipa} or {@code cmu-arpabet}.
     *
     * @param document the document
     * @return the lexicon
     * @throws InvalidRequestException for what is not supported; the message names its line and column
     */
    public static Lexicon fromPls(String document) {
        Objects.requireNonNull(document, "document");
        return new Lexicon(new Call("parse_pls").put("document", document).run());
    }

    /**
     * The number of its entries.
     *
     * @return a number of entries
     */
    public int size() {
        return size;
    }

    /** The number of the native library's lexicon. */
    long number() {
        return handle.number();
    }

    /** The lexicon without its entries, which are nobody's business in a log. */
    @Override
    public String toString() {
        return "Lexicon{size=" + size + "}";
    }
}
