package io.libspeech.android;

import android.content.ComponentCallbacks2;
import android.content.Context;
import android.content.res.Configuration;
import io.libspeech.SpeechEngine;
import io.libspeech.SpeechException;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/** Trims an engine when memory is low, until it is closed: {@link AndroidSpeech#trimOnLowMemory}. */
public final class LowMemoryTrimmer implements AutoCloseable {
    private final Context context;
    private final Callbacks callbacks;

    private LowMemoryTrimmer(Context context, SpeechEngine engine) {
        this.context = context;
        this.callbacks = new Callbacks(engine);
    }

    static LowMemoryTrimmer register(Context context, SpeechEngine engine) {
        // An activity would be kept by its callbacks. While the application is made, it has no context of its own.
        Context application = context.getApplicationContext();
        LowMemoryTrimmer trimmer = new LowMemoryTrimmer(application == null ? context : application, engine);
        trimmer.context.registerComponentCallbacks(trimmer.callbacks);
        return trimmer;
    }

    /** Ends it. Any thread may call it, any number of times. */
    @Override
    public void close() {
        context.unregisterComponentCallbacks(callbacks);
    }

    /** Called by Android, on the main thread. */
    private final class Callbacks implements ComponentCallbacks2 {
        private final WeakReference<SpeechEngine> engine;

        Callbacks(SpeechEngine engine) {
            this.engine = new WeakReference<>(engine);
        }

        /**
         * From {@code RUNNING_LOW} on, at which the system begins to be slow for want of memory. The levels after it are those of
         * an app that is not visible any more, and which Android ends the sooner the more it holds.
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
                // Android's own calls are no place to fail in.
            }
        }
    }
}
