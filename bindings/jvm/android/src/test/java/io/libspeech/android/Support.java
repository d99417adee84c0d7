package io.libspeech.android;

import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import android.content.Context;
import android.content.res.AssetManager;
import io.libspeech.SpeechCallback;
import io.libspeech.SpeechEngine;
import io.libspeech.SpeechException;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.robolectric.RuntimeEnvironment;

/** Helpers of the tests. `cargo xtask android` sets the variables that they read. */
final class Support {
    /** A text of three sentences, which the fake model speaks instantly. */
    static final String TEXT = "First this, of 25 words. Then that! And it ends here.";

    private static File lastApk;

    private Support() {}

    /** The file or folder in an environment variable; fails if it is missing. */
    static File variable(String name) {
        String value = System.getenv(name);
        assertNotNull(name + " is not set: run `cargo xtask android`, or see its source for what to set", value);
        File file = new File(value).getAbsoluteFile();
        assertTrue(name + " names " + file + ", which is not there", file.exists());
        return file;
    }

    /** The bundle of the fake model, which computes instantly but not speech. */
    static File fakeBundle() {
        return variable("SPEECH_FAKE_MODEL");
    }

    /** The tar file of the real voices. */
    static File realBundle() {
        return variable("SPEECH_REFERENCE_BUNDLE");
    }

    /** The bundle of the fake model as a tar file. */
    static byte[] fakeTar() throws IOException {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        File[] files = fakeBundle().listFiles();
        Arrays.sort(files);
        for (File file : files) {
            byte[] content = Files.readAllBytes(file.toPath());
            byte[] header = new byte[512];
            put(header, 0, file.getName());
            put(header, 100, "0000644\0000000000\0000000000\000" + String.format("%011o", content.length));
            put(header, 136, "00000000000");
            put(header, 148, "        0");
            put(header, 257, "ustar\00000");
            int sum = 0;
            for (byte b : header) {
                sum += b & 0xff;
            }
            put(header, 148, String.format("%06o\0", sum));
            tar.write(header);
            tar.write(content);
            tar.write(new byte[(512 - content.length % 512) % 512]);
        }
        tar.write(new byte[1024]);
        return tar.toByteArray();
    }

    private static void put(byte[] header, int at, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    /** An app whose APK contains the asset with the voices. */
    static Context app(byte[] voices, int method) throws IOException {
        File apk = File.createTempFile("app", ".apk");
        apk.deleteOnExit();
        lastApk = apk;
        try (OutputStream out = Files.newOutputStream(apk.toPath());
                ZipOutputStream zip = new ZipOutputStream(out)) {
            // Places the asset in the middle of the file.
            entry(zip, "assets/before.txt", "before".getBytes(StandardCharsets.US_ASCII), ZipEntry.STORED);
            entry(zip, "assets/" + AndroidSpeech.VOICES, voices, method);
            entry(zip, "assets/z.txt", "after".getBytes(StandardCharsets.US_ASCII), ZipEntry.STORED);
        }
        Context app = RuntimeEnvironment.getApplication();
        AssetManager assets = app.getAssets();
        assertTrue(assets.addAssetPath(apk.getPath()) != 0);
        return app;
    }

    /** The most recent APK. */
    static File lastApk() {
        return lastApk;
    }

    private static void entry(ZipOutputStream zip, String name, byte[] content, int method) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setMethod(method);
        if (method == ZipEntry.STORED) {
            CRC32 crc = new CRC32();
            crc.update(content);
            entry.setCrc(crc.getValue());
            entry.setSize(content.length);
        }
        zip.putNextEntry(entry);
        zip.write(content);
        zip.closeEntry();
    }

    /** Waits for a condition; fails after 30 s. */
    static void until(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertTrue("after 30 s: " + what, System.nanoTime() < end);
            Thread.sleep(5);
        }
    }

    /** A callback that a test can wait for. It fails on a second call. */
    static final class Heard implements SpeechCallback<SpeechEngine> {
        final CompletableFuture<SpeechEngine> engine = new CompletableFuture<>();
        volatile Thread thread;

        @Override
        public void onResult(SpeechEngine result) {
            thread = Thread.currentThread();
            assertTrue(engine.complete(result));
        }

        @Override
        public void onError(SpeechException error) {
            thread = Thread.currentThread();
            assertTrue(engine.completeExceptionally(error));
        }
    }

    /** The memory of this process, in bytes. */
    static long resident() throws IOException {
        return Long.parseLong(Files.readString(new File("/proc/self/statm").toPath()).split(" ")[1]) * 4096;
    }

    /** The number of descriptors of this process that refer to a file. */
    static long descriptors(File target) {
        return Arrays.stream(new File("/proc/self/fd").listFiles()).filter(file -> leadsTo(file, target)).count();
    }

    private static boolean leadsTo(File link, File target) {
        try {
            return Files.readSymbolicLink(link.toPath()).equals(target.toPath());
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }
}
