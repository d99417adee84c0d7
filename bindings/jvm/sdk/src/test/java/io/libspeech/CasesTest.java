package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The shared table of cases, which gives the same results in every language. */
class CasesTest {
    private static SpeechEngine engine;

    @BeforeAll
    static void load() {
        engine = Support.fake().load();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    /** The body of a request, with its long texts filled in. */
    private static String body(JsonObject row) {
        String text = "Ten chars. ".repeat(200);
        return row.get("json").getAsString().replace("@1000", text.substring(0, 1000)).replace("@1001", text.substring(0, 1001));
    }

    private static String outcome(Function<String, String> call, String json) {
        try {
            return call.apply(json);
        } catch (SpeechException error) {
            return error.kind().id() + ": " + error.getMessage();
        }
    }

    private static String expected(JsonObject row) {
        if (row.has("error")) {
            return row.get("error").getAsString() + ": " + row.get("message").getAsString();
        }
        int skipped = row.has("skipped") ? row.get("skipped").getAsInt() : 0;
        return row.get("characters").getAsInt() + " characters, " + skipped + " skipped";
    }

    private static String spoken(ServiceRequest request) {
        SpeechAudio audio = engine.synthesize(request.text(), request.options());
        assertTrue(audio.sampleCount() > 0);
        return audio.characters() + " characters, " + audio.diagnostics().size() + " skipped";
    }

    private static String streamed(ServiceRequest request) {
        try (SpeechStream stream = engine.stream(request.text(), request.options())) {
            byte[] pcm = Support.joined(stream);
            assertTrue(pcm.length > 0);
            if (!request.options().latency().equals("low")) {
                assertArrayEquals(engine.synthesize(request.text(), request.options()).toByteArray(), pcm);
            }
            return stream.characters() + " characters, " + stream.diagnostics().size() + " skipped";
        }
    }

    private static void check(String table, Function<ServiceRequest, String> call, Predicate<JsonObject> applies) {
        List<String> failures = new ArrayList<>();
        for (JsonObject row : Support.cases(table)) {
            if (!applies.test(row)) {
                continue;
            }
            Function<String, String> ofString = json -> call.apply(ServiceRequest.fromJson(json));
            Function<String, String> ofBytes =
                    json -> call.apply(ServiceRequest.fromJson(json.getBytes(StandardCharsets.UTF_8)));
            for (Function<String, String> read : List.of(ofString, ofBytes)) {
                String got = outcome(read, body(row));
                if (!got.equals(expected(row))) {
                    failures.add(row.get("name") + ": " + got + ", not " + expected(row));
                }
            }
        }
        assertEquals(List.of(), failures);
    }

    /** Whether a row gives the same result for a stream: other requests reject low latency. */
    private static boolean streamsAlike(JsonObject row) {
        return !row.has("message") || !row.get("message").getAsString().startsWith("latency low is for streams");
    }

    @Test
    void requestsSpoken() {
        check("requests", CasesTest::spoken, row -> true);
    }

    @Test
    void requestsStreamed() {
        check("requests", CasesTest::streamed, CasesTest::streamsAlike);
    }

    @Test
    void streams() {
        check("streams", CasesTest::streamed, row -> true);
    }

    @Test
    void splits() {
        for (JsonObject row : Support.cases("splits")) {
            List<String> parts = new ArrayList<>();
            row.getAsJsonArray("parts").forEach(part -> parts.add(part.getAsString()));
            assertEquals(parts, Speech.splitText(row.get("text").getAsString(), row.get("max_characters").getAsInt()));
        }
    }

    @Test
    void tiers() {
        for (JsonObject row : Support.cases("tiers")) {
            List<AttentionContext> contexts = new ArrayList<>();
            for (JsonElement context : row.getAsJsonArray("contexts")) {
                JsonArray pair = context.getAsJsonArray();
                contexts.add(AttentionContext.of(pair.get(0).getAsInt(), pair.get(1).getAsInt()));
            }
            TierCatalogue catalogue = TierCatalogue.of(contexts);
            String name = row.get("name").getAsString();
            if (row.has("tier")) {
                assertEquals(row.get("tier").getAsString(), catalogue.resolve(name).id());
            } else {
                Support.refused(InvalidTierException.class, name, () -> catalogue.resolve(name));
            }
        }
    }

    @Test
    void charges() {
        for (JsonObject row : Support.cases("charges")) {
            Tier tier = Tier.of(row.get("tier").getAsString());
            long nanoseconds = row.get("nanoseconds").getAsLong();
            long micros = row.get("micros").getAsLong();
            assertEquals(micros, tier.charge(Duration.ofNanos(nanoseconds)), row.toString());
            assertEquals(micros, tier.chargeSamples(nanoseconds, 1_000_000_000), row.toString());
        }
    }
}
