"""Live text over the WebSocket of the service, with the interface of ``libspeech.Engine.live``.

The service for Pipecat and the plugin for LiveKit Agents accept it instead of an engine.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from libspeech import SAMPLE_RATE, CancelledError, InternalError, SpeechError, Word
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException


class LiveSocket:
    """A WebSocket of the service, which speaks one text after another.

    It connects when the first text begins, and reconnects if it was closed.

    Parameters
    ----------
    url : str
        The URL of the route, such as ``wss://speech.example/v1/speech/live``.
    key : str
        An API key.
    """

    def __init__(self, url: str, key: str) -> None:
        self._url, self._key = url, key
        self._names = itertools.count(1)
        self._streams: dict[str, SocketStream] = {}
        self._outgoing: asyncio.Queue[str] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    def live(self, **settings: Any) -> SocketStream:
        """Begin a text. The settings are those of ``Engine.live``."""
        if self._task is None or self._task.done():
            self._outgoing = asyncio.Queue()
            self._task = asyncio.create_task(self._run())
        stream = SocketStream(self, str(next(self._names)))
        self._streams[stream.name] = stream
        self.send(type="settings", **settings)
        return stream

    def warm_up(self) -> None:
        """Do nothing: the service is always warm."""

    def close(self) -> None:
        """Close the socket."""
        if self._task is not None:
            self._task.cancel()

    def send(self, **message: Any) -> None:
        """Send a message after the previous ones."""
        self._outgoing.put_nowait(json.dumps(message))

    async def _run(self) -> None:
        headers = {"Authorization": f"Bearer {self._key}"}
        failure: SpeechError = InternalError("the socket was closed")
        try:
            async with connect(self._url, additional_headers=headers) as socket:
                sending = asyncio.create_task(self._send_all(socket))
                try:
                    await self._receive(socket)
                finally:
                    sending.cancel()
        except SpeechError as error:
            failure = error
        except (OSError, WebSocketException) as error:
            failure = InternalError(f"the socket failed: {error}")
        finally:
            for stream in self._streams.values():
                stream.give(failure)
            self._streams.clear()

    async def _send_all(self, socket: ClientConnection) -> None:
        while True:
            await socket.send(await self._outgoing.get())

    async def _receive(self, socket: ClientConnection) -> None:
        sounding: SocketStream | None = None
        async for message in socket:
            if isinstance(message, bytes):
                if sounding:
                    sounding.take_sound(message)
                continue
            event = json.loads(message)
            kind, stream = event["type"], self._streams.get(event.get("turn"))
            if kind == "turn":
                sounding = stream
            if kind == "error" and "turn" not in event:
                raise _error(event["error"])
            if stream is None:
                continue
            if kind == "turn":
                stream.request_id = event["request_id"]
            elif kind == "words":
                stream.take_words(event)
            elif kind in ("finished", "interrupted", "error"):
                del self._streams[stream.name]
                stream.give(_error(event["error"]) if kind == "error" else None)


@dataclass
class SocketChunk:
    """Audio, and the words that begin in it or after it."""

    pcm: bytes
    words: list[Word]
    span: slice
    duration: float


class SocketStream:
    """The speech of a text."""

    def __init__(self, socket: LiveSocket, name: str) -> None:
        self.name = name
        #: The identifier of the request; known once it is spoken.
        self.request_id = name
        self._socket = socket
        self._text = b""
        #: A byte offset, and its character offset. Byte offsets of words only increase.
        self._known = (0, 0)
        self._characters = 0
        self._words: list[Word] = []
        self._items: asyncio.Queue[SocketChunk | Exception | None] = asyncio.Queue()
        #: Whether it has ended or was stopped.
        self.closed = False

    def push(self, text: str) -> None:
        """Add a piece of text."""
        if self.closed:
            raise CancelledError("the stream is closed")
        self._text += text.encode()
        self._characters += len(text)
        self._socket.send(type="text", turn=self.name, text=text)

    def finish(self) -> None:
        """End the text."""
        if self._text:
            self._socket.send(type="finish", turn=self.name)
        else:
            self.give(None)  # the service has not received it

    def close(self) -> None:
        """Stop the part that is not spoken yet."""
        if not self.closed:
            self._socket.send(type="interrupt", turn=self.name)
            self.give(CancelledError("the stream is closed"))

    def take_words(self, event: dict[str, Any]) -> None:
        """Store the words of the next audio."""
        for word in event["words"]:
            start, end = map(self._character, word["bytes"])
            self._words.append(Word(slice(start, end), word["start"], word["end"]))

    def _character(self, byte: int) -> int:
        known, character = self._known
        self._known = (byte, character + len(self._text[known:byte].decode()))
        return self._known[1]

    def take_sound(self, pcm: bytes) -> None:
        """Store audio."""
        span = slice(0, self._characters)
        self._items.put_nowait(SocketChunk(pcm, self._words, span, len(pcm) / 2 / SAMPLE_RATE))
        self._words = []

    def give(self, end: Exception | None) -> None:
        """End the stream, optionally with an error."""
        if not self.closed:
            self.closed = True
            self._items.put_nowait(end)

    async def __aenter__(self) -> SocketStream:
        return self

    async def __aexit__(self, *error: object) -> None:
        self.close()

    async def __aiter__(self) -> AsyncIterator[SocketChunk]:
        """The audio, as it arrives."""
        while (item := await self._items.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item


def _error(error: dict[str, Any]) -> SpeechError:
    kinds: dict[str, type[SpeechError]] = {kind.type: kind for kind in SpeechError.__subclasses__()}
    return kinds.get(error["type"], InternalError)(error["message"], request_id=error["request_id"])
