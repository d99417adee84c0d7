"""A telephone call: speaks answers through the WebSocket of the service, until the caller interrupts.

`twilio_bridge.py`, `asterisk_bridge.py` and `audiosocket_bridge.py` connect it to three telephone systems.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol

from websockets.asyncio.client import ClientConnection, connect

#: A message of the conversation in the usual format of language models.
Message = dict[str, str]
#: Generates the pieces of an answer to the conversation so far, such as the tokens of a language model.
Bot = Callable[[list[Message]], AsyncIterator[str]]

#: Bytes per sample at 8,000 Hz.
SAMPLE_BYTES = {"mulaw": 1, "pcm16": 2}
#: Consecutive 20 ms frames of speech after which the caller is talking, and of silence after which the caller has
#: ended.
TALKING, SILENT = 5, 25


class Line(Protocol):
    """The audio connection to the caller."""

    async def play(self, sound: bytes, mark: str) -> None:
        """Queue audio, and call `Call.reached` with the mark after its playback."""

    async def clear(self) -> None:
        """Discard the queue."""


class Call:
    """The conversation of one call.

    Parameters
    ----------
    line : Line
        The connection that plays the audio.
    bot : Bot
        The function that generates answers.
    encoding : str
        The encoding of the line at 8,000 Hz: ``mulaw`` or ``pcm16``.
    """

    def __init__(self, line: Line, bot: Bot, encoding: str) -> None:
        self._line, self._bot, self._encoding = line, bot, encoding
        self._rate = 8000 * SAMPLE_BYTES[encoding]
        #: The messages so far. An interrupted answer contains only the words that were heard.
        self.history: list[Message] = []
        self._live: ClientConnection
        self._answer: asyncio.Task[None]
        self._turns = itertools.count(1)
        #: The answer: the name of its turn, its text, the bytes that came, those that were certainly played, and when.
        self._turn, self._text, self._sent, self._played, self._at = "", "", 0, 0, 0.0
        #: The turn whose sound comes.
        self._sounding = ""
        #: Whether there is an answer that was neither heard to its end nor interrupted, and whether all of it came.
        self._is_answering = self._is_complete = False
        self._has_talked = False
        self._loud = self._quiet = 0

    async def run(self) -> None:
        """Speak until the task is cancelled."""
        audio = {"encoding": self._encoding, "sample_rate": 8000, "frame_ms": 20}
        headers = {"Authorization": f"Bearer {os.environ['SPEECH_KEY']}"}
        async with connect(os.environ["SPEECH_URL"], additional_headers=headers) as self._live:
            # Asterisk queues at most 20 s: this amount, and a long sentence.
            await self._send(type="start", audio=audio, ahead=1)
            self._begin()
            try:
                async for message in self._live:
                    await self._take(message)
            finally:
                self._answer.cancel()

    async def _take(self, message: str | bytes) -> None:
        if isinstance(message, bytes):
            # Sound of another turn was on its way when the caller interrupted.
            if self._is_answering and self._sounding == self._turn:
                self._at = self._at or time.monotonic()
                self._sent += len(message)
                await self._line.play(message, f"{self._turn} {self._sent}")
            return
        event = json.loads(message)
        if event["type"] == "turn":
            self._sounding = event["turn"]
        elif event["type"] == "finished" and event["turn"] == self._turn:
            self._is_complete = True
            self._end_if_heard()
        elif event["type"] == "interrupted" and event["heard"]["text"]:
            self.history.append({"role": "assistant", "content": event["heard"]["text"]})
        elif event["type"] == "error":
            raise RuntimeError(event["error"]["message"])

    def reached(self, mark: str) -> None:
        """Record that the line has played the audio up to a mark."""
        turn, sent = mark.split()
        if turn == self._turn and self._is_answering:  # after `clear` the marks of what was not played come too
            self._played, self._at = int(sent), time.monotonic()
            self._end_if_heard()

    def _end_if_heard(self) -> None:
        if self._is_complete and self._is_answering and self._played == self._sent:
            self._is_answering = False
            self.history.append({"role": "assistant", "content": self._text})

    async def hear(self, is_speech: bool) -> None:
        """Process 20 ms of the caller's audio. A speech recognizer would be more accurate."""
        self._loud, self._quiet = (self._loud + 1, 0) if is_speech else (0, self._quiet + 1)
        if self._loud >= TALKING:
            self._has_talked = True
            if self._is_answering:
                await self._interrupt()
        elif self._quiet == SILENT and self._has_talked:
            self._has_talked = False
            self._begin()

    async def _interrupt(self) -> None:
        """Be silent at once, also if the answer is only being generated."""
        since = self._rate * (time.monotonic() - self._at) if self._at else 0.0
        played = min(self._sent, self._played + since) / self._rate
        self._is_answering = False
        self._answer.cancel()
        await self._line.clear()
        await self._send(type="interrupt", turn=self._turn, played=played)

    def _begin(self) -> None:
        self._turn, self._text, self._sent, self._played, self._at = str(next(self._turns)), "", 0, 0, 0.0
        self._is_answering, self._is_complete = True, False
        self._answer = asyncio.create_task(self._say(self._turn))

    async def _say(self, turn: str) -> None:
        async for piece in self._bot(self.history):
            self._text += piece
            await self._send(type="text", turn=turn, text=piece)
        await self._send(type="finish", turn=turn)

    async def _send(self, **message: Any) -> None:
        await self._live.send(json.dumps(message))


async def bot(history: list[Message]) -> AsyncIterator[str]:
    """Simulate a language model, which generates its answer in pieces."""
    heard = history[-1]["content"] if history else ""
    answer = f"You heard me say: {heard}. Go on." if heard else "Hello, this is the pharmacy. How can I help you today?"
    for word in answer.split(" "):
        await asyncio.sleep(0.02)
        yield word + " "
