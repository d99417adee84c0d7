package io.libspeech;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call of the native library: one of the enum {@code Call} of its {@code call.rs}, with its
 * arguments.
 */
final class Call {
    private final String name;
    private final @Nullable Object owner;
    private final Map<String, @Nullable Object> arguments = Json.object();

    /** Creates a call of a function. */
    Call(String name) {
        this.name = name;
        this.owner = null;
    }

    /**
     * Creates a call of a method of an object. Its owner keeps the object from being freed before
     * the call returns.
     */
    Call(String name, Object owner, Handle handle) {
        this.name = name;
        this.owner = owner;
        put("handle", handle.number());
    }

    /** Adds an argument of a type that {@link Json#write} accepts. */
    Call put(String name, @Nullable Object value) {
        arguments.put(name, value);
        return this;
    }

    /** Makes the call, and returns the fields of its answer. Throws its error. */
    Fields run() {
        return start(null, null);
    }

    /** Starts a task, which passes its answer to the completion. */
    Fields start(Completion<?> completion) {
        return start(null, completion);
    }

    /** Starts a task that reads memory. */
    Fields start(@Nullable ByteBuffer memory, @Nullable Completion<?> completion) {
        @Nullable Object[] owners = {owner, arguments};
        return Answer.read(Native.get().call(owners, toByteArray(), memory, completion));
    }

    /** The call as JSON. */
    byte[] toByteArray() {
        StringBuilder json = new StringBuilder();
        Json.write(json, name, Json.object(name, arguments));
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }
}
