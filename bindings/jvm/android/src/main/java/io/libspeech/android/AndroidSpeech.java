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
 * Engines for apps. The voices are an asset of the app, {@value #VOICES}, from the dependency
 * {@code io.libspeech:libspeech-sdk-voices-android} or an asset pack. The asset is mapped into
 * memory directly from the APK, and nothing is unpacked. The app must therefore not compress it,
 * which needs a line in {@code build.gradle.kts}:
 *
 * <pre>{@code
 * android { androidResources { noCompress += "tar" } }
 * }</pre>
 *
 * <p>Voices that the app has downloaded, or that are in an on-demand asset pack, are files, and do
 * not need this class:
 *
 * <pre>{@code
 * SpeechEngine.builder().bundle(new File(context.getFilesDir(), "voices.tar")).load();
 * File assets = new File(assetPackLocation.assetsPath());
 * SpeechEngine.builder().bundle(new File(assets, AndroidSpeech.VOICES)).load();
 * }</pre>
 *
 * <p>Loading takes up to a second, and speaking longer: do neither on the main thread. The
 * functions with a callback do not block.
 */
public final class AndroidSpeech {
    /** The path of the asset with the voices. */
    public static final String VOICES = "libspeech/voices.tar";

    private AndroidSpeech() {}

    /**
     * Loads an engine with the voices of the app and default options.
     *
     * @param context any context of the app
     * @return the engine
     * @throws ModelException if the app has no voices, or has compressed them; if they are damaged
     *     or of another version
     * @throws CancelledException if the thread is interrupted
     */
    public static SpeechEngine load(Context context) {
        return load(context, SpeechEngine.builder());
    }

    /**
     * Loads an engine with the voices of the app.
     *
     * @param context any context of the app
     * @param options the other options; the bundle is set to the voices of the app
     * @return the engine
     * @throws ModelException if the app has no voices, or has compressed them; if they are damaged
     *     or of another version
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
     * Loads an engine with the voices of the app and default options, without blocking.
     *
     * @param context any context of the app
     * @param callback receives the engine, or the error that {@link #load(Context)} throws, on one
     *     of the library's threads
     * @return the call; cancelling it makes the callback fail
     */
    public static SpeechCall load(Context context, SpeechCallback<? super SpeechEngine> callback) {
        return load(context, SpeechEngine.builder(), callback);
    }

    /**
     * Loads an engine with the voices of the app without blocking.
     *
     * @param context any context of the app
     * @param options the other options; the bundle is set to the voices of the app
     * @param callback receives the engine, or the error that {@link #load(Context,
     *     SpeechEngine.Builder)} throws, on one of the library's threads
     * @return the call; cancelling it makes the callback fail, but loading continues
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
     * Frees the scratch memory of an engine, as {@link SpeechEngine#trim} does, whenever Android
     * reports that the app is no longer visible or that memory is low.
     *
     * <p>It does not keep the engine alive: it ends when the engine is closed or becomes
     * unreachable, so the returned object need not be kept. Running requests are not affected.
     *
     * @param context any context of the app
     * @param engine the engine
     * @return an object whose {@code close} ends it earlier
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
            // The engine is closed, so there is nothing to trim.
        }
    }
}
