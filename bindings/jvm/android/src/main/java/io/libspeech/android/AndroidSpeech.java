package io.libspeech.android;

import android.content.Context;
import android.content.res.AssetFileDescriptor;
import io.libspeech.CancelledException;
import io.libspeech.InvalidRequestException;
import io.libspeech.ModelException;
import io.libspeech.SpeechCall;
import io.libspeech.SpeechCallback;
import io.libspeech.SpeechEngine;
import java.io.IOException;
import java.util.Objects;

/**
 * Engines for apps. The voices are an asset of the app, {@value #VOICES}, which the dependency {@code
 * io.libspeech:libspeech-sdk-voices-android} or an asset pack brings. It is mapped into memory where it is, in the APK: nothing is
 * unpacked, but the app must not compress it, for which {@code build.gradle.kts} needs a line:
 *
 * <pre>{@code
 * android { androidResources { noCompress += "tar" } }
 * }</pre>
 *
 * <p>Voices that the app has downloaded, or that are in an asset pack that is delivered on demand, are files, and need nothing of
 * this class:
 *
 * <pre>{@code
 * SpeechEngine.builder().bundle(new File(context.getFilesDir(), "voices.tar")).load();
 * SpeechEngine.builder().bundle(new File(assetPackLocation.assetsPath(), AndroidSpeech.VOICES)).load();
 * }</pre>
 *
 * <p>Loading takes up to a second, and speaking longer: the main thread is for neither of them. The functions with a callback wait
 * for nothing.
 */
public final class AndroidSpeech {
    /** The asset that has the voices. */
    public static final String VOICES = "libspeech/voices.tar";

    private AndroidSpeech() {}

    /**
     * Loads an engine with the voices of the app, and every other option at its default.
     *
     * @param context any context of the app
     * @return the engine
     * @throws ModelException if the app has no voices, or has compressed them; if they are damaged or of another version
     * @throws CancelledException if the thread is interrupted
     */
    public static SpeechEngine load(Context context) {
        return load(context, SpeechEngine.builder());
    }

    /**
     * Loads an engine with the voices of the app.
     *
     * @param context any context of the app
     * @param options the other options, in which the bundle is set to the voices of the app
     * @return the engine
     * @throws ModelException if the app has no voices, or has compressed them; if they are damaged or of another version
     * @throws InvalidRequestException as {@link SpeechEngine.Builder#load()}
     * @throws CancelledException if the thread is interrupted
     */
    public static SpeechEngine load(Context context, SpeechEngine.Builder options) {
        Objects.requireNonNull(options, "options");
        AssetFileDescriptor voices = VoicesAsset.open(context);
        try {
            return bundle(options, voices).load();
        } finally {
            close(voices);
        }
    }

    /**
     * Loads an engine with the voices of the app, and every other option at its default, without waiting for it.
     *
     * @param context any context of the app
     * @param callback gets the engine, or the error that {@link #load(Context)} throws, on a thread of the library's own
     * @return what makes the callback fail
     */
    public static SpeechCall load(Context context, SpeechCallback<? super SpeechEngine> callback) {
        return load(context, SpeechEngine.builder(), callback);
    }

    /**
     * Loads an engine with the voices of the app without waiting for it.
     *
     * @param context any context of the app
     * @param options the other options, in which the bundle is set to the voices of the app
     * @param callback gets the engine, or the error that {@link #load(Context, SpeechEngine.Builder)} throws, on a thread of the
     *     library's own
     * @return what makes the callback fail; the loading itself goes on
     * @throws InvalidRequestException if an option has half a surrogate pair
     */
    public static SpeechCall load(
            Context context, SpeechEngine.Builder options, SpeechCallback<? super SpeechEngine> callback) {
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(callback, "callback");
        AssetFileDescriptor voices;
        try {
            voices = VoicesAsset.open(context);
        } catch (ModelException missing) {
            // Not on this thread, which may hold locks that the callback needs.
            new Thread(() -> callback.onError(missing), "libspeech").start();
            return () -> {};
        }
        try {
            // The descriptor is duplicated before this returns.
            return bundle(options, voices).load(callback);
        } finally {
            close(voices);
        }
    }

    /**
     * Has an engine return its working memory to the system, as {@link SpeechEngine#trim} does, whenever Android says that the app
     * is not visible any more, or that memory is low.
     *
     * <p>This does not keep the engine: it ends when the engine is closed or can no longer be reached, so there is no need to keep
     * what is returned. Requests that run are not disturbed.
     *
     * @param context any context of the app
     * @param engine the engine
     * @return what ends it earlier
     */
    public static LowMemoryTrimmer trimOnLowMemory(Context context, SpeechEngine engine) {
        return LowMemoryTrimmer.register(
                Objects.requireNonNull(context, "context"), Objects.requireNonNull(engine, "engine"));
    }

    private static SpeechEngine.Builder bundle(SpeechEngine.Builder options, AssetFileDescriptor voices) {
        int descriptor = voices.getParcelFileDescriptor().getFd();
        return options.bundleDescriptor(descriptor, voices.getStartOffset(), voices.getDeclaredLength());
    }

    private static void close(AssetFileDescriptor voices) {
        try {
            voices.close();
        } catch (IOException nothingWasWritten) {
            // There is nothing to lose.
        }
    }
}
