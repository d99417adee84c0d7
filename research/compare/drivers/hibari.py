"""The package hibari-tts with its built-in voice, streaming one sentence at a time."""

from __future__ import annotations

from typing import Any

from hibari import Hibari

from .protocol import Heard, serve


class HeartVoice:
    """The package's class. It loads its text front end on first use; here at once, because the user waits for that
    too."""

    def __init__(self, job: dict[str, Any]) -> None:
        self._voice = Hibari(threads=job["threads"])
        self._voice.phonemize("Loaded.")
        self.rate = self._voice.sample_rate

    def speak(self, text: str, heard: Heard) -> None:
        for samples in self._voice.stream(text, seed=0):
            heard(samples)


if __name__ == "__main__":
    serve(HeartVoice, ["hibari-tts", "onnxruntime"])
