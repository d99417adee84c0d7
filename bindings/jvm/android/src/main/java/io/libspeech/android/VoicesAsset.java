package io.libspeech.android;

import android.content.Context;
import android.content.res.AssetFileDescriptor;
import android.content.res.AssetManager;
import io.libspeech.ModelException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The asset with the voices. */
final class VoicesAsset {
    private VoicesAsset() {}

    /** Opens the asset. The error names the missing part of the app's build. */
    static AssetFileDescriptor open(Context context) {
        AssetManager assets = Objects.requireNonNull(context, "context").getAssets();
        try {
            return assets.openFd(AndroidSpeech.VOICES);
        } catch (FileNotFoundException failure) {
            // Android reports a compressed asset as missing too.
            throw isThere(assets) ? compressed(failure) : missing(failure);
        } catch (IOException failure) {
            throw failed("the asset " + AndroidSpeech.VOICES + " cannot be read", "file_unreadable", null, failure);
        }
    }

    private static boolean isThere(AssetManager assets) {
        try {
            assets.open(AndroidSpeech.VOICES).close();
            return true;
        } catch (IOException missing) {
            return false;
        }
    }

    private static ModelException missing(IOException failure) {
        String message =
                "the app has no asset "
                        + AndroidSpeech.VOICES
                        + ": add the dependency io.libspeech:libspeech-sdk-voices-android, or load voices from a file with"
                        + " SpeechEngine.builder().bundle(file)";
        return failed(message, "bundle_not_found", "install_voices", failure);
    }

    private static ModelException compressed(IOException failure) {
        String message =
                "the asset "
                        + AndroidSpeech.VOICES
                        + " is compressed, and cannot be mapped into memory: add to the app's build.gradle.kts"
                        + " android { androidResources { noCompress += \"tar\" } }";
        return failed(message, "file_unreadable", null, failure);
    }

    private static ModelException failed(
            String message, String detail, @Nullable String advice, IOException failure) {
        ModelException error = new ModelException(message, detail, advice);
        error.initCause(failure);
        return error;
    }
}
