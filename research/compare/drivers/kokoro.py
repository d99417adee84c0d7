"""The package kokoro-onnx on the published int8 model, streaming through `create_stream`."""

from __future__ import annotations

import asyncio
from typing import Any

from kokoro_onnx import Kokoro

from .protocol import Heard, serve
from .session import open_session

RATE = 24_000


class KokoroVoice:
    """One voice of the model. Text becomes phonemes in the package itself, which uses espeak-ng."""

    rate = RATE

    def __init__(self, job: dict[str, Any]) -> None:
        options = job["options"]
        session = open_session(options["model"], job["threads"])
        self._kokoro = Kokoro.from_session(session, options["voices"])
        self._voice = options["voice"]

    def speak(self, text: str, heard: Heard) -> None:
        asyncio.run(self._stream(text, heard))

    async def _stream(self, text: str, heard: Heard) -> None:
        async for samples, _ in self._kokoro.create_stream(text, voice=self._voice):
            heard(len(samples))


if __name__ == "__main__":
    serve(KokoroVoice, ["kokoro-onnx", "onnxruntime"])
