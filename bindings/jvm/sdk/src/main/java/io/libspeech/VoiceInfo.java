package io.libspeech;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A voice. */
public final class VoiceInfo extends Value {
    private final String id;
    private final String name;

    VoiceInfo(Fields fields) {
        this.id = fields.string("id");
        this.name = fields.string("name");
    }

    /**
     * The identifier used in requests.
     *
     * @return the identifier, such as {@code aria}
     */
    public String id() {
        return id;
    }

    /**
     * The display name.
     *
     * @return the name, such as {@code Aria}
     */
    public String name() {
        return name;
    }

    @Override
    Map<String, @Nullable Object> fields() {
        return Json.object("id", id, "name", name);
    }
}
