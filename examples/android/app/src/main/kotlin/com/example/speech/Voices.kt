package com.example.speech

import android.content.Context
import android.speech.tts.TextToSpeech
import io.libspeech.Language
import io.libspeech.Voice
import java.util.Locale

/** A voice in Android's sense: a voice of the library in one of its languages. */
data class SystemVoice(val language: Language, val voice: Voice) {
    /** Such as `en-US-aria`. */
    val name = "${language.tag()}-${voice.id()}"

    val locale: Locale = Locale.forLanguageTag(language.tag())

    companion object {
        val ALL = Language.values().flatMap { language -> Voice.values().map { SystemVoice(language, it) } }

        fun named(name: String?): SystemVoice? = ALL.find { it.name == name }
    }
}

/** The language with Android's three-letter code; null if it is not supported. */
fun languageOf(code: String?): Language? =
    Language.values().find { code != null && Locale.forLanguageTag(it.tag()).isLanguage(code) }

private fun Locale.isLanguage(code: String) = code.equals(isO3Language, true) || code.equals(language, true)

private fun Locale.isCountry(code: String) = code.equals(isO3Country, true) || code.equals(country, true)

/** Android's code for how well a language is supported. */
fun availability(language: String?, country: String?): Int {
    val known = languageOf(language) ?: return TextToSpeech.LANG_NOT_SUPPORTED
    val locale = Locale.forLanguageTag(known.tag())
    return when {
        country != null && locale.isCountry(country) -> TextToSpeech.LANG_COUNTRY_AVAILABLE
        else -> TextToSpeech.LANG_AVAILABLE
    }
}

/** Android's names of the languages: `eng-USA` and `hin-IND`. */
val LANGUAGE_NAMES =
    Language.values().map { Locale.forLanguageTag(it.tag()) }.map { "${it.isO3Language}-${it.isO3Country}" }

/** The voice that the user has chosen, for requests that name none. */
class ChosenVoice(context: Context) {
    private val preferences = context.getSharedPreferences("voice", Context.MODE_PRIVATE)

    var voice: Voice
        get() = Voice.values().find { it.id() == preferences.getString("voice", null) } ?: Voice.ARIA
        set(value) = preferences.edit().putString("voice", value.id()).apply()
}
