package com.example.speech

import android.os.Build
import android.speech.tts.TextToSpeech
import io.libspeech.CancelledException
import io.libspeech.InternalException
import io.libspeech.InvalidRequestException
import io.libspeech.ModelException
import io.libspeech.Voice
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread
import org.junit.After
import org.junit.Assert.assertArrayEquals
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.android.controller.ServiceController

@RunWith(RobolectricTestRunner::class)
class VoiceServiceTest {
    private lateinit var controller: ServiceController<VoiceService>
    private lateinit var service: VoiceService

    @Before
    fun create() {
        app()
        controller = Robolectric.buildService(VoiceService::class.java).create()
        service = controller.get()
    }

    @After
    fun destroy() {
        controller.destroy()
        (RuntimeEnvironment.getApplication() as SpeechApp).engine.close()
    }

    private fun spoken(request: android.speech.tts.SynthesisRequest, heard: Heard = Heard()): Heard {
        service.onSynthesizeText(request, heard)
        return heard
    }

    @Test
    fun `languages as Android names them`() {
        assertEquals(listOf("eng-USA", "hin-IND"), LANGUAGE_NAMES)
        assertEquals(TextToSpeech.LANG_COUNTRY_AVAILABLE, service.onIsLanguageAvailable("eng", "USA", ""))
        assertEquals(TextToSpeech.LANG_COUNTRY_AVAILABLE, service.onIsLanguageAvailable("hin", "IND", null))
        assertEquals(TextToSpeech.LANG_COUNTRY_AVAILABLE, service.onIsLanguageAvailable("en", "US", null))
        assertEquals(TextToSpeech.LANG_AVAILABLE, service.onIsLanguageAvailable("eng", "GBR", ""))
        assertEquals(TextToSpeech.LANG_AVAILABLE, service.onIsLanguageAvailable("hin", null, null))
        for (other in listOf("fra", "", null)) {
            assertEquals(TextToSpeech.LANG_NOT_SUPPORTED, service.onIsLanguageAvailable(other, "USA", ""))
            assertEquals(TextToSpeech.LANG_NOT_SUPPORTED, service.onLoadLanguage(other, "USA", ""))
        }
        assertEquals(TextToSpeech.LANG_COUNTRY_AVAILABLE, service.onLoadLanguage("hin", "IND", ""))
        assertArrayEquals(arrayOf("hin", "IND", ""), service.onGetLanguage())
        service.onLoadLanguage("fra", "FRA", "")
        assertArrayEquals(arrayOf("hin", "IND", ""), service.onGetLanguage())
    }

    @Test
    fun `five voices in each language`() {
        val voices = service.onGetVoices()
        assertEquals(10, voices.map { it.name }.toSet().size)
        val languages = voices.map { "${it.locale.isO3Language}-${it.locale.isO3Country}" }
        assertEquals(setOf("eng-USA", "hin-IND"), languages.toSet())
        for (voice in voices) {
            assertFalse(voice.isNetworkConnectionRequired)
            assertEquals(TextToSpeech.SUCCESS, service.onIsValidVoiceName(voice.name))
            assertEquals(TextToSpeech.SUCCESS, service.onLoadVoice(voice.name))
        }
        for (other in listOf("aria", "en-US-Aria", "", null)) {
            assertEquals(TextToSpeech.ERROR, service.onIsValidVoiceName(other))
            assertEquals(TextToSpeech.ERROR, service.onLoadVoice(other))
        }
        assertEquals("en-US-aria", service.onGetDefaultVoiceNameFor("eng", "USA", ""))
        assertEquals("hi-IN-aria", service.onGetDefaultVoiceNameFor("hin", "IND", ""))
        assertNull(service.onGetDefaultVoiceNameFor("fra", "FRA", ""))
        ChosenVoice(service).voice = Voice.JOHN
        assertEquals("hi-IN-john", service.onGetDefaultVoiceNameFor("hin", "", ""))
        assertTrue(voices.any { it.name == "hi-IN-john" })
    }

    @Test
    fun `a text with its words`() {
        val text = "First this 😀. Then that, of 25 words."
        val heard = spoken(request(text))
        assertEquals(listOf("start 22050 2 1", "done"), heard.events)
        assertTrue("${heard.seconds} s", heard.seconds > 1)
        if (Build.VERSION.SDK_INT < 26) {
            assertEquals(emptyList<Any>(), heard.ranges)
            return
        }
        val words = heard.ranges.map { text.substring(it.second, it.third) }
        assertEquals(listOf("First", "this", "Then", "that", "of", "25", "words"), words)
        assertEquals(heard.ranges.map { it.first }.sorted(), heard.ranges.map { it.first })
        assertTrue(heard.ranges.last().first < heard.audio.size() / 2)
    }

    @Test
    fun `the voice of the request, of its language, or the chosen one`() {
        val aria = spoken(request("Good morning."))
        val john = spoken(request("Good morning.", voice = "en-US-john"))
        assertFalse(aria.audio.toByteArray().contentEquals(john.audio.toByteArray()))
        assertArrayEquals(aria.audio.toByteArray(), spoken(request("Good morning.", voice = "nobody")).audio.toByteArray())
        ChosenVoice(service).voice = Voice.JOHN
        assertArrayEquals(john.audio.toByteArray(), spoken(request("Good morning.")).audio.toByteArray())
        val refused = spoken(request("Bonjour.", language = "fra", country = "FRA"))
        assertEquals(TextToSpeech.ERROR_INVALID_REQUEST, refused.error)
        assertEquals(listOf("error"), refused.events)
    }

    @Test
    fun hindi() {
        val text = "नमस्ते, आप कैसे हैं?"
        val heard = spoken(request(text, language = "hin", country = "IND"))
        assertTrue("${heard.seconds} s", heard.seconds > 0.8)
        if (Build.VERSION.SDK_INT >= 26) {
            assertEquals(listOf("नमस्ते", "आप", "कैसे", "हैं"), heard.ranges.map { text.substring(it.second, it.third) })
        }
    }

    @Test
    fun `rate and pitch`() {
        val text = "It was a bright cold day in April."
        val usual = spoken(request(text))
        val fast = spoken(request(text, rate = 200))
        val slow = spoken(request(text, rate = 50))
        assertEquals(usual.seconds / 2, fast.seconds, usual.seconds / 8)
        assertEquals(usual.seconds * 2, slow.seconds, usual.seconds / 2)
        assertArrayEquals(fast.audio.toByteArray(), spoken(request(text, rate = 600)).audio.toByteArray())
        val high = spoken(request(text, pitch = 130))
        assertFalse(usual.audio.toByteArray().contentEquals(high.audio.toByteArray()))
        assertEquals(usual.seconds, high.seconds, usual.seconds / 8)

        assertEquals(1.0, rateOf(100), 0.0)
        assertEquals(0.5, rateOf(0), 0.0)
        assertEquals(0.0, pitchOf(100), 0.0)
        assertEquals(-6.0, pitchOf(0), 0.0)
        assertEquals(6.0, pitchOf(400), 0.0)
        assertEquals(3.86, pitchOf(125), 0.01)
    }

    @Test
    fun `texts that say nothing, and texts that no text is`() {
        for (nothing in listOf("", " ", "\n\t", "\u0000")) {
            val heard = spoken(request(nothing))
            assertEquals(listOf("start 22050 2 1", "done"), heard.events)
            assertEquals(0, heard.audio.size())
        }
        assertEquals(listOf("start 22050 2 1", "done"), spoken(request("😀!")).events)
        assertEquals("a b ", speakable("a\u0000b\ud83d"))
        assertEquals(" a😀", speakable("\ude00a😀"))
        assertTrue(spoken(request("One\u0000two\ud83d.")).audio.size() > 0)
        service.onSynthesizeText(null, null)
    }

    /** Exceeds the limit of a request of the library; Android sends at most 4,000 characters. */
    @Test
    fun `a long text`() {
        val text = "No. ".repeat(1_000)
        var stop = false
        val heard = Heard { heard ->
            stop = heard.seconds > 5
            if (stop) TextToSpeech.ERROR else TextToSpeech.SUCCESS
        }
        service.onSynthesizeText(request(text, rate = 200), heard)
        assertTrue(stop)
        assertEquals("an app that stopped hears no end", listOf("start 22050 2 1"), heard.events)
    }

    @Test
    fun `pieces are of the size that is asked for`() {
        val whole = spoken(request("Good morning."), Heard(1 shl 20))
        assertArrayEquals(whole.audio.toByteArray(), spoken(request("Good morning."), Heard(255)).audio.toByteArray())
    }

    @Test
    fun `it stops while it speaks`() {
        val begun = CountDownLatch(1)
        val goOn = CountDownLatch(1)
        val heard = Heard {
            begun.countDown()
            goOn.await(30, TimeUnit.SECONDS)
            TextToSpeech.SUCCESS
        }
        val text = "It was a bright cold day in April, and the clocks were striking thirteen. ".repeat(40)
        val synthesis = thread { service.onSynthesizeText(request(text), heard) }
        assertTrue(begun.await(60, TimeUnit.SECONDS))
        service.onStop()
        goOn.countDown()
        synthesis.join(30_000)
        assertFalse("it goes on", synthesis.isAlive)
        assertEquals(listOf("start 22050 2 1"), heard.events)
        assertTrue("${heard.seconds} s", heard.seconds < 30)
        // The next text is still spoken.
        assertTrue(spoken(request("Good morning.")).seconds > 0.3)
    }

    /** The computation of a sentence is stopped too. */
    @Test
    fun `it stops before the first sound`() {
        val heard = Heard()
        val synthesis = thread { service.onSynthesizeText(request("It was a bright cold day. ".repeat(20)), heard) }
        val end = System.nanoTime() + 30_000_000_000
        while (synthesis.isAlive) {
            service.onStop()
            Thread.sleep(1)
            assertTrue(System.nanoTime() < end)
        }
        assertFalse("done" in heard.events)
        assertNull(heard.error)
        service.onStop()
        assertEquals(listOf("start 22050 2 1", "done"), spoken(request("a")).events)
    }

    @Test
    fun `an app that went away is not spoken to`() {
        val heard = Heard()
        heard.startResult = TextToSpeech.ERROR
        spoken(request("Good morning."), heard)
        assertEquals(listOf("start 22050 2 1"), heard.events)
        assertEquals(0, heard.audio.size())
    }

    @Test
    fun `errors as Android names them`() {
        assertEquals(TextToSpeech.ERROR_NOT_INSTALLED_YET, codeOf(ModelException("")))
        assertEquals(TextToSpeech.ERROR_INVALID_REQUEST, codeOf(InvalidRequestException("")))
        assertEquals(TextToSpeech.ERROR_SERVICE, codeOf(CancelledException("")))
        assertEquals(TextToSpeech.ERROR_SYNTHESIS, codeOf(InternalException("")))
        (service.application as SpeechApp).engine.close()
        val heard = spoken(request("Good morning."))
        assertEquals(TextToSpeech.ERROR_INVALID_REQUEST, heard.error)
        assertEquals("error", heard.events.last())
    }
}

/** An app built without the voices. */
@RunWith(RobolectricTestRunner::class)
class WithoutVoicesTest {
    @Test
    fun `it says that they are not installed`() {
        val controller = Robolectric.buildService(VoiceService::class.java).create()
        val heard = Heard()
        controller.get().onSynthesizeText(request("Good morning."), heard)
        assertEquals(TextToSpeech.ERROR_NOT_INSTALLED_YET, heard.error)
        assertEquals(listOf("error"), heard.events)
        controller.destroy()
    }
}
