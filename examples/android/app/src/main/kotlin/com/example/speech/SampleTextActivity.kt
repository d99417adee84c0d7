package com.example.speech

import android.app.Activity
import android.content.Intent
import android.os.Bundle
import android.speech.tts.TextToSpeech
import io.libspeech.Language

/** Returns the sample text that the Android settings play. */
class SampleTextActivity : Activity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        val language = languageOf(intent.getStringExtra("language"))
        if (language == null) {
            setResult(TextToSpeech.LANG_NOT_SUPPORTED)
        } else {
            val data = Intent().putExtra(TextToSpeech.Engine.EXTRA_SAMPLE_TEXT, sampleOf(language))
            setResult(TextToSpeech.LANG_AVAILABLE, data)
        }
        finish()
    }

    private fun sampleOf(language: Language) =
        when (language) {
            Language.EN_US -> "This is how your device speaks English."
            Language.HI_IN -> "आपका डिवाइस हिन्दी ऐसे बोलता है।"
        }
}
