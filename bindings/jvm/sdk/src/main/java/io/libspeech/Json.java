package io.libspeech;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes JSON, the format of calls of the native library. */
final class Json {
    private Json() {}

    /** Creates an object from names and values, alternating. */
    static Map<String, @Nullable Object> object(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return fields;
    }

    /**
     * Writes a map, a collection, a string, a number, a boolean, the number of a lexicon or null.
     * NaN becomes null, as JSON has no NaN.
     *
     * @param name the name of the value for error messages
     * @throws InvalidRequestException for a string with half a surrogate pair, which UTF-8 cannot
     *     represent
     */
    static void write(StringBuilder json, String name, @Nullable Object value) {
        if (value instanceof String) {
            quote(json, Checks.unicode(name, (String) value));
        } else if (value instanceof Map) {
            char before = '{';
            for (Map.Entry<?, ?> field : ((Map<?, ?>) value).entrySet()) {
                String key = String.valueOf(field.getKey());
                quote(json.append(before), key);
                write(json.append(':'), key, field.getValue());
                before = ',';
            }
            json.append(before == '{' ? "{}" : "}");
        } else if (value instanceof Collection) {
            char before = '[';
            for (Object item : (Collection<?>) value) {
                write(json.append(before), name, item);
                before = ',';
            }
            json.append(before == '[' ? "[]" : "]");
        } else if (value instanceof Double && ((Double) value).isInfinite()) {
            json.append((Double) value > 0 ? "1e999" : "-1e999");
        } else if (value instanceof Double && ((Double) value).isNaN()) {
            json.append("null");
        } else if (value instanceof Lexicon) {
            json.append(((Lexicon) value).number());
        } else {
            json.append(value);
        }
    }

    static void quote(StringBuilder json, String value) {
        json.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
