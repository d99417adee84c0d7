package com.example.speech

import android.app.Activity
import android.content.Intent
import android.os.Bundle
import android.speech.tts.TextToSpeech
import io.libspeech.android.AndroidSpeech
import java.io.IOException

/** Tells Android which languages are available: all, if the app contains its voices. */
class CheckVoiceDataActivity : Activity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        val names = ArrayList(LANGUAGE_NAMES)
        val present = hasVoices()
        val data =
            Intent()
                .putStringArrayListExtra(
                    TextToSpeech.Engine.EXTRA_AVAILABLE_VOICES,
                    if (present) names else ArrayList(),
                )
                .putStringArrayListExtra(
                    TextToSpeech.Engine.EXTRA_UNAVAILABLE_VOICES,
                    if (present) ArrayList() else names,
                )
        val result =
            if (present) TextToSpeech.Engine.CHECK_VOICE_DATA_PASS else TextToSpeech.Engine.CHECK_VOICE_DATA_FAIL
        setResult(result, data)
        finish()
    }

    private fun hasVoices(): Boolean =
        try {
            assets.openFd(AndroidSpeech.VOICES).close()
            true
        } catch (missing: IOException) {
            false
        }
}
