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
     * @param owners the Java objects whose handles the call names. An argument cannot be garbage
     *     collected, so no handle is freed before the call returns
     * @param call the call in JSON
     * @param memory a direct buffer that the call reads
     * @param completion receives the answer of an asynchronous call
     * @return the answer; null if the virtual machine has no memory for it
     */
    native byte @Nullable [] call(
            @Nullable Object owners, byte[] call, @Nullable ByteBuffer memory, @Nullable Completion<?> completion);

    /** Checks a request in JSON, as a service receives it, and returns an answer with its fields. */
    native byte @Nullable [] parseRequest(byte[] json);
}
