package io.libspeech.android;

import android.content.ComponentCallbacks2;
import android.content.Context;
import android.content.res.Configuration;
import io.libspeech.SpeechEngine;
import io.libspeech.SpeechException;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Trims an engine when memory is low, until it is closed: {@link AndroidSpeech#trimOnLowMemory}.
 */
public final class LowMemoryTrimmer implements AutoCloseable {
    private final Context context;
    private final Callbacks callbacks;

    private LowMemoryTrimmer(Context context, SpeechEngine engine) {
        this.context = context;
        this.callbacks = new Callbacks(engine);
    }

    static LowMemoryTrimmer register(Context context, SpeechEngine engine) {
        // The callbacks would keep an activity alive. While the application is being created, it
        // has no application context.
        Context application = context.getApplicationContext();
        LowMemoryTrimmer trimmer = new LowMemoryTrimmer(application == null ? context : application, engine);
        trimmer.context.registerComponentCallbacks(trimmer.callbacks);
        return trimmer;
    }

    /** Stops trimming. Thread-safe and idempotent. */
    @Override
    public void close() {
        context.unregisterComponentCallbacks(callbacks);
    }

    /** Android calls these methods on the main thread. */
    private final class Callbacks implements ComponentCallbacks2 {
        private final WeakReference<SpeechEngine> engine;

        Callbacks(SpeechEngine engine) {
            this.engine = new WeakReference<>(engine);
        }

        /**
         * Trims from {@code RUNNING_LOW} on, where the system becomes slow for lack of memory. The
         * higher levels are those of an app that is no longer visible; Android kills such an app
         * sooner the more memory it uses.
         */
        @Override
        public void onTrimMemory(int level) {
            if (level >= TRIM_MEMORY_RUNNING_LOW) {
                trim();
            }
        }

        @Override
        public void onLowMemory() {
            trim();
        }

        @Override
        public void onConfigurationChanged(@Nullable Configuration configuration) {}

        private void trim() {
            SpeechEngine open = engine.get();
            if (open == null || open.isClosed()) {
                close();
                return;
            }
            try {
                open.trim();
            } catch (SpeechException closedMeanwhile) {
                // An exception here would crash the app.
            }
        }
    }
}
