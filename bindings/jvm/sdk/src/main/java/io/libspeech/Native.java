package io.libspeech;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The functions of the native library, which are private to this package. They take JSON in UTF-8, and give what {@link Answer} reads. */
final class Native {
    private static final Native INSTANCE = new Native();

    private Native() {}

    /** The functions, once the library is loaded. */
    static Native get() {
        NativeLibrary.require();
        return INSTANCE;
    }

    /**
     * Makes a {@link Call}.
     *
     * @param owners the Java objects whose numbers the call has: as an argument they cannot be collected, and the numbers not be
     *     freed, before the call returns
     * @param memory a direct buffer that the call reads
     * @param completion what a task answers
     */
    native byte @Nullable [] call(
            @Nullable Object owners, byte[] call, @Nullable ByteBuffer memory, @Nullable Completion<?> completion);

    /** Checks a request in the JSON of the contract, and answers with all of its fields. */
    native byte @Nullable [] parseRequest(byte[] json);
}
