package io.libspeech;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When a sound is heard. In a stream it is in the chunk in which it begins. */
public final class Phoneme extends Timed {
    private final String ipa;
    private final Span span;

    Phoneme(Fields fields) {
        super(fields);
        this.ipa = fields.string("ipa");
        this.span = fields.object("span").span();
    }

    /**
     * The sound in IPA, with the mark of stress before a vowel that has it.
     *
     * @return symbols of IPA
     */
    public String ipa() {
        return ipa;
    }

    /**
     * Where the text has its word.
     *
     * @return the span of a {@link Word}
     */
    public Span span() {
        return span;
    }

    @Override
    Map<String, @Nullable Object> fields() {
        return Json.object("ipa", ipa, "span", span, "start", start(), "end", end());
    }
}
