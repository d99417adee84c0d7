package com.example.speech

import android.app.Application
import io.libspeech.SpeechEngine
import io.libspeech.SpeechException
import io.libspeech.android.AndroidSpeech

/** The app, with one engine for all its components. */
class SpeechApp : Application() {
    /**
     * The engine. The first access loads it, so it must not be on the main thread.
     *
     * @throws SpeechException if it cannot be loaded; the next access tries again
     */
    val engine: SpeechEngine by lazy {
        AndroidSpeech.load(this).also { engine -> AndroidSpeech.trimOnLowMemory(this, engine) }
    }

    /** Loads the engine ahead of time. An error is reported at the next access to [engine]. */
    fun prepare() {
        Thread({ runCatching { engine.warmUp() } }, "speech-prepare").start()
    }
}
