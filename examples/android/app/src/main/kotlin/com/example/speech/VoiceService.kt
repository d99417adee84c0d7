package com.example.speech

import android.annotation.TargetApi
import android.media.AudioFormat
import android.os.Build
import android.speech.tts.SynthesisCallback
import android.speech.tts.SynthesisRequest
import android.speech.tts.TextToSpeech
import android.speech.tts.TextToSpeechService
import android.speech.tts.Voice
import io.libspeech.CancelledException
import io.libspeech.EmptyTextException
import io.libspeech.InvalidRequestException
import io.libspeech.Language
import io.libspeech.Latency
import io.libspeech.ModelException
import io.libspeech.Speech
import io.libspeech.SpeechChunk
import io.libspeech.SpeechException
import io.libspeech.SpeechOptions
import io.libspeech.SpeechStream
import kotlin.math.ln
import kotlin.math.roundToInt

/**
 * The voices of the library as voices of the system, for screen readers and every other app.
 *
 * Android asks about voices on any thread, and has texts spoken one after the other on a thread of its own.
 */
class VoiceService : TextToSpeechService() {
    private val lock = Any()

    /** What is being spoken. Guarded by [lock]. */
    private var speaking: SpeechStream? = null

    /** Whether Android has stopped the text that is being spoken. Guarded by [lock]. */
    private var stopped = false

    @Volatile
    private var language = Language.EN_US

    override fun onCreate() {
        super.onCreate()
        (application as SpeechApp).prepare()
    }

    override fun onDestroy() {
        onStop()
        super.onDestroy()
    }

    public override fun onIsLanguageAvailable(language: String?, country: String?, variant: String?): Int =
        availability(language, country)

    /** Android calls this on the main thread, too: nothing is loaded here. */
    public override fun onLoadLanguage(language: String?, country: String?, variant: String?): Int {
        languageOf(language)?.let { this.language = it }
        return availability(language, country)
    }

    public override fun onGetLanguage(): Array<String> {
        val locale = SystemVoice(language, io.libspeech.Voice.ARIA).locale
        return arrayOf(locale.isO3Language, locale.isO3Country, "")
    }

    override fun onGetVoices(): List<Voice> =
        SystemVoice.ALL.map {
            Voice(it.name, it.locale, Voice.QUALITY_VERY_HIGH, Voice.LATENCY_LOW, false, emptySet())
        }

    override fun onIsValidVoiceName(voiceName: String?): Int =
        if (SystemVoice.named(voiceName) == null) TextToSpeech.ERROR else TextToSpeech.SUCCESS

    override fun onLoadVoice(voiceName: String?): Int {
        val voice = SystemVoice.named(voiceName) ?: return TextToSpeech.ERROR
        language = voice.language
        return TextToSpeech.SUCCESS
    }

    override fun onGetDefaultVoiceNameFor(language: String?, country: String?, variant: String?): String? =
        languageOf(language)?.let { SystemVoice(it, ChosenVoice(this).voice).name }

    public override fun onStop() {
        synchronized(lock) {
            stopped = true
            speaking?.close()
        }
    }

    public override fun onSynthesizeText(request: SynthesisRequest?, callback: SynthesisCallback?) {
        if (request == null || callback == null) {
            return
        }
        val voice = voiceOf(request)
        if (voice == null) {
            callback.error(TextToSpeech.ERROR_INVALID_REQUEST)
            return
        }
        synchronized(lock) { stopped = false }
        try {
            if (speak(speakable(request.charSequenceText.toString()), optionsOf(request, voice), callback)) {
                callback.done()
            }
        } catch (error: SpeechException) {
            // Closing what is spoken, when Android has stopped it, is what a cancellation comes from.
            if (!isStopped()) {
                callback.error(codeOf(error))
            }
        } catch (missing: LinkageError) {
            // The app has no native library for this device.
            callback.error(TextToSpeech.ERROR_NOT_INSTALLED_YET)
        } finally {
            synchronized(lock) {
                speaking?.close()
                speaking = null
            }
        }
    }

    /** The voice that a request names, or else the chosen one in the language that it names; null if that is not spoken. */
    private fun voiceOf(request: SynthesisRequest): SystemVoice? =
        SystemVoice.named(request.voiceName)
            ?: languageOf(request.language)?.let { SystemVoice(it, ChosenVoice(this).voice) }

    private fun optionsOf(request: SynthesisRequest, voice: SystemVoice): SpeechOptions =
        SpeechOptions.builder()
            .language(voice.language)
            .voice(voice.voice)
            .rate(rateOf(request.speechRate))
            .pitch(pitchOf(request.pitch))
            .latency(Latency.LOW)
            .build()

    /** Speaks it all. Says whether there was nothing that stopped it. */
    private fun speak(text: String, options: SpeechOptions, callback: SynthesisCallback): Boolean {
        val engine = (application as SpeechApp).engine
        if (callback.start(Speech.SAMPLE_RATE, AudioFormat.ENCODING_PCM_16BIT, 1) != TextToSpeech.SUCCESS) {
            return false
        }
        val stream =
            try {
                engine.streamLong(text, options)
            } catch (nothingToSay: EmptyTextException) {
                return true
            }
        synchronized(lock) {
            speaking = stream
            if (stopped) {
                return false
            }
        }
        return stream.all { chunk ->
            if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.O) {
                words(chunk, callback)
            }
            audio(chunk.toByteArray(), callback)
        }
    }

    private fun isStopped() = synchronized(lock) { stopped }

    /** Says where words begin before they are heard. */
    @TargetApi(Build.VERSION_CODES.O)
    private fun words(chunk: SpeechChunk, callback: SynthesisCallback) {
        for (word in chunk.words()) {
            val frame = (word.start() * Speech.SAMPLE_RATE).roundToInt()
            callback.rangeStart(frame, word.span().start(), word.span().end())
        }
    }

    /** Hands over the audio, and waits while enough is there to be played. Says whether it was taken. */
    private fun audio(bytes: ByteArray, callback: SynthesisCallback): Boolean {
        // Whole samples.
        val most = maxOf(2, callback.maxBufferSize / 2 * 2)
        var offset = 0
        while (offset < bytes.size && !isStopped()) {
            val length = minOf(most, bytes.size - offset)
            if (callback.audioAvailable(bytes, offset, length) != TextToSpeech.SUCCESS) {
                return false
            }
            offset += length
        }
        return true
    }
}

/** The rate of the library for that of Android, whose usual one is 100. */
internal fun rateOf(percent: Int): Double = (percent / 100.0).coerceIn(0.5, 2.0)

/** Semitones for the pitch of Android, whose usual one is 100. */
internal fun pitchOf(percent: Int): Double = (12 * ln(percent / 100.0) / ln(2.0)).coerceIn(-6.0, 6.0)

/** The text without what no text has, but apps may send all the same: NUL characters and halves of surrogate pairs. */
internal fun speakable(text: String): String {
    val pairs = StringBuilder(text)
    for (i in text.indices) {
        val half = when {
            text[i].isHighSurrogate() -> !(i + 1 < text.length && text[i + 1].isLowSurrogate())
            text[i].isLowSurrogate() -> !(i > 0 && text[i - 1].isHighSurrogate())
            else -> false
        }
        if (half || text[i] == '\u0000') {
            pairs.setCharAt(i, ' ')
        }
    }
    return pairs.toString()
}

/** What Android calls an error. */
internal fun codeOf(error: SpeechException): Int =
    when (error) {
        is ModelException -> TextToSpeech.ERROR_NOT_INSTALLED_YET
        is InvalidRequestException -> TextToSpeech.ERROR_INVALID_REQUEST
        is CancelledException -> TextToSpeech.ERROR_SERVICE
        else -> TextToSpeech.ERROR_SYNTHESIS
    }
