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
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Exceptions. */
class ErrorsTest {
    /** A kind, detail or advice that is added in the core and forgotten here fails. */
    @Test
    void theTablesOfTheCore() {
        WireReader tables = Answer.read(Native.get().errors());
        List<String> kinds = new ArrayList<>();
        tables.list(
                row -> {
                    ErrorKind kind = ErrorKind.of(row.string());
                    assertEquals(row.flag(), kind.isRetryable(), kind.id());
                    int status = row.intValue();
                    assertEquals(status == 0 ? null : Integer.valueOf(status), kind.httpStatus(), kind.id());
                    return kinds.add(kind.id());
                });
        List<String> own = new ArrayList<>();
        for (ErrorKind kind : ErrorKind.values()) {
            own.add(kind.id());
        }
        assertEquals(kinds, own);
        String javadoc = Support.read(sources().resolve("SpeechException.java")).replaceAll("\\s*\\n \\*? *\\*? *", " ");
        for (int list = 0; list < 2; list++) {
            for (String name : tables.list(WireReader::string)) {
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

    /** What the library throws is thrown where the caller waits. */
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

    /** Numbers that are in no table: the library refuses them, whatever they are. */
    @Test
    void numbersThatAreNothing() {
        try (SpeechEngine engine = Support.fake().load();
                LiveStream live = engine.live()) {
            Native library = Native.get();
            byte[] request = SpeechRequest.of("a").write();
            byte[] piece = new WireWriter().string("piece", "a").toByteArray();
            for (long number : new long[] {0, -1, 99, Long.MAX_VALUE, Long.MIN_VALUE}) {
                Support.refused(
                        InvalidRequestException.class,
                        "closed",
                        () -> Answer.read(library.stream(engine, number, request)));
                Support.refused(
                        CancelledException.class, "", () -> Answer.read(library.push(live, number, piece)));
                library.cancel(number);
                library.closeEngine(number);
                library.freeEngine(number);
                library.freeStream(number);
                library.closeStream(number);
                library.freeSegmenter(number);
                library.freeInspector(number);
                library.flush(live, number);
                assertEquals(0, library.heardAt(live, number, 1));
            }
        }
    }

    /** A panic in the library is an exception that says where, and nothing is printed. */
    @Test
    void panics() {
        try (SpeechEngine engine = Support.fake().load()) {
            byte[] cutOff = {1, 2};
            InternalException error =
                    Support.refused(
                            InternalException.class,
                            "a panic at",
                            () -> Answer.read(Native.get().validate(cutOff)));
            assertTrue(error.getMessage().contains("wire.rs"), error.getMessage());
            Waiter<SpeechAudio> waiter = new Waiter<>();
            Completion<SpeechAudio> completion = new Completion<>((fields, samples) -> null, waiter);
            long number = Answer.read(Native.get().newSegmenter()).longValue();
            assertTrue(number > 0);
            Support.refused(
                    InternalException.class,
                    "a panic at",
                    () -> {
                        Answer.read(Native.get().load(cutOff, null, completion));
                        waiter.await(() -> {});
                    });
            assertTrue(engine.synthesize("Still here.").sampleCount() > 0);
        }
    }
}
