package io.libspeech;

import java.util.Map;

/** Words and their readings, as the native library takes them. */
final class PronunciationList {
    private PronunciationList() {}

    static void write(WireWriter options, Map<String, String> pronunciations) {
        options.intValue(pronunciations.size());
        for (Map.Entry<String, String> entry : pronunciations.entrySet()) {
            options.string("the words of a pronunciation", entry.getKey());
            options.string("a pronunciation", entry.getValue());
        }
    }
}
