package io.libspeech;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Says how texts are read, and why: what an engine does before it speaks. No voice bundle is needed. Any number of threads may use
 * it. There is nothing to close.
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
     * Options of an inspector, which are those of engines and of requests.
     *
     * @return a builder, with every option at its default
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * How a text of any length is read.
     *
     * @param text the text; an inline pronunciation that a request would be refused for is left out
     * @param language the language that it is read in
     * @return its sentences
     * @throws InvalidRequestException for half a surrogate pair
     */
    public Inspection inspect(String text, Language language) {
        return inspect(text, language, false);
    }

    /**
     * How a document of SSML is read. Spans are in the document.
     *
     * @param document the document
     * @param language the language of what names none
     * @return its sentences
     * @throws InvalidRequestException for what a request would be refused for, but for the length of the document
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

    /** Makes {@link Inspector}s. */
    public static final class Builder {
        private final List<List<String>> pronunciations = new ArrayList<>();
        private boolean readEmoji;
        private boolean readRomanizedHindi = true;

        Builder() {}

        /**
         * A word, or several, and how to read them, as {@link SpeechEngine.Builder#pronunciation}.
         *
         * @param words what the text has
         * @param reading IPA between slashes, or other words
         * @return this builder
         */
        public Builder pronunciation(String words, String reading) {
            pronunciations.add(
                    Arrays.asList(Objects.requireNonNull(words, "words"), Objects.requireNonNull(reading, "reading")));
            return this;
        }

        /**
         * Whether emoji are read by their names. By default they are skipped.
         *
         * @param read whether they are read
         * @return this builder
         */
        public Builder readEmoji(boolean read) {
            readEmoji = read;
            return this;
        }

        /**
         * Whether Hindi that is typed in Latin letters is read as Hindi. By default it is.
         *
         * @param read whether it is
         * @return this builder
         */
        public Builder readRomanizedHindi(boolean read) {
            readRomanizedHindi = read;
            return this;
        }

        /**
         * Makes the inspector, which takes a moment.
         *
         * @return the inspector
         * @throws InvalidRequestException for a pronunciation that cannot be said
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
