package io.libspeech;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Where a voice bundle is, as the native library takes it. */
final class BundleSource {
    /** The system property that names the usual bundle. */
    static final String PROPERTY = "libspeech.bundle";

    /** The environment variable that names the usual bundle. */
    static final String VARIABLE = "SPEECH_BUNDLE";

    // The places of the native library's `place`.
    private static final int DEFAULT = 0;
    private static final int PATH = 1;
    private static final int MEMORY = 2;
    private static final int PART_OF_FILE = 3;
    private static final int DESCRIPTOR = 4;

    private final int place;
    private final String path;
    private final int descriptor;
    private final long offset;
    private final long length;
    private final @Nullable ByteBuffer memory;

    private BundleSource(
            int place, String path, int descriptor, long offset, long length, @Nullable ByteBuffer memory) {
        this.place = place;
        this.path = path;
        this.descriptor = descriptor;
        this.offset = offset;
        this.length = length;
        this.memory = memory;
    }

    /** A directory or a tar file. */
    static BundleSource path(String path) {
        return new BundleSource(PATH, path, 0, 0, 0, null);
    }

    /** The bytes of a tar file, which must not be changed if the buffer is a direct one. */
    static BundleSource memory(ByteBuffer tar) {
        ByteBuffer direct = tar.slice();
        if (!tar.isDirect()) {
            direct = ByteBuffer.allocateDirect(tar.remaining());
            direct.put(tar.duplicate());
            ((java.nio.Buffer) direct).flip();
        }
        return new BundleSource(MEMORY, "", 0, 0, 0, direct);
    }

    /** A tar file within another file. */
    static BundleSource partOf(String path, long offset, long length) {
        checkPart(offset, length);
        return new BundleSource(PART_OF_FILE, path, 0, offset, length, null);
    }

    /** A tar file within a file that is open. */
    static BundleSource descriptor(int descriptor, long offset, long length) {
        checkPart(offset, length);
        return new BundleSource(DESCRIPTOR, "", descriptor, offset, length, null);
    }

    private static void checkPart(long offset, long length) {
        if (offset < 0 || length < -1) {
            throw new InvalidRequestException("the offset and the length of a bundle must not be negative");
        }
    }

    /** The bundle of an engine that is told of none. What is not found here, the native library looks for. */
    static BundleSource usual() {
        String property = System.getProperty(PROPERTY, "");
        if (!property.isEmpty()) {
            return path(property);
        }
        String variable = System.getenv(VARIABLE);
        BundleSource voices = variable == null || variable.isEmpty() ? VoicesJar.find() : null;
        return voices == null ? new BundleSource(DEFAULT, "", 0, 0, 0, null) : voices;
    }

    /** The memory that goes beside what is written. */
    @Nullable ByteBuffer memory() {
        return memory;
    }

    void write(WireWriter options) {
        options.byteValue(place);
        switch (place) {
            case PATH:
                options.string("bundle", path);
                break;
            case PART_OF_FILE:
                options.string("bundle", path).longValue(offset).longValue(length);
                break;
            case DESCRIPTOR:
                options.intValue(descriptor).longValue(offset).longValue(length);
                break;
            default:
        }
    }
}
