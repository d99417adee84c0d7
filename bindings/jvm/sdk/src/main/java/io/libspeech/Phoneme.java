package io.libspeech;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The timestamps of a phoneme. In a stream it belongs to the chunk in which it begins. */
public final class Phoneme extends Timed {
    private final String ipa;
    private final Span span;

    Phoneme(Fields fields) {
        super(fields);
        this.ipa = fields.string("ipa");
        this.span = fields.object("span").span();
    }

    /**
     * The phoneme in IPA, with the stress mark before a stressed vowel.
     *
     * @return IPA symbols
     */
    public String ipa() {
        return ipa;
    }

    /**
     * The span of its word in the text.
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
