package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.function.Executable;

/** Helpers of the tests. `cargo xtask test jvm-tests` sets the variables that they read. */
final class Support {
    /** A text of three sentences, which the fake model speaks instantly. */
    static final String TEXT = "First this, of 25 words. Then that! And it ends here.";

    /** Sentences that take a real voice seconds to speak. */
    static final String LONG = "It was a bright cold day in April, and the clocks were striking thirteen. ".repeat(13);

    /** A request identifier, a UUID of any version. */
    static final String UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

    private Support() {}

    /** The file or folder in an environment variable; fails if it is missing. */
    static File variable(String name) {
        String value = System.getenv(name);
        assertNotNull(value, name + " is not set: run `cargo xtask test`, or see its source for what to set");
        File file = new File(value).getAbsoluteFile();
        assertTrue(file.exists(), name + " names " + file + ", which is not there");
        return file;
    }

    /** The bundle of the fake model, which computes instantly but not speech. */
    static File fakeBundle() {
        return variable("SPEECH_FAKE_MODEL");
    }

    /** Options of an engine with the fake model. */
    static SpeechEngine.Builder fake() {
        return SpeechEngine.builder().bundle(fakeBundle()).threads(1);
    }

    /** Options of an engine with the real voices. */
    static SpeechEngine.Builder real() {
        return SpeechEngine.builder().bundle(variable("SPEECH_REFERENCE_BUNDLE")).threads(1);
    }

    /**
     * Options of an engine that loads, and then fails to speak: the weights of its vocoder are NaN.
     */
    static SpeechEngine.Builder failing(Path folder) throws IOException, GeneralSecurityException {
        for (File file : fakeBundle().listFiles()) {
            Files.copy(file.toPath(), folder.resolve(file.getName()));
        }
        Path vocoder = folder.resolve("vocoder.safetensors");
        byte[] weights = Files.readAllBytes(vocoder);
        String before = sha256(weights);
        int header = (int) ByteBuffer.wrap(weights).order(ByteOrder.LITTLE_ENDIAN).getLong();
        Arrays.fill(weights, 8 + header, weights.length, (byte) 0xff);
        Files.write(vocoder, weights);
        Path file = folder.resolve("bundle.json");
        String manifest = read(file).replace(before, sha256(weights));
        String seal = JsonParser.parseString(manifest).getAsJsonObject().get("manifest_sha256").getAsString();
        byte[] unsealed = manifest.replace(seal, "0".repeat(seal.length())).getBytes(StandardCharsets.UTF_8);
        Files.writeString(file, manifest.replace(seal, sha256(unsealed)));
        return SpeechEngine.builder().bundle(folder.toFile()).threads(1);
    }

    private static String sha256(byte[] bytes) throws GeneralSecurityException {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
        return String.format("%064x", new BigInteger(1, hash));
    }

    /** The rows of a table that the tests of every language use. */
    static List<JsonObject> cases(String table) {
        JsonArray rows = JsonParser.parseString(read(variable("SPEECH_CASES").toPath())).getAsJsonObject().getAsJsonArray(table);
        List<JsonObject> list = new ArrayList<>();
        for (JsonElement row : rows) {
            list.add(row.getAsJsonObject());
        }
        assertTrue(!list.isEmpty());
        return list;
    }

    static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The error that a call must throw, with a part of its message. */
    static <E extends SpeechException> E refused(Class<E> type, String message, Executable call) {
        E error = assertThrows(type, call);
        assertTrue(error.getMessage().contains(message), error.getMessage() + "\n  is not about " + message);
        return error;
    }

    /** All samples of a stream. */
    static byte[] joined(Iterable<SpeechChunk> chunks) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (SpeechChunk chunk : chunks) {
            bytes.writeBytes(chunk.toByteArray());
        }
        return bytes.toByteArray();
    }

    /** Waits for a condition; fails after 30 s. */
    static void until(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "after 30 s: " + what);
            Thread.sleep(5);
        }
    }

    /** The memory of this process in bytes; 0 if unknown. */
    static long resident() {
        Path statm = Path.of("/proc/self/statm");
        return Files.exists(statm) ? Long.parseLong(read(statm).split(" ")[1]) * 4096 : 0;
    }

    /** The number of objects of the native library and of its running calls. */
    static int objects() {
        return new Call("objects").run().intValue("count");
    }

    /** Runs a program until it exits, and returns its output. */
    static String run(ProcessBuilder program) throws IOException, InterruptedException {
        Process process = program.redirectErrorStream(true).start();
        process.getOutputStream().close();
        byte[] printed = process.getInputStream().readAllBytes();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it hangs");
        String output = new String(printed, StandardCharsets.UTF_8);
        assertTrue(process.exitValue() == 0, "status " + process.exitValue() + "\n" + output);
        return output;
    }
}
