package io.libspeech;

import java.net.URL;
import org.jspecify.annotations.Nullable;

/** Finds files in jars: the native libraries and the voices. */
final class Resources {
    private Resources() {}

    /**
     * Returns a file; null if no jar has it. Searches beside this class, and in the thread's
     * context class loader.
     */
    static @Nullable URL find(String name) {
        ClassLoader own = Resources.class.getClassLoader();
        URL url = own == null ? ClassLoader.getSystemResource(name) : own.getResource(name);
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return url == null && context != null ? context.getResource(name) : url;
    }
}
