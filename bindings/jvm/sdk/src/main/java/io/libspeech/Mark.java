package io.libspeech;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The timestamp of an SSML mark. */
public final class Mark extends Value {
    private final String name;
    private final double time;

    Mark(Fields fields) {
        this.name = fields.string("name");
        this.time = fields.doubleValue("time");
    }

    /**
     * The name of the mark.
     *
     * @return its name
     */
    public String name() {
        return name;
    }

    /**
     * The time of the mark, in seconds from the start of the audio; in a stream, from the start of
     * the stream.
     *
     * @return the time in seconds
     */
    public double time() {
        return time;
    }

    @Override
    Map<String, @Nullable Object> fields() {
        return Json.object("name", name, "time", time);
    }
}
