package io.libspeech;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The fields of an object that the native library returned, by name. */
final class Fields {
    private static final byte END_OF_STRING = (byte) 0xff;

    private final Map<?, ?> values;

    private Fields(Object object) {
        this.values = (Map<?, ?>) object;
    }

    /** Decodes an object in the format of the native library's {@code wire.rs}. */
    static Fields read(byte[] object) {
        return new Fields(Objects.requireNonNull(value(ByteBuffer.wrap(object).order(ByteOrder.LITTLE_ENDIAN))));
    }

    private static @Nullable Object value(ByteBuffer bytes) {
        byte tag = bytes.get();
        switch (tag) {
            case '{':
                Map<@Nullable Object, @Nullable Object> fields = new HashMap<>();
                while (bytes.get(bytes.position()) != '}') {
                    fields.put(value(bytes), value(bytes));
                }
                bytes.get();
                return fields;
            case '[':
                List<@Nullable Object> items = new ArrayList<>();
                while (bytes.get(bytes.position()) != ']') {
                    items.add(value(bytes));
                }
                bytes.get();
                return items;
            case 's':
                int start = bytes.position();
                while (bytes.get() != END_OF_STRING) {}
                return new String(bytes.array(), start, bytes.position() - 1 - start, StandardCharsets.UTF_8);
            case 'i':
                return bytes.getLong();
            case 'd':
                return bytes.getDouble();
            case 'n':
                return null;
            default:
                return tag == 't';
        }
    }

    /** Whether a field exists and is not null. */
    boolean has(String name) {
        return values.get(name) != null;
    }

    /** Converts the fields of a list item to a value. */
    interface Item<T> {
        T read(Fields fields);
    }

    private Object value(String name) {
        return Objects.requireNonNull(values.get(name), name);
    }

    boolean flag(String name) {
        return (Boolean) value(name);
    }

    int intValue(String name) {
        return ((Number) value(name)).intValue();
    }

    long longValue(String name) {
        return ((Number) value(name)).longValue();
    }

    /** A number; NaN for null. */
    double doubleValue(String name) {
        Number number = (Number) values.get(name);
        return number == null ? Double.NaN : number.doubleValue();
    }

    String string(String name) {
        return (String) value(name);
    }

    @Nullable String optionalString(String name) {
        return (String) values.get(name);
    }

    Fields object(String name) {
        return new Fields(value(name));
    }

    /** The span with the fields {@code start} and {@code end}. */
    Span span() {
        return new Span(intValue("start"), intValue("end"));
    }

    /** A list of strings; immutable. */
    List<String> strings(String name) {
        List<String> strings = new ArrayList<>();
        for (Object item : (List<?>) value(name)) {
            strings.add((String) item);
        }
        return Collections.unmodifiableList(strings);
    }

    /** A list of lists of strings; immutable. */
    List<List<String>> stringLists(String name) {
        List<List<String>> lists = new ArrayList<>();
        for (Object item : (List<?>) value(name)) {
            List<String> strings = new ArrayList<>();
            for (Object string : (List<?>) item) {
                strings.add((String) string);
            }
            lists.add(Collections.unmodifiableList(strings));
        }
        return Collections.unmodifiableList(lists);
    }

    /** A list of objects, converted; immutable. */
    <T> List<T> list(String name, Item<T> item) {
        List<?> objects = (List<?>) value(name);
        List<T> items = new ArrayList<>(objects.size());
        for (Object object : objects) {
            items.add(item.read(new Fields(object)));
        }
        return Collections.unmodifiableList(items);
    }
}
