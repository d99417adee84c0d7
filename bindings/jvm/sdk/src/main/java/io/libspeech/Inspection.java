package io.libspeech;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How a text is read: what an {@link Inspector} gives. */
public final class Inspection {
    private final List<Sentence> sentences;

    Inspection(WireReader reader) {
        this.sentences = reader.list(Sentence::new);
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
    public String toString() {
        return "Inspection{sentences=" + sentences + "}";
    }

    /** How a sentence is read. */
    public static final class Sentence {
        private final Span span;
        private final String text;
        private final String normalized;
        private final String phonemes;
        private final List<Word> words;
        private final List<Choice> choices;

        Sentence(WireReader reader) {
            this.span = reader.span();
            this.text = reader.string();
            this.normalized = reader.string();
            this.phonemes = reader.string();
            this.words = reader.list(Word::new);
            this.choices = reader.list(Choice::new);
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
        public boolean equals(@Nullable Object other) {
            if (!(other instanceof Sentence)) {
                return false;
            }
            Sentence that = (Sentence) other;
            return span.equals(that.span)
                    && text.equals(that.text)
                    && normalized.equals(that.normalized)
                    && phonemes.equals(that.phonemes)
                    && words.equals(that.words)
                    && choices.equals(that.choices);
        }

        @Override
        public int hashCode() {
            return Objects.hash(span, text, normalized, phonemes, words, choices);
        }

        @Override
        public String toString() {
            return "Sentence{span=" + span
                    + ", text=" + text
                    + ", normalized=" + normalized
                    + ", phonemes=" + phonemes
                    + ", words=" + words
                    + ", choices=" + choices
                    + "}";
        }
    }

    /** How a word is read. */
    public static final class Word {
        private final Span span;
        private final String source;
        private final String normalized;
        private final @Nullable String inOwnScript;
        private final String phonemes;

        Word(WireReader reader) {
            this.span = reader.span();
            this.source = reader.string();
            this.normalized = reader.string();
            this.inOwnScript = reader.optionalString();
            this.phonemes = reader.string();
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
        public boolean equals(@Nullable Object other) {
            if (!(other instanceof Word)) {
                return false;
            }
            Word that = (Word) other;
            return span.equals(that.span)
                    && source.equals(that.source)
                    && normalized.equals(that.normalized)
                    && Objects.equals(inOwnScript, that.inOwnScript)
                    && phonemes.equals(that.phonemes);
        }

        @Override
        public int hashCode() {
            return Objects.hash(span, source, normalized, inOwnScript, phonemes);
        }

        @Override
        public String toString() {
            return "Word{span=" + span
                    + ", source=" + source
                    + ", normalized=" + normalized
                    + ", inOwnScript=" + inOwnScript
                    + ", phonemes=" + phonemes
                    + "}";
        }
    }

    /** A place that could be read in several ways, {@code 1/4} as a fraction or a date, and how the choice fell. */
    public static final class Choice {
        private final Span span;
        private final String source;
        private final Reading taken;
        private final List<Reading> refused;

        Choice(WireReader reader) {
            this.span = reader.span();
            this.source = reader.string();
            this.taken = new Reading(reader);
            this.refused = reader.list(Reading::new);
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
        public boolean equals(@Nullable Object other) {
            if (!(other instanceof Choice)) {
                return false;
            }
            Choice that = (Choice) other;
            return span.equals(that.span)
                    && source.equals(that.source)
                    && taken.equals(that.taken)
                    && refused.equals(that.refused);
        }

        @Override
        public int hashCode() {
            return Objects.hash(span, source, taken, refused);
        }

        @Override
        public String toString() {
            return "Choice{span=" + span
                    + ", source=" + source
                    + ", taken=" + taken
                    + ", refused=" + refused
                    + "}";
        }
    }

    /** A way to read a place. */
    public static final class Reading {
        private final String kind;
        private final String said;
        private final double score;

        Reading(WireReader reader) {
            this.kind = reader.string();
            this.said = reader.string();
            this.score = reader.doubleValue();
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
        public boolean equals(@Nullable Object other) {
            if (!(other instanceof Reading)) {
                return false;
            }
            Reading that = (Reading) other;
            return kind.equals(that.kind)
                    && said.equals(that.said)
                    && Double.compare(score, that.score) == 0;
        }

        @Override
        public int hashCode() {
            return Objects.hash(kind, said, score);
        }

        @Override
        public String toString() {
            return "Reading{kind=" + kind
                    + ", said=" + said
                    + ", score=" + score
                    + "}";
        }
    }
}
