"""A telephone call: answers are spoken over the socket of the service, until the caller talks.

`twilio_bridge.py`, `asterisk_bridge.py` and `audiosocket_bridge.py` bring the sound of three systems here and back.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol

from websockets.asyncio.client import ClientConnection, connect

#: A message of the conversation, as language models take it.
Message = dict[str, str]
#: What says something: the pieces of an answer to the conversation so far, such as the tokens of a language model.
Bot = Callable[[list[Message]], AsyncIterator[str]]

#: The bytes of a sample at 8,000 Hz.
SAMPLE_BYTES = {"mulaw": 1, "pcm16": 2}
#: The caller talks after so many frames of speech in a row, and has ended after so many without it. A frame has 20 ms.
TALKING, SILENT = 5, 25


class Line(Protocol):
    """The way to the loudspeaker of the caller."""

    async def play(self, sound: bytes, mark: str) -> None:
        """Queue sound, and see that `Call.reached` gets the mark once it was played."""

    async def clear(self) -> None:
        """Play nothing of the queue any more."""


class Call:
    """The conversation of one call.

    Parameters
    ----------
    line : Line
        What plays the sound.
    bot : Bot
        What answers.
    encoding : str
        How the line takes sound at 8,000 Hz: ``mulaw``, or ``pcm16``.
    """

    def __init__(self, line: Line, bot: Bot, encoding: str) -> None:
        self._line, self._bot, self._encoding = line, bot, encoding
        self._rate = 8000 * SAMPLE_BYTES[encoding]
        #: What was said: of an answer that was interrupted, the words that were heard.
        self.history: list[Message] = []
        self._live: ClientConnection
        self._answer: asyncio.Task[None]
        self._text = ""
        #: The turn that is heard: its name, the bytes that came, those that were played for sure, and when they were.
        self._turn, self._sent, self._played, self._at = "", 0, 0, 0.0
        self._is_speaking = self._is_complete = self._has_talked = False
        self._loud = self._quiet = 0

    async def run(self) -> None:
        """Speak until the task ends."""
        audio = {"encoding": self._encoding, "sample_rate": 8000, "frame_ms": 20}
        headers = {"Authorization": f"Bearer {os.environ['SPEECH_KEY']}"}
        async with connect(os.environ["SPEECH_URL"], additional_headers=headers) as self._live:
            # Asterisk queues no more than 20 s: this, and a long sentence.
            await self._send(type="start", audio=audio, ahead=1)
            self._begin()
            try:
                async for message in self._live:
                    await self._take(message)
            finally:
                self._answer.cancel()

    async def _take(self, message: str | bytes) -> None:
        if isinstance(message, bytes):
            if self._is_speaking:  # else it was on its way when the caller interrupted
                self._at = self._at or time.monotonic()
                self._sent += len(message)
                await self._line.play(message, f"{self._turn} {self._sent}")
            return
        event = json.loads(message)
        if event["type"] == "turn":
            self._turn, self._sent, self._played, self._at = event["turn"], 0, 0, 0.0
            self._is_speaking, self._is_complete = True, False
        elif event["type"] == "finished":
            self._is_complete = True
            self._end_if_heard()
        elif event["type"] == "interrupted":
            self.history.append({"role": "assistant", "content": event["heard"]["text"]})
        elif event["type"] == "error":
            raise RuntimeError(event["error"]["message"])

    def reached(self, mark: str) -> None:
        """Take note that the line has played the sound up to a mark."""
        turn, sent = mark.split()
        if turn == self._turn and self._is_speaking:  # after `clear` the marks of what was not played come too
            self._played, self._at = int(sent), time.monotonic()
            self._end_if_heard()

    def _end_if_heard(self) -> None:
        if self._is_complete and self._is_speaking and self._played == self._sent:
            self._is_speaking = False
            self.history.append({"role": "assistant", "content": self._text})

    async def hear(self, is_speech: bool) -> None:
        """Take note of 20 ms of the caller. A recognizer, which says what is said, is better than this."""
        self._loud, self._quiet = (self._loud + 1, 0) if is_speech else (0, self._quiet + 1)
        if self._loud >= TALKING:
            self._has_talked = True
            if self._is_speaking:
                await self._interrupt()
        elif self._quiet == SILENT and self._has_talked:
            self._has_talked = False
            self._begin()

    async def _interrupt(self) -> None:
        """Be silent at once."""
        since = self._rate * (time.monotonic() - self._at) if self._at else 0.0
        played = min(self._sent, self._played + since) / self._rate
        self._is_speaking = False
        self._answer.cancel()
        await self._line.clear()
        await self._send(type="interrupt", turn=self._turn, played=played)

    def _begin(self) -> None:
        self._answer = asyncio.create_task(self._say())

    async def _say(self) -> None:
        self._text = ""
        async for piece in self._bot(self.history):
            self._text += piece
            await self._send(type="text", text=piece)
        await self._send(type="finish")

    async def _send(self, **message: Any) -> None:
        await self._live.send(json.dumps(message))


async def bot(history: list[Message]) -> AsyncIterator[str]:
    """Simulate a language model, which generates its answer in pieces."""
    heard = history[-1]["content"] if history else ""
    answer = f"You heard me say: {heard}. Go on." if heard else "Hello, this is the pharmacy. How can I help you today?"
    for word in answer.split(" "):
        await asyncio.sleep(0.02)
        yield word + " "
