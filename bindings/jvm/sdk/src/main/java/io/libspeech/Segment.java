package io.libspeech;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A sentence of a text that arrives in pieces. */
public final class Segment extends Value {
    private final String text;
    private final long start;
    private final long end;
    private final boolean endsParagraph;

    Segment(Fields fields) {
        this.text = fields.string("text");
        this.start = fields.longValue("start");
        this.end = fields.longValue("end");
        this.endsParagraph = fields.flag("ends_paragraph");
    }

    /**
     * The sentence, without white space around it.
     *
     * @return the sentence
     */
    public String text() {
        return text;
    }

    /**
     * Its start in all pushed text.
     *
     * @return the index of its first UTF-16 code unit
     */
    public long start() {
        return start;
    }

    /**
     * Its end in all pushed text.
     *
     * @return the index after its last UTF-16 code unit
     */
    public long end() {
        return end;
    }

    /**
     * Whether it ends a paragraph, a heading or a list item.
     *
     * @return whether one does
     */
    public boolean endsParagraph() {
        return endsParagraph;
    }

    @Override
    Map<String, @Nullable Object> fields() {
        return Json.object("text", text, "start", start, "end", end, "endsParagraph", endsParagraph);
    }
}
