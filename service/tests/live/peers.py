"""Simulated telephone systems, with callers that speak and listen.

A peer plays received audio at its own clock, one frame each 20 ms, as the real systems do.
"""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

FRAME_S = 0.02


@dataclass
class Heard:
    """A turn as heard by the caller."""

    turn: str
    seconds: float = 0.0
    is_cut: bool = False


@dataclass
class Ear:
    """The audio that a caller hears."""

    #: The bytes of a frame.
    frame: int
    turns: list[Heard] = field(default_factory=list)
    #: The seconds of silence within a turn, before its next audio arrived.
    gaps: list[float] = field(default_factory=list)
    #: The turns that were heard after they were interrupted.
    late: list[str] = field(default_factory=list)
    #: The maximum delay of the clock in seconds.
    lateness: float = 0.0
    _silence: int = 0

    def play(self, turn: str | None) -> None:
        """Plays a frame of a turn, or of silence."""
        if turn is None:
            self._silence += 1
            return
        known = [heard.turn for heard in self.turns]
        if turn not in known:
            self.turns.append(Heard(turn))
        elif self._silence:
            self.gaps.append(self._silence * FRAME_S)
        if self.turns[known.index(turn) if turn in known else -1].is_cut:
            self.late.append(turn)
        self._silence = 0
        self.turns[-1].seconds += FRAME_S

    async def ticks(self) -> AsyncIterator[None]:
        """Ticks each 20 ms. On a busy machine the clock is late too, because speed is not tested here."""
        loop = asyncio.get_running_loop()
        on_time = due = loop.time()
        while True:
            yield
            on_time, due = on_time + FRAME_S, due + FRAME_S
            await asyncio.sleep(due - loop.time())
            self.lateness = max(self.lateness, loop.time() - on_time)
            due = max(due, loop.time() - FRAME_S)

    def cut(self) -> None:
        """Notes that the rest of the current turn was dropped."""
        if self.turns:
            self.turns[-1].is_cut = True


class Mouth:
    """The audio of a caller: silence, and speech at some moments for a time."""

    def __init__(self, quiet: bytes, loud: bytes) -> None:
        self._frames = (quiet, loud)
        self._left = 0

    def talk(self, seconds: float) -> None:
        """Starts to speak."""
        self._left = round(seconds / FRAME_S)

    def frame(self) -> bytes:
        """The next 20 ms of audio."""
        self._left -= 1
        return self._frames[self._left >= 0]


class Peer:
    """The common part of systems that queue audio and report marks."""

    def __init__(self) -> None:
        self.ear = Ear(160)
        self.mouth = Mouth(b"\xff" * 160, b"\x20\xa0" * 80)
        #: The queued audio, each piece with its mark.
        self._queue: deque[tuple[bytes, str]] = deque()
        self._piece = b""
        self._socket: ClientConnection

    async def call(self, talk: Callable[[], Awaitable[None]]) -> None:
        """Calls, and hangs up after the caller has spoken."""
        raise NotImplementedError

    async def _talk(self, talk: Callable[[], Awaitable[None]], *others: Awaitable[None]) -> None:
        """Speaks concurrently with other tasks."""
        talking = asyncio.ensure_future(talk())
        tasks = [talking, *map(asyncio.ensure_future, others)]
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        for task in done:
            task.result()
        assert talking in done, "the bridge has hung up"

    def queue_sound(self, sound: bytes) -> None:
        """Receives audio, which must be whole frames."""
        assert sound and len(sound) % self.ear.frame == 0, len(sound)
        assert not self._piece, "a piece has no mark"
        self._piece = sound

    def queue_mark(self, mark: str) -> None:
        """Receives the mark of the previous audio."""
        self._queue.append((self._piece, mark))
        self._piece = b""

    def clear(self) -> list[str]:
        """Clears the queue, and returns its marks."""
        marks = [mark for _, mark in self._queue]
        self._queue.clear()
        self.ear.cut()
        return marks

    def play(self) -> str | None:
        """Plays a frame, and returns the mark that it reaches."""
        if not self._queue:
            self.ear.play(None)
            return None
        sound, mark = self._queue.popleft()
        self.ear.play(mark.replace("-", " ").split()[0])
        if len(sound) == self.ear.frame:
            return mark
        self._queue.appendleft((sound[self.ear.frame :], mark))
        return None


class TwilioPeer(Peer):
    """Twilio's side of a Media Stream."""

    def __init__(self, url: str, headers: dict[str, str] | None = None) -> None:
        super().__init__()
        self._url, self._headers = url, headers
        self._sequence = 0

    async def call(self, talk: Callable[[], Awaitable[None]]) -> None:
        """Calls, and hangs up after the caller has spoken."""
        async with connect(self._url, additional_headers=self._headers) as self._socket:
            await self._socket.send(json.dumps({"event": "connected", "protocol": "Call", "version": "1.0.0"}))
            media = {"encoding": "audio/x-mulaw", "sampleRate": 8000, "channels": 1}
            start = {"streamSid": "MZ1", "callSid": "CA1", "tracks": ["inbound"], "mediaFormat": media}
            await self._send("start", start=start | {"customParameters": {"bot": "x"}})
            await self._talk(talk, self._receive(), self._keep_time())
            await self._send("stop", stop={"callSid": "CA1"})

    async def _send(self, event: str, **fields: Any) -> None:
        self._sequence += 1
        message = {"event": event, "sequenceNumber": str(self._sequence), "streamSid": "MZ1", **fields}
        await self._socket.send(json.dumps(message))

    async def _receive(self) -> None:
        async for message in self._socket:
            event = json.loads(message)
            assert event["streamSid"] == "MZ1"
            if event["event"] == "media":
                self.queue_sound(b64decode(event["media"]["payload"], validate=True))
            elif event["event"] == "mark":
                self.queue_mark(event["mark"]["name"])
            else:
                assert event["event"] == "clear"
                for mark in self.clear():  # they come back, played or not
                    await self._send("mark", mark={"name": mark})

    async def _keep_time(self) -> None:
        timestamp = 0
        async for _ in self.ear.ticks():
            payload = b64encode(self.mouth.frame()).decode()
            media = {"track": "inbound", "chunk": str(self._sequence), "timestamp": str(timestamp), "payload": payload}
            await self._send("media", media=media)
            timestamp += 20
            if (mark := self.play()) is not None:
                await self._send("mark", mark={"name": mark})


class AsteriskPeer(Peer):
    """The channel driver chan_websocket."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url

    async def call(self, talk: Callable[[], Awaitable[None]]) -> None:
        """Calls, and hangs up after the caller has spoken."""
        async with connect(self._url, subprotocols=[Subprotocol("media")]) as self._socket:
            assert self._socket.subprotocol == "media"
            start = "MEDIA_START connection_id:1 channel:WebSocket/1 channel_id:1.1 format:ulaw"
            await self._socket.send(f"{start} optimal_frame_size:160 ptime:20")
            await self._talk(talk, self._receive(), self._keep_time())

    async def _receive(self) -> None:
        async for message in self._socket:
            if isinstance(message, bytes):
                assert len(message) <= 65500
                self.queue_sound(message)
                queued = sum(len(sound) for sound, _ in self._queue) / self.ear.frame
                assert queued < 900, "the driver says MEDIA_XOFF"
            elif message.startswith("MARK_MEDIA "):
                self.queue_mark(message.split()[1])
            else:
                assert message == "FLUSH_MEDIA", message
                self.clear()

    async def _keep_time(self) -> None:
        async for _ in self.ear.ticks():
            await self._socket.send(self.mouth.frame())
            if (mark := self.play()) is not None:
                await self._socket.send(f"MEDIA_MARK_PROCESSED {mark}")


class AudioSocketPeer(Peer):
    """Asterisk's AudioSocket. It plays audio as it arrives, so the audio must not arrive early."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self._port = port
        #: The current turn and its start time, because the audio does not name its turn.
        self.turn: Callable[[], tuple[str, float]]
        self.mouth = Mouth(bytes(320), b"\x00\x20\x00\xe0" * 80)

    async def call(self, talk: Callable[[], Awaitable[None]]) -> None:
        """Calls, and hangs up after the caller has spoken."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(b"\x01\x00\x10" + bytes(16))
        await self._talk(talk, self._receive(reader), self._keep_time(writer))
        writer.write(b"\x00\x00\x00")
        writer.close()

    async def _receive(self, reader: asyncio.StreamReader) -> None:
        loop = asyncio.get_running_loop()
        frames, last = 0, ""
        while True:
            kind, *length = await reader.readexactly(3)
            payload = await reader.readexactly(int.from_bytes(length))
            assert (kind, len(payload)) == (0x10, 320)
            turn, began = self.turn()
            frames = frames + 1 if turn == last else 1
            last = turn
            assert frames * FRAME_S <= loop.time() - began + 2 * FRAME_S, "sound comes faster than it is played"
            self.ear.play(turn)

    async def _keep_time(self, writer: asyncio.StreamWriter) -> None:
        async for _ in self.ear.ticks():
            frame = self.mouth.frame()
            writer.write(b"\x10" + len(frame).to_bytes(2) + frame)
            await writer.drain()
