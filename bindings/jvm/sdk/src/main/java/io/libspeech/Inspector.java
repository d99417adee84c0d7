package io.libspeech;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Shows how and why texts are read in a certain way, without speaking them. Needs no voice bundle.
 * Thread-safe. There is nothing to close.
 *
 * <pre>{@code
 * Inspection inspection = Inspector.builder().build().inspect("I paid $5.", Language.EN_US);
 * inspection.sentences().get(0).normalized(); // I paid five dollars.
 * }</pre>
 */
public final class Inspector {
    private final Handle handle;

    Inspector(Fields fields) {
        this.handle = Handle.of(this, fields);
    }

    /**
     * Creates a builder. Its options are those of engines and of requests.
     *
     * @return a builder, with every option at its default
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the reading of a text of any length.
     *
     * @param text the text; an inline pronunciation that a request would reject is ignored
     * @param language the language of the text
     * @return the sentences
     * @throws InvalidRequestException for half a surrogate pair
     */
    public Inspection inspect(String text, Language language) {
        return inspect(text, language, false);
    }

    /**
     * Returns the reading of an SSML document. Spans refer to the document.
     *
     * @param document the document
     * @param language the language of elements without a language
     * @return the sentences
     * @throws InvalidRequestException for a document that a request would reject; its length does
     *     not matter
     */
    public Inspection inspectSsml(String document, Language language) {
        return inspect(document, language, true);
    }

    private Inspection inspect(String text, Language language, boolean ssml) {
        return new Inspection(
                new Call("inspect", this, handle)
                        .put("text", Objects.requireNonNull(text, "text"))
                        .put("language", language.tag())
                        .put("ssml", ssml)
                        .run());
    }

    /** Builds an {@link Inspector}. */
    public static final class Builder {
        private final List<List<String>> pronunciations = new ArrayList<>();
        private boolean readEmoji;
        private boolean readRomanizedHindi = true;

        Builder() {}

        /**
         * Adds one or more words and their reading, as {@link SpeechEngine.Builder#pronunciation}
         * does.
         *
         * @param words the words in the text
         * @param reading IPA between slashes, or other words
         * @return this builder
         */
        public Builder pronunciation(String words, String reading) {
            pronunciations.add(
                    Arrays.asList(Objects.requireNonNull(words, "words"), Objects.requireNonNull(reading, "reading")));
            return this;
        }

        /**
         * Whether emoji are read by name. By default they are skipped.
         *
         * @param read whether they are read
         * @return this builder
         */
        public Builder readEmoji(boolean read) {
            readEmoji = read;
            return this;
        }

        /**
         * Whether romanized Hindi is read as Hindi. By default it is.
         *
         * @param read whether it is
         * @return this builder
         */
        public Builder readRomanizedHindi(boolean read) {
            readRomanizedHindi = read;
            return this;
        }

        /**
         * Creates the inspector, which takes a moment.
         *
         * @return the inspector
         * @throws InvalidRequestException for a pronunciation that cannot be spoken
         */
        public Inspector build() {
            return new Inspector(
                    new Call("new_inspector")
                            .put("pronunciations", pronunciations)
                            .put("read_emoji", readEmoji)
                            .put("read_romanized_hindi", readRomanizedHindi)
                            .run());
        }
    }
}
