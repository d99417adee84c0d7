package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Exceptions. */
class ErrorsTest {
    /** Fails if a kind, detail or advice exists in the core but not here. */
    @Test
    void theTablesOfTheCore() {
        Fields tables = new Call("errors").run();
        List<String> kinds = new ArrayList<>();
        tables.list(
                "kinds",
                row -> {
                    ErrorKind kind = ErrorKind.of(row.string("kind"));
                    assertEquals(row.flag("is_retryable"), kind.isRetryable(), kind.id());
                    int status = row.intValue("http_status");
                    assertEquals(status == 0 ? null : Integer.valueOf(status), kind.httpStatus(), kind.id());
                    return kinds.add(kind.id());
                });
        List<String> own = new ArrayList<>();
        for (ErrorKind kind : ErrorKind.values()) {
            own.add(kind.id());
        }
        assertEquals(kinds, own);
        String javadoc = Support.read(sources().resolve("SpeechException.java")).replaceAll("\\s*\\n \\*? *\\*? *", " ");
        for (String list : List.of("details", "advice")) {
            for (String name : tables.strings(list)) {
                assertTrue(javadoc.contains(name), name);
            }
        }
    }

    private static Path sources() {
        return Path.of("src", "main", "java", "io", "libspeech");
    }

    @Test
    void aTypeForEachKind() {
        Set<Class<?>> types = new HashSet<>();
        for (ErrorKind kind : ErrorKind.values()) {
            SpeechException error = kind.exception("why");
            assertSame(kind, error.kind());
            assertEquals("why", error.getMessage());
            assertTrue(error.requestId().matches(Support.UUID));
            assertEquals(kind.isRetryable(), error.isRetryable());
            assertEquals(kind.httpStatus(), error.httpStatus());
            assertNull(error.detail());
            assertNull(error.path());
            assertNull(error.advice());
            types.add(error.getClass());
        }
        assertEquals(ErrorKind.values().length, types.size());
    }

    @Test
    void asJson() {
        SpeechException error = new InvalidRequestException("a \"quote\", a \\ and a \n");
        JsonObject json = JsonParser.parseString(error.toJson()).getAsJsonObject().getAsJsonObject("error");
        assertEquals("invalid_request", json.get("type").getAsString());
        assertEquals(error.getMessage(), json.get("message").getAsString());
        assertEquals(error.requestId(), json.get("request_id").getAsString());
        assertEquals(Set.of("type", "message", "request_id"), json.keySet());
    }

    /** Exceptions are thrown on the waiting caller's thread. */
    @Test
    void theTraceIsTheCallers() {
        try (SpeechEngine engine = Support.fake().load()) {
            EmptyTextException error = Support.refused(EmptyTextException.class, "", () -> engine.synthesize(""));
            boolean here = false;
            for (StackTraceElement element : error.getStackTrace()) {
                here |= element.getClassName().equals(ErrorsTest.class.getName());
            }
            assertTrue(here);
        }
    }

    /** Numbers that are in no table are rejected. */
    @Test
    void numbersThatAreNothing() {
        try (SpeechEngine engine = Support.fake().load();
                LiveStream live = engine.live()) {
            long other = new Call("new_segmenter").run().longValue("handle");
            for (long number : new long[] {0, -1, 9_999, Long.MAX_VALUE, Long.MIN_VALUE, other}) {
                Map<String, Object> request = ServiceRequest.json("a", SpeechOptions.defaults());
                Support.refused(
                        InvalidRequestException.class,
                        "closed",
                        () -> new Call("stream").put("handle", number).put("request", request).run());
                Support.refused(
                        CancelledException.class,
                        "",
                        () -> new Call("push").put("handle", number).put("piece", "a").run());
                new Call("cancel").put("handle", number).run();
                new Call("free").put("handle", number).run();
                new Call("free").put("handle", number).run();
            }
            live.push("Still here.");
            assertTrue(engine.synthesize("Still here.").sampleCount() > 0);
        }
    }

    /** Unknown calls are rejected, and the message contains nothing of them. */
    @Test
    void callsThatAreNone() {
        String message = "the classes and the native library are not of one version";
        for (Call call : List.of(new Call("secret"), new Call("split_text"), new Call("push").put("handle", "secret"))) {
            InternalException error = Support.refused(InternalException.class, message, call::run);
            assertEquals(message, error.getMessage());
        }
    }

    /** A panic in the library becomes an exception with its location, and nothing is printed. */
    @Test
    void panics() {
        try (SpeechEngine engine = Support.fake().load()) {
            InternalException error =
                    Support.refused(
                            InternalException.class,
                            "a panic at",
                            () -> new Call("finish_segmenter").put("handle", -1).run());
            assertTrue(error.getMessage().contains("text.rs"), error.getMessage());
            // While it holds an object.
            try (SpeechStream stream = engine.stream("a")) {
                Support.refused(InternalException.class, "a panic at", () -> stream.call("flush").run());
            }
            assertTrue(engine.synthesize("Still here.").sampleCount() > 0);
        }
    }
}
