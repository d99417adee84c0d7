package io.libspeech.android;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import android.content.Context;
import io.libspeech.CancelledException;
import io.libspeech.ErrorKind;
import io.libspeech.InvalidRequestException;
import io.libspeech.ModelException;
import io.libspeech.SpeechCall;
import io.libspeech.SpeechEngine;
import io.libspeech.SpeechException;
import java.io.File;
import java.io.FileNotFoundException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;

/** Engines with the voices of an APK. */
@RunWith(RobolectricTestRunner.class)
public class AndroidSpeechTest {
    private static byte[] speech(SpeechEngine engine) {
        return engine.synthesize(Support.TEXT).toByteArray();
    }

    private static byte[] expected() {
        try (SpeechEngine engine = SpeechEngine.builder().bundle(Support.fakeBundle()).load()) {
            return speech(engine);
        }
    }

    @Test
    public void theVoicesAreReadWhereTheyAre() throws Exception {
        byte[] expected = expected();
        Context app = Support.app(Support.fakeTar(), ZipEntry.STORED);
        try (SpeechEngine engine = AndroidSpeech.load(app)) {
            assertArrayEquals(expected, speech(engine));
        }
        try (SpeechEngine engine = AndroidSpeech.load(app, SpeechEngine.builder().threads(1).kernels("portable"))) {
            assertEquals(1, engine.threads());
            assertEquals("portable", engine.kernels());
        }
    }

    @Test
    public void theRealVoicesSpeakTheSameAsFromTheFile() throws Exception {
        String text = "It was a bright cold day.";
        byte[] expected;
        try (SpeechEngine engine = SpeechEngine.builder().bundle(Support.realBundle()).threads(1).load()) {
            expected = engine.synthesize(text).toByteArray();
        }
        Context app = Support.app(Files.readAllBytes(Support.realBundle().toPath()), ZipEntry.STORED);
        try (SpeechEngine engine = AndroidSpeech.load(app, SpeechEngine.builder().threads(1))) {
            assertArrayEquals(expected, engine.synthesize(text).toByteArray());
        }
    }

    @Test
    public void aCallbackHearsOfTheEngine() throws Exception {
        byte[] expected = expected();
        Context app = Support.app(Support.fakeTar(), ZipEntry.STORED);
        Support.Heard heard = new Support.Heard();
        AndroidSpeech.load(app, heard);
        try (SpeechEngine engine = heard.engine.get(30, TimeUnit.SECONDS)) {
            assertArrayEquals(expected, speech(engine));
            assertNotSame(Thread.currentThread(), heard.thread);
        }
        heard = new Support.Heard();
        AndroidSpeech.load(app, SpeechEngine.builder().threads(1), heard);
        try (SpeechEngine engine = heard.engine.get(30, TimeUnit.SECONDS)) {
            assertEquals(1, engine.threads());
        }
    }

    @Test
    public void loadingCanBeCancelled() throws Exception {
        Context app = Support.app(Support.fakeTar(), ZipEntry.STORED);
        for (int i = 0; i < 20; i++) {
            Support.Heard heard = new Support.Heard();
            SpeechCall call = AndroidSpeech.load(app, heard);
            call.cancel();
            call.cancel();
            try {
                heard.engine.get(30, TimeUnit.SECONDS).close();
            } catch (ExecutionException cancelled) {
                assertTrue(cancelled.getCause() instanceof CancelledException);
            }
        }
    }

    @Test
    public void theDescriptorIsClosed() throws Exception {
        Context app = Support.app(Support.fakeTar(), ZipEntry.STORED);
        assertOneDescriptorIsLeft(() -> AndroidSpeech.load(app).close());
        assertOneDescriptorIsLeft(
                () -> {
                    Support.Heard heard = new Support.Heard();
                    AndroidSpeech.load(app, heard);
                    heard.engine.get(30, TimeUnit.SECONDS).close();
                });
        SpeechEngine.Builder invalid = SpeechEngine.builder().kernels("\ud800");
        assertOneDescriptorIsLeft(
                () ->
                        assertThrows(
                                InvalidRequestException.class,
                                () -> AndroidSpeech.load(app, invalid, new Support.Heard())));
    }

    /**
     * Robolectric itself leaves one to the garbage collector. An unclosed one here would be a
     * second one.
     */
    private static void assertOneDescriptorIsLeft(ThrowingRunnable call) throws Exception {
        File apk = Support.lastApk();
        int[] left = new int[11];
        for (int i = 0; i < left.length; i++) {
            long before = Support.descriptors(apk);
            try {
                call.run();
            } catch (Throwable failure) {
                throw new AssertionError(failure);
            }
            // An engine is freed on another thread.
            Thread.sleep(20);
            left[i] = (int) (Support.descriptors(apk) - before);
        }
        Arrays.sort(left);
        assertEquals(Arrays.toString(left), 1, left[left.length / 2]);
    }

    @Test
    public void anAppWithoutVoicesIsToldWhatToAdd() throws Exception {
        Context app = RuntimeEnvironment.getApplication();
        ModelException error = assertThrows(ModelException.class, () -> AndroidSpeech.load(app));
        assertTrue(error.getMessage(), error.getMessage().contains("io.libspeech:libspeech-sdk-voices-android"));
        assertEquals(ErrorKind.MODEL_ERROR, error.kind());
        assertEquals("bundle_not_found", error.detail());
        assertEquals("install_voices", error.advice());
        assertTrue(error.getCause() instanceof FileNotFoundException);

        Support.Heard heard = new Support.Heard();
        AndroidSpeech.load(app, heard).cancel();
        ExecutionException failure =
                assertThrows(ExecutionException.class, () -> heard.engine.get(30, TimeUnit.SECONDS));
        assertEquals(error.getMessage(), failure.getCause().getMessage());
        assertNotSame(Thread.currentThread(), heard.thread);
    }

    @Test
    public void anAppWithCompressedVoicesIsToldWhatToWrite() throws Exception {
        Context app = Support.app(Support.fakeTar(), ZipEntry.DEFLATED);
        ModelException error = assertThrows(ModelException.class, () -> AndroidSpeech.load(app));
        assertTrue(error.getMessage(), error.getMessage().contains("androidResources { noCompress += \"tar\" }"));
        assertEquals("file_unreadable", error.detail());
    }

    @Test
    public void damagedVoicesAreRefused() throws Exception {
        byte[] tar = Support.fakeTar();
        tar[tar.length / 2] ^= 1;
        Context damaged = Support.app(tar, ZipEntry.STORED);
        assertThrows(ModelException.class, () -> AndroidSpeech.load(damaged));
        assertThrows(InvalidRequestException.class, () -> AndroidSpeech.load(damaged, SpeechEngine.builder().kernels("abacus")));
    }

    @Test
    public void cutVoicesAreRefused() throws Exception {
        byte[] tar = Support.fakeTar();
        Context cut = Support.app(Arrays.copyOf(tar, tar.length / 2), ZipEntry.STORED);
        ModelException error = assertThrows(ModelException.class, () -> AndroidSpeech.load(cut));
        assertFalse(error.getMessage().isEmpty());
    }

    @Test
    public void anInterruptedThreadStopsWaiting() throws Exception {
        Context app = Support.app(Support.fakeTar(), ZipEntry.STORED);
        Thread.currentThread().interrupt();
        assertThrows(CancelledException.class, () -> AndroidSpeech.load(app));
        assertTrue(Thread.interrupted());
    }

    /** The messages of the plain builder on Android are about Android. */
    @Test
    public void thePlainBuilderNamesThisClass() throws Exception {
        String vendor = System.getProperty("java.vendor");
        System.setProperty("java.vendor", "The Android Project");
        try (SpeechEngine engine = SpeechEngine.load()) {
            // The voices are in this user's cache.
            assertFalse(engine.isClosed());
        } catch (SpeechException error) {
            assertTrue(error.getMessage(), error.getMessage().contains(AndroidSpeech.class.getName()));
        } finally {
            System.setProperty("java.vendor", vendor);
        }
    }

    @Test
    public void nullIsRefused() {
        Context app = RuntimeEnvironment.getApplication();
        assertThrows(NullPointerException.class, () -> AndroidSpeech.load(null));
        assertThrows(NullPointerException.class, () -> AndroidSpeech.load(app, (SpeechEngine.Builder) null));
        assertThrows(NullPointerException.class, () -> AndroidSpeech.load(app, SpeechEngine.builder(), null));
        assertThrows(NullPointerException.class, () -> AndroidSpeech.trimOnLowMemory(app, null));
    }
}
