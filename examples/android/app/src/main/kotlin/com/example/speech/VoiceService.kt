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
 * The library's voices as system voices, for screen readers and all other apps.
 *
 * Android asks about voices on any thread, and requests speech on one thread of its own, one text
 * after the other.
 */
class VoiceService : TextToSpeechService() {
    private val lock = Any()

    /** The current stream. Guarded by [lock]. */
    private var speaking: SpeechStream? = null

    /** Whether Android has stopped the current text. Guarded by [lock]. */
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

    /** Android also calls this on the main thread, so it must not load the engine. */
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
            // When Android stops the text, `onStop` closes the stream, which cancels it: no error.
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

    /**
     * The voice that a request names, or else the chosen voice in the language of the request;
     * null for an unsupported language.
     */
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

    /** Speaks the whole text. Returns false if it was stopped or rejected. */
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

    /** Reports the start of each word before it is heard. */
    @TargetApi(Build.VERSION_CODES.O)
    private fun words(chunk: SpeechChunk, callback: SynthesisCallback) {
        for (word in chunk.words()) {
            val frame = (word.start() * Speech.SAMPLE_RATE).roundToInt()
            callback.rangeStart(frame, word.span().start(), word.span().end())
        }
    }

    /** Passes the audio to Android; waits while its buffer is full. Returns false if it was rejected. */
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

/** Converts Android's rate, by default 100, to the library's. */
internal fun rateOf(percent: Int): Double = (percent / 100.0).coerceIn(0.5, 2.0)

/** Converts Android's pitch, by default 100, to semitones. */
internal fun pitchOf(percent: Int): Double = (12 * ln(percent / 100.0) / ln(2.0)).coerceIn(-6.0, 6.0)

/**
 * The text without the characters that the library rejects but apps may send: NUL and unpaired
 * surrogates.
 */
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

/** Android's code of an error. */
internal fun codeOf(error: SpeechException): Int =
    when (error) {
        is ModelException -> TextToSpeech.ERROR_NOT_INSTALLED_YET
        is InvalidRequestException -> TextToSpeech.ERROR_INVALID_REQUEST
        is CancelledException -> TextToSpeech.ERROR_SERVICE
        else -> TextToSpeech.ERROR_SYNTHESIS
    }
