package io.libspeech;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what the native library wrote: {@code wire.rs} of the library is the other side. */
final class WireReader {
    private final ByteBuffer bytes;

    WireReader(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Reads an item of a list. */
    interface Item<T> {
        T read(WireReader reader);
    }

    byte byteValue() {
        return bytes.get();
    }

    boolean flag() {
        return bytes.get() != 0;
    }

    int intValue() {
        return bytes.getInt();
    }

    long longValue() {
        return bytes.getLong();
    }

    double doubleValue() {
        return bytes.getDouble();
    }

    String string() {
        int length = bytes.getInt();
        int start = bytes.arrayOffset() + bytes.position();
        // The casts keep code for Java 8 from methods that are newer.
        ((java.nio.Buffer) bytes).position(bytes.position() + length);
        return new String(bytes.array(), start, length, StandardCharsets.UTF_8);
    }

    @Nullable String optionalString() {
        return flag() ? string() : null;
    }

    Span span() {
        int start = bytes.getInt();
        return new Span(start, bytes.getInt());
    }

    /** A list that cannot be changed. */
    <T> List<T> list(Item<T> item) {
        int length = bytes.getInt();
        List<T> items = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            items.add(item.read(this));
        }
        return Collections.unmodifiableList(items);
    }
}
