package com.example.speech

import android.os.Bundle
import android.speech.tts.SynthesisCallback
import android.speech.tts.SynthesisRequest
import android.speech.tts.TextToSpeech
import io.libspeech.android.AndroidSpeech
import java.io.ByteArrayOutputStream
import java.io.File
import java.util.zip.CRC32
import java.util.zip.ZipEntry
import java.util.zip.ZipOutputStream
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertTrue
import org.robolectric.RuntimeEnvironment

/** The file or folder in an environment variable, set by `cargo xtask android`. */
fun variable(name: String): File {
    val file = File(checkNotNull(System.getenv(name)) { "$name is not set: run `cargo xtask android`" })
    assertTrue("$name names $file, which is not there", file.exists())
    return file
}

/** The APK with the real voices, built once. */
private val apk: File by lazy {
    val file = File.createTempFile("app", ".apk")
    file.deleteOnExit()
    val voices = variable("SPEECH_REFERENCE_BUNDLE").readBytes()
    ZipOutputStream(file.outputStream()).use { zip ->
        val entry = ZipEntry("assets/" + AndroidSpeech.VOICES)
        entry.method = ZipEntry.STORED
        entry.size = voices.size.toLong()
        entry.crc = CRC32().apply { update(voices) }.value
        zip.putNextEntry(entry)
        zip.write(voices)
        zip.closeEntry()
    }
    file
}

/** The app, with the real voices. */
fun app(): SpeechApp {
    val app = RuntimeEnvironment.getApplication() as SpeechApp
    assertNotEquals(0, app.assets.addAssetPath(apk.path))
    return app
}

/** A request in Android's form. */
fun request(
    text: String,
    language: String = "eng",
    country: String = "USA",
    voice: String? = null,
    rate: Int = 100,
    pitch: Int = 100,
): SynthesisRequest {
    val request = SynthesisRequest(text, Bundle())
    fun set(name: String, vararg values: Any) {
        val types = values.map { it::class.javaPrimitiveType ?: it.javaClass }.toTypedArray()
        val method = SynthesisRequest::class.java.getDeclaredMethod(name, *types)
        method.isAccessible = true
        method.invoke(request, *values)
    }
    set("setLanguage", language, country, "")
    voice?.let { set("setVoiceName", it) }
    set("setSpeechRate", rate)
    set("setPitch", pitch)
    return request
}

/** Records the callbacks of a synthesis. */
class Heard(private val size: Int = 8192, private val onAudio: (Heard) -> Int = { TextToSpeech.SUCCESS }) :
    SynthesisCallback {
    val audio = ByteArrayOutputStream()
    val ranges = ArrayList<Triple<Int, Int, Int>>()
    val events = ArrayList<String>()
    var error: Int? = null
    var startResult = TextToSpeech.SUCCESS

    val seconds
        get() = audio.size() / 2 / 22_050.0

    override fun getMaxBufferSize() = size

    override fun start(sampleRateInHz: Int, audioFormat: Int, channelCount: Int): Int {
        events += "start $sampleRateInHz $audioFormat $channelCount"
        return startResult
    }

    override fun audioAvailable(buffer: ByteArray, offset: Int, length: Int): Int {
        assertTrue("$length bytes", length in 1..size)
        assertEquals(0, length % 2)
        assertEquals("nothing comes after an end", "start 22050 2 1", events.last())
        audio.write(buffer, offset, length)
        return onAudio(this)
    }

    override fun done(): Int {
        events += "done"
        return TextToSpeech.SUCCESS
    }

    override fun error() = error(TextToSpeech.ERROR)

    override fun error(errorCode: Int) {
        events += "error"
        error = errorCode
    }

    override fun hasStarted() = events.isNotEmpty()

    override fun hasFinished() = "done" in events

    override fun rangeStart(markerInFrames: Int, start: Int, end: Int) {
        // A range is reported before its audio.
        assertTrue("$markerInFrames", markerInFrames >= audio.size() / 2)
        ranges += Triple(markerInFrames, start, end)
    }
}
