package io.libspeech;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The native functions, private to this package. They take JSON in UTF-8, and return answers for
 * {@link Answer}.
 */
final class Native {
    private static final Native INSTANCE = new Native();

    private Native() {}

    /** Loads the library if necessary, and returns the functions. */
    static Native get() {
        NativeLibrary.require();
        return INSTANCE;
    }

    /**
     * Makes a {@link Call}.
     *
     * @param owners the Java objects that own the numbers in the call: as an argument they cannot
     *     be collected, and the numbers not be freed, before the call returns
     * @param memory a direct buffer that the call reads
     * @param completion receives the answer of a task
     */
    native byte @Nullable [] call(
            @Nullable Object owners, byte[] call, @Nullable ByteBuffer memory, @Nullable Completion<?> completion);

    /** Checks a request in JSON, as a service receives it, and returns all of its fields. */
    native byte @Nullable [] parseRequest(byte[] json);
}
