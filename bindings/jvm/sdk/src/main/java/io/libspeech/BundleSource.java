package io.libspeech;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The location of a voice bundle, in the form that the native library takes. */
final class BundleSource {
    /** The system property with the path of the default bundle. */
    static final String PROPERTY = "libspeech.bundle";

    /** The environment variable with the path of the default bundle. */
    static final String VARIABLE = "SPEECH_BUNDLE";

    /** The location: a variant of the enum {@code Bundle} of the native library. */
    final Object place;

    /** The memory, for a bundle in memory. */
    final @Nullable ByteBuffer memory;

    private BundleSource(Object place, @Nullable ByteBuffer memory) {
        this.place = place;
        this.memory = memory;
    }

    /** A directory or a tar file. */
    static BundleSource path(String path) {
        return new BundleSource(Json.object("path", path), null);
    }

    /** The bytes of a tar file. Those of a direct buffer must not change. */
    static BundleSource memory(ByteBuffer tar) {
        ByteBuffer direct = tar.slice();
        if (!tar.isDirect()) {
            direct = ByteBuffer.allocateDirect(tar.remaining());
            direct.put(tar.duplicate());
            ((java.nio.Buffer) direct).flip();
        }
        return new BundleSource("memory", direct);
    }

    /** A tar file within another file. */
    static BundleSource partOf(String path, long offset, long length) {
        return part("file", "path", path, offset, length);
    }

    /** A tar file within an open file. */
    static BundleSource descriptor(int descriptor, long offset, long length) {
        return part("descriptor", "descriptor", descriptor, offset, length);
    }

    private static BundleSource part(String place, String name, Object file, long offset, long length) {
        if (offset < 0 || length < -1) {
            throw new InvalidRequestException("the offset and the length of a bundle must not be negative");
        }
        Object part = Json.object(name, file, "offset", offset, "length", length);
        return new BundleSource(Json.object(place, part), null);
    }

    /** The default bundle. The native library continues the search if this finds none. */
    static BundleSource usual() {
        String property = System.getProperty(PROPERTY, "");
        if (!property.isEmpty()) {
            return path(property);
        }
        String variable = System.getenv(VARIABLE);
        BundleSource voices = variable == null || variable.isEmpty() ? VoicesJar.find() : null;
        return voices == null ? new BundleSource("default", null) : voices;
    }
}
