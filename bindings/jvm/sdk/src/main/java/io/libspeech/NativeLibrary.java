package io.libspeech;

import java.io.File;
import org.jspecify.annotations.Nullable;

/**
 * Loads the native library: the file named by the system property {@code libspeech.library}; on
 * Android, the one in the package; otherwise the one in the jar for this platform, which is first
 * written to a file.
 */
final class NativeLibrary {
    /** The system property with the path of the library. */
    static final String PROPERTY = "libspeech.library";

    /** The name of the library, without the system's prefix and suffix. */
    static final String NAME = "speech_jvm";

    private static volatile boolean loaded;
    private static @Nullable String failure;

    private NativeLibrary() {}

    /**
     * Loads the library, unless it is loaded already.
     *
     * @throws UnsatisfiedLinkError if loading fails, each time with the same reason
     */
    static void require() {
        if (!loaded) {
            load();
        }
    }

    private static synchronized void load() {
        if (loaded) {
            return;
        }
        if (failure != null) {
            throw new UnsatisfiedLinkError(failure);
        }
        try {
            loadFound();
            loaded = true;
        } catch (UnsatisfiedLinkError error) {
            failure = error.getMessage();
            throw error;
        }
    }

    /** Whether this is Android. */
    static boolean isAndroid() {
        return "The Android Project".equals(System.getProperty("java.vendor"));
    }

    private static void loadFound() {
        String file = System.getProperty(PROPERTY, "");
        if (!file.isEmpty()) {
            System.load(new File(file).getAbsolutePath());
        } else if (isAndroid()) {
            System.loadLibrary(NAME);
        } else {
            ExtractedLibrary.load(Platform.current());
        }
    }
}
