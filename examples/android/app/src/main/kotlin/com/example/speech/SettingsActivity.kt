package com.example.speech

import android.app.Activity
import android.os.Bundle
import android.widget.RadioButton
import android.widget.RadioGroup
import io.libspeech.Voice

/** The settings of the system voice: the voice for apps that name none. */
class SettingsActivity : Activity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        val chosen = ChosenVoice(this)
        val group = RadioGroup(this)
        group.setPadding(48, 48, 48, 48)
        for (voice in Voice.values()) {
            val button = RadioButton(this)
            button.id = 1 + voice.ordinal
            button.text = nameOf(voice)
            group.addView(button)
        }
        group.check(1 + chosen.voice.ordinal)
        group.setOnCheckedChangeListener { _, id -> chosen.voice = Voice.values()[id - 1] }
        setContentView(group)
    }
}
