package com.example.speech

import android.app.Activity
import android.os.Bundle
import android.widget.ArrayAdapter
import android.widget.Button
import android.widget.EditText
import android.widget.LinearLayout
import android.widget.Spinner
import android.widget.TextView
import io.libspeech.Language
import io.libspeech.Latency
import io.libspeech.SpeechOptions
import io.libspeech.Voice
import java.util.Locale
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors

/** Speaks the typed text. It creates its views in code, so that there is one file to read. */
class MainActivity : Activity() {
    internal lateinit var text: EditText
    internal lateinit var language: Spinner
    internal lateinit var voice: Spinner
    internal lateinit var speak: Button
    internal lateinit var stop: Button
    internal lateinit var status: TextView

    /** The thread that loads the engine and plays. */
    private lateinit var background: ExecutorService

    /** The current playback. Used on the main thread only. */
    private var playback: Playback? = null

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        background = Executors.newSingleThreadExecutor()
        text = EditText(this).apply { setText("Hello, world. This is spoken on the device.") }
        language = spinner(Language.values().map { Locale.forLanguageTag(it.tag()).displayLanguage })
        voice = spinner(Voice.values().map(::nameOf))
        speak = Button(this).apply { text = "Speak" }
        stop = Button(this).apply { text = "Stop" }
        status = TextView(this)
        speak.setOnClickListener { start() }
        stop.setOnClickListener { playback?.stop() }
        val column = LinearLayout(this)
        column.orientation = LinearLayout.VERTICAL
        column.setPadding(48, 48, 48, 48)
        listOf(text, language, voice, speak, stop, status).forEach(column::addView)
        setContentView(column)
        (application as SpeechApp).prepare()
    }

    override fun onStop() {
        playback?.stop()
        super.onStop()
    }

    override fun onDestroy() {
        background.shutdown()
        super.onDestroy()
    }

    private fun start() {
        playback?.stop()
        val spoken = text.text.toString()
        val options =
            SpeechOptions.builder()
                .language(Language.values()[language.selectedItemPosition])
                .voice(Voice.values()[voice.selectedItemPosition])
                .latency(Latency.LOW)
                .build()
        val started = Playback { (application as SpeechApp).engine.stream(spoken, options) }
        playback = started
        status.text = "Speaking"
        background.execute {
            val result =
                try {
                    started.run()
                    "Done"
                } catch (error: RuntimeException) {
                    // From the library, or from Android if there is no loudspeaker.
                    error.message
                } catch (missing: LinkageError) {
                    // The app has no native library for this device.
                    missing.message
                }
            runOnUiThread {
                if (playback === started) {
                    playback = null
                    status.text = result
                }
            }
        }
    }

    private fun spinner(names: List<String>): Spinner {
        val spinner = Spinner(this)
        val adapter = ArrayAdapter(this, android.R.layout.simple_spinner_item, names)
        adapter.setDropDownViewResource(android.R.layout.simple_spinner_dropdown_item)
        spinner.adapter = adapter
        return spinner
    }
}

/** The display name of a voice. */
internal fun nameOf(voice: Voice) = voice.id().replaceFirstChar { it.uppercaseChar() }
