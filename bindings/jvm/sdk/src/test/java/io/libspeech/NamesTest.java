package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The names that the documentation gives for Java. */
class NamesTest {
    private static List<String> names() throws Exception {
        byte[] pages = Files.readAllBytes(Support.variable("SPEECH_PAGES").toPath());
        int column = 0;
        List<String> names = new ArrayList<>();
        for (String line : new String(pages, StandardCharsets.UTF_8).split("\n")) {
            List<String> row = Arrays.asList(line.split(" *\\| *"));
            if (row.containsAll(Arrays.asList("Rust", "Java", "Go"))) {
                column = row.indexOf("Java");
            } else if (row.size() <= column) {
                // The table has ended.
                column = 0;
            } else if (column > 0 && row.get(column).startsWith("`")) {
                names.add(row.get(column).replace("`", ""));
            }
        }
        return names;
    }

    private static boolean isThere(String name) {
        int end = name.lastIndexOf('.');
        try {
            Class<?> type = Class.forName("io.libspeech." + name.substring(0, end).replace('.', '$'));
            for (Method method : type.getMethods()) {
                if (method.getName().equals(name.substring(end + 1))) {
                    return true;
                }
            }
            return false;
        } catch (ClassNotFoundException missing) {
            return false;
        }
    }

    @Test
    void eachIsThere() throws Exception {
        List<String> names = names();
        assertTrue(names.size() > 30, () -> names.toString());
        List<String> missing = new ArrayList<>();
        for (String name : names) {
            if (!isThere(name)) {
                missing.add(name);
            }
        }
        assertEquals(new ArrayList<>(), missing);
    }
}
