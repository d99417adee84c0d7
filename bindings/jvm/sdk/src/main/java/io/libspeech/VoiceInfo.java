package io.libspeech;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A voice. */
public final class VoiceInfo {
    private final String id;
    private final String name;

    VoiceInfo(WireReader reader) {
        this.id = reader.string();
        this.name = reader.string();
    }

    /**
     * What requests name.
     *
     * @return the identifier, such as {@code aria}
     */
    public String id() {
        return id;
    }

    /**
     * The name for people.
     *
     * @return the name, such as {@code Aria}
     */
    public String name() {
        return name;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof VoiceInfo)) {
            return false;
        }
        VoiceInfo that = (VoiceInfo) other;
        return id.equals(that.id)
                && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, name);
    }

    @Override
    public String toString() {
        return "VoiceInfo{id=" + id
                + ", name=" + name
                + "}";
    }
}
