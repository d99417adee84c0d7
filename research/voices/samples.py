"""Recordings of every voice in both languages, for the documentation."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import librosa
import soundfile
from bundle.voices import LANGUAGES, VOICES

_TEXTS = {
    "en-US": "Hello! I am {voice}. The train to Boston leaves at 7:45 from platform 12, so we still have time for coffee.",
    "hi-IN": "नमस्ते! मैं {voice} हूँ। दिल्ली की गाड़ी 7:45 बजे प्लेटफ़ॉर्म 12 से छूटेगी, तब तक चाय पी लेते हैं।",
}
_OPUS_RATE = 48_000
_NAMES_IN_HINDI = {"aria": "आरिया", "jason": "जेसन", "john": "जॉन", "leo": "लियो", "sofia": "सोफ़िया"}


def write(speech: Path, bundle: Path, out: Path) -> None:
    """Writes `VOICE-LANGUAGE.opus` for each voice and language: Opus in Ogg, mono."""
    out.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        for voice in VOICES:
            name = _NAMES_IN_HINDI[voice] if language == "hi-IN" else voice.capitalize()
            text = _TEXTS[language].format(voice=name)
            command = [speech, "say", "--bundle", bundle, "--voice", voice, "--language", language, text]
            wav = subprocess.run(command, capture_output=True, check=True).stdout
            samples, rate = soundfile.read(io.BytesIO(wav), dtype="float32")
            path = out / f"{voice}-{language}.opus"
            samples = librosa.resample(samples, orig_sr=rate, target_sr=_OPUS_RATE)
            soundfile.write(path, samples, _OPUS_RATE, format="OGG", subtype="OPUS")
            print(path)
