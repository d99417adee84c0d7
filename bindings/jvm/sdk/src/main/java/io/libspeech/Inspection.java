package io.libspeech;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a text is read: what an {@link Inspector} gives. */
public final class Inspection extends Value {
    private final List<Sentence> sentences;

    Inspection(Fields fields) {
        this.sentences = fields.list("sentences", Sentence::new);
    }

    /**
     * The sentences of the text, in order.
     *
     * @return a list that cannot be changed
     */
    public List<Sentence> sentences() {
        return sentences;
    }

    @Override
    Map<String, @Nullable Object> fields() {
        return Json.object("sentences", sentences);
    }

    /** How a sentence is read. */
    public static final class Sentence extends Value {
        private final Span span;
        private final String text;
        private final String normalized;
        private final String phonemes;
        private final List<Word> words;
        private final List<Choice> choices;

        Sentence(Fields fields) {
            this.span = fields.span();
            this.text = fields.string("text");
            this.normalized = fields.string("normalized");
            this.phonemes = fields.string("phonemes");
            this.words = fields.list("words", Word::new);
            this.choices = fields.list("choices", Choice::new);
        }

        /**
         * Where the text has it.
         *
         * @return its part of the text
         */
        public Span span() {
            return span;
        }

        /**
         * The sentence as it stands in the text.
         *
         * @return the sentence
         */
        public String text() {
            return text;
        }

        /**
         * The words that are said.
         *
         * @return words with spaces between them
         */
        public String normalized() {
            return normalized;
        }

        /**
         * The phonemes, in Kokoro's symbols.
         *
         * @return the symbols
         */
        public String phonemes() {
            return phonemes;
        }

        /**
         * The words one by one.
         *
         * @return a list that cannot be changed
         */
        public List<Word> words() {
            return words;
        }

        /**
         * Where it could have been read in several ways.
         *
         * @return a list that cannot be changed
         */
        public List<Choice> choices() {
            return choices;
        }

        @Override
        Map<String, @Nullable Object> fields() {
            return Json.object(
                    "span", span,
                    "text", text,
                    "normalized", normalized,
                    "phonemes", phonemes,
                    "words", words,
                    "choices", choices);
        }
    }

    /** How a word is read. */
    public static final class Word extends Value {
        private final Span span;
        private final String source;
        private final String normalized;
        private final @Nullable String inOwnScript;
        private final String phonemes;

        Word(Fields fields) {
            this.span = fields.span();
            this.source = fields.string("source");
            this.normalized = fields.string("normalized");
            this.inOwnScript = fields.optionalString("in_own_script");
            this.phonemes = fields.string("phonemes");
        }

        /**
         * Where the text has what it was read from.
         *
         * @return its part of the text
         */
        public Span span() {
            return span;
        }

        /**
         * What it was read from; several words share it where a number or a symbol is read as several.
         *
         * @return a part of the text
         */
        public String source() {
            return source;
        }

        /**
         * The word that is said.
         *
         * @return the word
         */
        public String normalized() {
            return normalized;
        }

        /**
         * The word in the script of its language, if it was typed in another.
         *
         * @return the word; null if it was not
         */
        public @Nullable String inOwnScript() {
            return inOwnScript;
        }

        /**
         * Its phonemes.
         *
         * @return Kokoro's symbols
         */
        public String phonemes() {
            return phonemes;
        }

        @Override
        Map<String, @Nullable Object> fields() {
            return Json.object(
                    "span", span,
                    "source", source,
                    "normalized", normalized,
                    "inOwnScript", inOwnScript,
                    "phonemes", phonemes);
        }
    }

    /** A place that could be read in several ways, {@code 1/4} as a fraction or a date, and how the choice fell. */
    public static final class Choice extends Value {
        private final Span span;
        private final String source;
        private final Reading taken;
        private final List<Reading> refused;

        Choice(Fields fields) {
            this.span = fields.span();
            this.source = fields.string("source");
            this.taken = new Reading(fields.object("taken"));
            this.refused = fields.list("refused", Reading::new);
        }

        /**
         * Where the text has it.
         *
         * @return its part of the text
         */
        public Span span() {
            return span;
        }

        /**
         * The text of it.
         *
         * @return a part of the text
         */
        public String source() {
            return source;
        }

        /**
         * The reading that was taken.
         *
         * @return the reading
         */
        public Reading taken() {
            return taken;
        }

        /**
         * The readings that were refused, the likeliest first.
         *
         * @return a list that cannot be changed
         */
        public List<Reading> refused() {
            return refused;
        }

        @Override
        Map<String, @Nullable Object> fields() {
            return Json.object("span", span, "source", source, "taken", taken, "refused", refused);
        }
    }

    /** A way to read a place. */
    public static final class Reading extends Value {
        private final String kind;
        private final String said;
        private final double score;

        Reading(Fields fields) {
            this.kind = fields.string("kind");
            this.said = fields.string("said");
            this.score = fields.doubleValue("score");
        }

        /**
         * What the place is taken for, such as {@code date}, {@code fraction} or {@code digits}.
         *
         * @return the name of the kind
         */
        public String kind() {
            return kind;
        }

        /**
         * The words that are said for it.
         *
         * @return the words
         */
        public String said() {
            return said;
        }

        /**
         * The higher, the likelier: a difference of 1 between two readings is odds of e to 1.
         *
         * @return a logarithm
         */
        public double score() {
            return score;
        }

        @Override
        Map<String, @Nullable Object> fields() {
            return Json.object("kind", kind, "said", said, "score", score);
        }
    }
}
