package com.example.speech

import android.app.Activity
import android.content.Intent
import android.os.Looper
import android.speech.tts.TextToSpeech.Engine
import android.speech.tts.TextToSpeech.LANG_AVAILABLE
import android.speech.tts.TextToSpeech.LANG_NOT_SUPPORTED
import android.widget.RadioButton
import io.libspeech.Language
import io.libspeech.SpeechEngine
import io.libspeech.Voice
import java.io.ByteArrayOutputStream
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import org.junit.After
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.shadows.ShadowAudioTrack

@RunWith(RobolectricTestRunner::class)
class ActivitiesTest {
    private val played = ByteArrayOutputStream()
    private var onAudio = {}
    private val listener =
        ShadowAudioTrack.OnAudioDataWrittenListener { _, audio, _ ->
            played.write(audio)
            onAudio()
        }

    init {
        ShadowAudioTrack.addAudioDataListener(listener)
    }

    @After
    fun end() {
        ShadowAudioTrack.removeAudioDataListener(listener)
        ShadowAudioTrack.resetTest()
    }

    private fun result(activity: Class<out Activity>, intent: Intent = Intent()): Pair<Int, Intent?> {
        val made = Robolectric.buildActivity(activity, intent).create().get()
        assertTrue(made.isFinishing)
        return Pair(shadowOf(made).resultCode, shadowOf(made).resultIntent)
    }

    @Test
    fun `which languages are there`() {
        fun check(code: Int, available: List<String>, unavailable: List<String>) {
            val (found, data) = result(CheckVoiceDataActivity::class.java)
            assertEquals(code, found)
            assertEquals(available, data!!.getStringArrayListExtra(Engine.EXTRA_AVAILABLE_VOICES))
            assertEquals(unavailable, data.getStringArrayListExtra(Engine.EXTRA_UNAVAILABLE_VOICES))
        }
        check(Engine.CHECK_VOICE_DATA_FAIL, emptyList(), listOf("eng-USA", "hin-IND"))
        app()
        check(Engine.CHECK_VOICE_DATA_PASS, listOf("eng-USA", "hin-IND"), emptyList())
    }

    @Test
    fun `what the settings play`() {
        for (language in listOf("eng", "hin")) {
            val (code, data) = result(SampleTextActivity::class.java, Intent().putExtra("language", language))
            assertEquals(LANG_AVAILABLE, code)
            assertTrue(data!!.getStringExtra(Engine.EXTRA_SAMPLE_TEXT)!!.length > 10)
        }
        assertEquals(LANG_NOT_SUPPORTED, result(SampleTextActivity::class.java).first)
    }

    @Test
    fun `the settings keep who speaks`() {
        val activity = Robolectric.buildActivity(SettingsActivity::class.java).setup().get()
        assertTrue(activity.findViewById<RadioButton>(1).isChecked)
        activity.findViewById<RadioButton>(1 + Voice.LEO.ordinal).performClick()
        assertEquals(Voice.LEO, ChosenVoice(activity).voice)
        val again = Robolectric.buildActivity(SettingsActivity::class.java).setup().get()
        assertTrue(again.findViewById<RadioButton>(1 + Voice.LEO.ordinal).isChecked)
        assertEquals(listOf("Aria", "Jason", "John", "Leo", "Sofia"), Voice.values().map(::nameOf))
    }

    private fun main() = Robolectric.buildActivity(MainActivity::class.java).setup()

    private fun MainActivity.until(text: String) {
        val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60)
        while (status.text.toString() != text) {
            assertTrue("it says ${status.text}", System.nanoTime() < end)
            shadowOf(Looper.getMainLooper()).idle()
            Thread.sleep(10)
        }
    }

    @Test
    fun `what is typed is played`() {
        val app = app()
        val controller = main()
        val activity = controller.get()
        activity.text.setText("नमस्ते, आप कैसे हैं?")
        activity.language.setSelection(Language.HI_IN.ordinal)
        activity.voice.setSelection(Voice.SOFIA.ordinal)
        activity.speak.performClick()
        activity.until("Done")
        assertTrue("${played.size()} bytes", played.size() > 0.8 * 2 * 22_050)
        controller.pause().stop().destroy()
        app.engine.close()
    }

    @Test
    fun `it stops`() {
        val app = app()
        val controller = main()
        val activity = controller.get()
        val begun = CountDownLatch(1)
        onAudio = begun::countDown
        activity.text.setText("It was a bright cold day in April. ".repeat(25))
        activity.speak.performClick()
        assertTrue(begun.await(60, TimeUnit.SECONDS))
        activity.stop.performClick()
        activity.until("Done")
        assertTrue("${played.size()} bytes", played.size() < 20 * 2 * 22_050)
        activity.stop.performClick()
        controller.pause().stop().destroy()
        app.engine.close()
    }

    @Test
    fun `it says what is wrong`() {
        val controller = main()
        val activity = controller.get()
        activity.speak.performClick()
        val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60)
        while ("libspeech-sdk-voices-android" !in activity.status.text) {
            assertTrue("it says ${activity.status.text}", System.nanoTime() < end)
            shadowOf(Looper.getMainLooper()).idle()
            Thread.sleep(10)
        }
        val app = app()
        activity.text.setText("")
        activity.speak.performClick()
        activity.until("text is empty")
        controller.pause().stop().destroy()
        app.engine.close()
    }

    @Test
    fun `a playback that was stopped before it starts plays nothing`() {
        SpeechEngine.builder().bundle(variable("SPEECH_FAKE_MODEL")).load().use { engine ->
            val stream = engine.stream("Good morning.")
            val playback = Playback { stream }
            playback.stop()
            playback.run()
            assertEquals(0, played.size())
            assertTrue(stream.isClosed)
            playback.stop()

            // All of it, and the silence that fills the buffer.
            val whole = engine.synthesize("Good morning.").toByteArray()
            Playback { engine.stream("Good morning.") }.run()
            assertArrayEquals(whole, played.toByteArray().copyOf(whole.size))
            assertFalse(played.toByteArray().drop(whole.size).any { it != 0.toByte() })
        }
    }
}
