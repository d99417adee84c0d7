package io.libspeech;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The timestamps of a viseme. */
public final class Viseme extends Timed {
    private final String viseme;
    private final int azure;

    Viseme(Fields fields) {
        super(fields);
        this.viseme = fields.string("viseme");
        this.azure = fields.intValue("azure");
    }

    /**
     * The viseme, one of the 15 of OVR LipSync: {@code sil}, {@code PP}, {@code FF}, {@code TH},
     * {@code DD}, {@code kk}, {@code CH}, {@code SS}, {@code nn}, {@code RR}, {@code aa}, {@code
     * E}, {@code ih}, {@code oh} or {@code ou}.
     *
     * @return the name of the viseme
     */
    public String viseme() {
        return viseme;
    }

    /**
     * The viseme ID of Azure Speech.
     *
     * @return the ID, 0 to 21
     */
    public int azure() {
        return azure;
    }

    @Override
    Map<String, @Nullable Object> fields() {
        return Json.object("viseme", viseme, "azure", azure, "start", start(), "end", end());
    }
}
