package io.libspeech;

import java.net.URL;
import org.jspecify.annotations.Nullable;

/** Files that jars bring: those of the natives and of the voices. */
final class Resources {
    private Resources() {}

    /** A file; null if no jar has it. It is looked for beside this class, and where the thread has its classes from. */
    static @Nullable URL find(String name) {
        ClassLoader own = Resources.class.getClassLoader();
        URL url = own == null ? ClassLoader.getSystemResource(name) : own.getResource(name);
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return url == null && context != null ? context.getResource(name) : url;
    }
}
