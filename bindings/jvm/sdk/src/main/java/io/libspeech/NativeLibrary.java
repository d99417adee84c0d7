package io.libspeech;

import java.io.File;
import org.jspecify.annotations.Nullable;

/**
 * Loads the native library: the file that the system property {@code libspeech.library} names; on Android that of the package; else
 * the one of the jar for this platform, which is written into a file first.
 */
final class NativeLibrary {
    /** The system property that names the file of the library. */
    static final String PROPERTY = "libspeech.library";

    /** The name of the library without what a system adds to it. */
    static final String NAME = "speech_jvm";

    private static volatile boolean loaded;
    private static @Nullable String failure;

    private NativeLibrary() {}

    /**
     * Loads it, unless it is loaded.
     *
     * @throws UnsatisfiedLinkError if that is not possible, each time with the same reason
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
