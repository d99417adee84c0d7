package com.example.speech

import android.app.Application
import io.libspeech.SpeechEngine
import io.libspeech.SpeechException
import io.libspeech.android.AndroidSpeech

/** The app, which has one engine for everything in it. */
class SpeechApp : Application() {
    /**
     * The engine, which the first thread that asks loads: not the main one.
     *
     * @throws SpeechException if it cannot be loaded; the next one that asks tries again
     */
    val engine: SpeechEngine by lazy {
        AndroidSpeech.load(this).also { engine -> AndroidSpeech.trimOnLowMemory(this, engine) }
    }

    /** Loads the engine before it is needed. Whoever needs it hears of an error. */
    fun prepare() {
        Thread({ runCatching { engine.warmUp() } }, "speech-prepare").start()
    }
}
