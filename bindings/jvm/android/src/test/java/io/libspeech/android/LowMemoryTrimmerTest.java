package io.libspeech.android;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import android.app.Application;
import android.content.ComponentCallbacks;
import android.content.ComponentCallbacks2;
import android.content.Context;
import android.content.ContextWrapper;
import io.libspeech.SpeechEngine;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;

/** Engines that free memory when Android reports that it is low. */
@RunWith(RobolectricTestRunner.class)
public class LowMemoryTrimmerTest {
    private static final String SENTENCE = "It was a bright cold day in April, and the clocks were striking thirteen.";

    private static SpeechEngine fake() {
        return SpeechEngine.builder().bundle(Support.fakeBundle()).threads(1).load();
    }

    /** An app that exposes its registered callbacks. */
    private static class App extends ContextWrapper {
        final List<ComponentCallbacks> registered = new ArrayList<>();

        App() {
            super(RuntimeEnvironment.getApplication());
        }

        @Override
        public Context getApplicationContext() {
            return this;
        }

        @Override
        public void registerComponentCallbacks(ComponentCallbacks callbacks) {
            registered.add(callbacks);
        }

        @Override
        public void unregisterComponentCallbacks(ComponentCallbacks callbacks) {
            registered.remove(callbacks);
        }

        ComponentCallbacks2 callbacks() {
            return (ComponentCallbacks2) registered.get(0);
        }
    }

    private static long given(Runnable call) throws Exception {
        long before = Support.resident();
        call.run();
        return before - Support.resident();
    }

    /** A real voice's scratch memory is freed at the intended levels only. */
    @Test
    public void memoryGoesBack() throws Exception {
        Application app = RuntimeEnvironment.getApplication();
        long much = 16 << 20;
        try (SpeechEngine engine = SpeechEngine.builder().bundle(Support.realBundle()).threads(1).load()) {
            AndroidSpeech.trimOnLowMemory(app, engine);
            engine.synthesize(SENTENCE);
            System.gc();
            long moderate = given(() -> app.onTrimMemory(ComponentCallbacks2.TRIM_MEMORY_RUNNING_MODERATE));
            assertTrue(moderate + " bytes", moderate < much);
            for (int level :
                    new int[] {
                        ComponentCallbacks2.TRIM_MEMORY_RUNNING_LOW,
                        ComponentCallbacks2.TRIM_MEMORY_UI_HIDDEN,
                        ComponentCallbacks2.TRIM_MEMORY_BACKGROUND
                    }) {
                long bytes = given(() -> app.onTrimMemory(level));
                assertTrue("level " + level + ": " + bytes + " bytes", bytes > much);
                engine.synthesize(SENTENCE);
            }
            long low = given(app::onLowMemory);
            assertTrue(low + " bytes", low > much);
            assertTrue(engine.synthesize("And again.").sampleCount() > 0);
        }
    }

    @Test
    public void itEndsWhenItIsClosed() {
        App app = new App();
        try (SpeechEngine engine = fake()) {
            LowMemoryTrimmer trimmer = AndroidSpeech.trimOnLowMemory(app, engine);
            app.callbacks().onConfigurationChanged(null);
            assertEquals(1, app.registered.size());
            trimmer.close();
            trimmer.close();
            assertEquals(0, app.registered.size());
        }
    }

    @Test
    public void itOutlivesTheEngineWithoutHarm() {
        App app = new App();
        SpeechEngine engine = fake();
        LowMemoryTrimmer trimmer = AndroidSpeech.trimOnLowMemory(app, engine);
        ComponentCallbacks2 callbacks = app.callbacks();
        engine.close();
        callbacks.onTrimMemory(ComponentCallbacks2.TRIM_MEMORY_BACKGROUND);
        assertEquals("a closed engine needs none", 0, app.registered.size());
        callbacks.onLowMemory();
        trimmer.close();
    }

    @Test
    public void itDoesNotKeepTheEngine() throws Exception {
        App app = new App();
        WeakReference<SpeechEngine> engine = registered(app);
        ComponentCallbacks2 callbacks = app.callbacks();
        Support.until("the engine is collected", () -> {
            System.gc();
            return engine.get() == null;
        });
        callbacks.onTrimMemory(ComponentCallbacks2.TRIM_MEMORY_RUNNING_CRITICAL);
        assertEquals(0, app.registered.size());
    }

    private static WeakReference<SpeechEngine> registered(Context app) {
        SpeechEngine engine = fake();
        AndroidSpeech.trimOnLowMemory(app, engine);
        return new WeakReference<>(engine);
    }

    /**
     * The trimmer does not keep an activity alive. It uses a context without an application
     * directly.
     */
    @Test
    public void theApplicationIsWhatHearsOfIt() {
        App app = new App();
        App activity = new App() {
            @Override
            public Context getApplicationContext() {
                return app;
            }
        };
        App early = new App() {
            @Override
            public Context getApplicationContext() {
                return null;
            }
        };
        try (SpeechEngine engine = fake()) {
            AndroidSpeech.trimOnLowMemory(activity, engine);
            assertEquals(0, activity.registered.size());
            assertEquals(1, app.registered.size());
            AndroidSpeech.trimOnLowMemory(early, engine);
            assertEquals(1, early.registered.size());
        }
    }
}
