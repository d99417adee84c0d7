package io.libspeech;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes what the native library reads: {@code wire.rs} of the library is the other side. */
final class WireWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    WireWriter byteValue(int value) {
        bytes.write(value);
        return this;
    }

    WireWriter flag(boolean value) {
        return byteValue(value ? 1 : 0);
    }

    WireWriter intValue(int value) {
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            bytes.write(value >>> shift);
        }
        return this;
    }

    WireWriter longValue(long value) {
        return intValue((int) value).intValue((int) (value >>> Integer.SIZE));
    }

    WireWriter doubleValue(double value) {
        return longValue(Double.doubleToRawLongBits(value));
    }

    /**
     * Writes a string of the caller's.
     *
     * @param name what the message calls it if it is refused
     * @throws InvalidRequestException if it has half a surrogate pair, which no UTF-8 can hold
     */
    WireWriter string(String name, String value) {
        byte[] encoded = Checks.unicode(name, value).getBytes(StandardCharsets.UTF_8);
        intValue(encoded.length);
        bytes.write(encoded, 0, encoded.length);
        return this;
    }

    WireWriter optionalString(String name, @Nullable String value) {
        flag(value != null);
        return value == null ? this : string(name, value);
    }

    byte[] toByteArray() {
        return bytes.toByteArray();
    }
}
