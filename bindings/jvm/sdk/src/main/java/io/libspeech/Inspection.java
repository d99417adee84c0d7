package io.libspeech;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reading of a text, from an {@link Inspector}. */
public final class Inspection extends Value {
    private final List<Sentence> sentences;

    Inspection(Fields fields) {
        this.sentences = fields.list("sentences", Sentence::new);
    }

    /**
     * The sentences of the text, in order.
     *
     * @return an immutable list
     */
    public List<Sentence> sentences() {
        return sentences;
    }

    @Override
    Map<String, @Nullable Object> fields() {
        return Json.object("sentences", sentences);
    }

    /** The reading of a sentence. */
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
         * Its span in the text.
         *
         * @return the span
         */
        public Span span() {
            return span;
        }

        /**
         * The sentence as written in the text.
         *
         * @return the sentence
         */
        public String text() {
            return text;
        }

        /**
         * The spoken words.
         *
         * @return the words, separated by spaces
         */
        public String normalized() {
            return normalized;
        }

        /**
         * The phonemes in Kokoro's alphabet.
         *
         * @return the symbols
         */
        public String phonemes() {
            return phonemes;
        }

        /**
         * The words.
         *
         * @return an immutable list
         */
        public List<Word> words() {
            return words;
        }

        /**
         * The places with several possible readings.
         *
         * @return an immutable list
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

    /** The reading of a word. */
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
         * The span of its source in the text.
         *
         * @return the span
         */
        public Span span() {
            return span;
        }

        /**
         * Its source in the text. Several words share it if a number or symbol is read as several
         * words.
         *
         * @return the source
         */
        public String source() {
            return source;
        }

        /**
         * The spoken word.
         *
         * @return the word
         */
        public String normalized() {
            return normalized;
        }

        /**
         * The word in the script of its language, if it was written in another.
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

    /**
     * A place with several possible readings, such as {@code 1/4} as a fraction or a date, and the
     * reading chosen.
     */
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
         * Its span in the text.
         *
         * @return the span
         */
        public Span span() {
            return span;
        }

        /**
         * Its source in the text.
         *
         * @return the source
         */
        public String source() {
            return source;
        }

        /**
         * The chosen reading.
         *
         * @return the reading
         */
        public Reading taken() {
            return taken;
        }

        /**
         * The other readings, the likeliest first.
         *
         * @return an immutable list
         */
        public List<Reading> refused() {
            return refused;
        }

        @Override
        Map<String, @Nullable Object> fields() {
            return Json.object("span", span, "source", source, "taken", taken, "refused", refused);
        }
    }

    /** A possible reading of a place. */
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
         * The kind of the reading, such as {@code date}, {@code fraction} or {@code digits}.
         *
         * @return the name of the kind
         */
        public String kind() {
            return kind;
        }

        /**
         * The spoken words.
         *
         * @return the words
         */
        public String said() {
            return said;
        }

        /**
         * The score, higher for likelier readings: a difference of 1 means odds of e to 1.
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
