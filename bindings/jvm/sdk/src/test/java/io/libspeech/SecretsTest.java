package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** An exception contains no part of the caller's input. */
class SecretsTest {
    private static final String SECRET = "ZQXMARKER";

    private static SpeechEngine engine;

    @BeforeAll
    static void load() {
        engine = Support.fake().load();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    /** The texts of an exception and of all its causes. */
    private static String told(Throwable error) {
        StringWriter trace = new StringWriter();
        error.printStackTrace(new PrintWriter(trace));
        return trace.toString().toUpperCase(Locale.ROOT);
    }

    private static void check(List<String> problems, String name, String expected, Executable call) throws Throwable {
        String found = null;
        String told = "";
        try {
            call.execute();
        } catch (SpeechException error) {
            found = error.kind().id();
            told = told(error);
        }
        if (told.contains(SECRET) || !String.valueOf(expected).equals(String.valueOf(found))) {
            problems.add(name + ": " + found + ", not " + expected + ": " + told);
        }
    }

    @Test
    void requests() throws Throwable {
        List<String> problems = new ArrayList<>();
        for (JsonObject row : Support.cases("secrets")) {
            String name = row.get("name").getAsString();
            String expected = row.has("error") ? row.get("error").getAsString() : null;
            String json = row.get("json").getAsString().replace("@1000", "Ten chars. ".repeat(91));
            for (boolean isText : new boolean[] {true, false}) {
                check(
                        problems,
                        name,
                        expected,
                        () -> {
                            ServiceRequest request =
                                    isText
                                            ? ServiceRequest.fromJson(json)
                                            : ServiceRequest.fromJson(json.getBytes(StandardCharsets.UTF_8));
                            try (SpeechStream stream = engine.stream(request.text(), request.options())) {
                                assertTrue(Support.joined(stream).length > 0);
                            }
                        });
            }
        }
        assertEquals(List.of(), problems);
    }

    @Test
    void pronunciations() throws Throwable {
        List<String> problems = new ArrayList<>();
        for (JsonObject row : Support.cases("secret_pronunciations")) {
            String words = row.get("words").getAsString();
            String reading = row.get("reading").getAsString();
            check(
                    problems,
                    row.get("name").getAsString(),
                    "invalid_request",
                    () -> Support.fake().pronunciation(words, reading).load());
        }
        assertEquals(List.of(), problems);
    }

    @Test
    void arguments() throws Throwable {
        List<String> problems = new ArrayList<>();
        for (String text : List.of(SECRET + "\udc80", SECRET + "\0")) {
            check(problems, "synthesize", "invalid_request", () -> engine.synthesize(text));
            check(problems, "stream", "invalid_request", () -> engine.stream(text));
            check(problems, "splitText", "invalid_request", () -> Speech.splitText(text, 10));
            check(problems, "parse", "invalid_request", () -> Lexicon.parse(text));
            check(problems, "fromPls", "invalid_request", () -> Lexicon.fromPls(text));
            check(problems, "fromJson", "invalid_request", () -> ServiceRequest.fromJson(text));
            try (LiveStream live = engine.live()) {
                check(problems, "push", "invalid_request", () -> live.push(text));
            }
        }
        assertEquals(List.of(), problems);
    }
}
