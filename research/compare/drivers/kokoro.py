"""The package kokoro-onnx on a published model, streaming through `create_stream`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from kokoro_onnx import Kokoro

from .protocol import Heard, serve
from .session import open_session

RATE = 24_000


class KokoroVoice:
    """One voice of the model. The package itself makes phonemes, with espeak-ng."""

    rate = RATE

    def __init__(self, job: dict[str, Any]) -> None:
        options = job["options"]
        directory = Path(options["directory"])
        session = open_session(str(directory / options["model"]), job["threads"])
        self._kokoro = Kokoro.from_session(session, str(directory / "voices.npz"))
        self._voice = options["voice"]

    def speak(self, text: str, heard: Heard) -> None:
        asyncio.run(self._stream(text, heard))

    async def _stream(self, text: str, heard: Heard) -> None:
        async for samples, _ in self._kokoro.create_stream(text, voice=self._voice):
            heard(samples)


if __name__ == "__main__":
    serve(KokoroVoice, ["kokoro-onnx", "onnxruntime"])
