"""The package sherpa-onnx on Kokoro, with a lexicon, streaming through the callback of `generate`.

Since version 2.0 the package makes no phonemes: it looks words up in a lexicon, or takes phonemes. See `inputs`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import sherpa_onnx

from .protocol import Heard, serve

GO_ON = 1


class SherpaVoice:
    """The first speaker of the model. The package brings its own ONNX Runtime."""

    def __init__(self, job: dict[str, Any]) -> None:
        options = job["options"]
        directory = Path(options["directory"])
        kokoro = sherpa_onnx.OfflineTtsKokoroModelConfig(
            model=str(directory / options["model"]),
            voices=str(directory / "voices.bin"),
            tokens=str(directory / "tokens.txt"),
            lexicon=str(directory / "lexicon.txt"),
        )
        model = sherpa_onnx.OfflineTtsModelConfig(kokoro=kokoro, num_threads=job["threads"])
        self._tts = sherpa_onnx.OfflineTts(sherpa_onnx.OfflineTtsConfig(model=model))
        self.rate = self._tts.sample_rate

    def speak(self, text: str, heard: Heard) -> None:
        def callback(samples: np.ndarray, _progress: float) -> int:
            heard(samples)
            return GO_ON

        self._tts.generate(text, sid=0, speed=1.0, callback=callback)


if __name__ == "__main__":
    serve(SherpaVoice, ["sherpa-onnx"])
