"""The far ends of telephone lines: what callers say, and what they hear.

A peer plays what it gets against a clock of its own, a frame each 20 ms, as the systems do that it stands for.
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
    """A turn, as the caller heard it."""

    turn: str
    seconds: float = 0.0
    is_cut: bool = False


@dataclass
class Ear:
    """What a caller hears."""

    #: Bytes of a frame.
    frame: int
    turns: list[Heard] = field(default_factory=list)
    #: Seconds of silence within a turn, before more of it came.
    gaps: list[float] = field(default_factory=list)
    #: Turns of which something was heard after they were cut.
    late: list[str] = field(default_factory=list)
    #: The most seconds by which the clock was late.
    lateness: float = 0.0
    _silence: int = 0

    def play(self, turn: str | None) -> None:
        """Play a frame of a turn, or of silence."""
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
        """Come each 20 ms. Where the machine is late, the clock is late too: how fast that is is not the subject."""
        loop = asyncio.get_running_loop()
        due = loop.time()
        while True:
            yield
            due += FRAME_S
            await asyncio.sleep(due - loop.time())
            self.lateness = max(self.lateness, loop.time() - due)
            due = max(due, loop.time() - FRAME_S)

    def cut(self) -> None:
        """Note that the rest of what is heard was dropped."""
        if self.turns:
            self.turns[-1].is_cut = True


class Mouth:
    """What a caller says: speech from some moments on, each for a time."""

    def __init__(self, quiet: bytes, loud: bytes) -> None:
        self._frames = (quiet, loud)
        self._left = 0

    def talk(self, seconds: float) -> None:
        """Talk from now on."""
        self._left = round(seconds / FRAME_S)

    def frame(self) -> bytes:
        """The next 20 ms."""
        self._left -= 1
        return self._frames[self._left >= 0]


class Peer:
    """What systems have in common that queue sound and report marks."""

    def __init__(self) -> None:
        self.ear = Ear(160)
        self.mouth = Mouth(b"\xff" * 160, b"\x20\xa0" * 80)
        #: Pieces of sound, each with its mark.
        self._queue: deque[tuple[bytes, str]] = deque()
        self._piece = b""
        self._socket: ClientConnection

    async def call(self, talk: Callable[[], Awaitable[None]]) -> None:
        """Call, and hang up when the caller has talked."""
        raise NotImplementedError

    async def _talk(self, talk: Callable[[], Awaitable[None]], *others: Awaitable[None]) -> None:
        """Talk, while other things go on."""
        talking = asyncio.ensure_future(talk())
        tasks = [talking, *map(asyncio.ensure_future, others)]
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        for task in done:
            task.result()
        assert talking in done, "the bridge has hung up"

    def queue_sound(self, sound: bytes) -> None:
        """Take sound, which must be whole frames."""
        assert sound and len(sound) % self.ear.frame == 0, len(sound)
        assert not self._piece, "a piece has no mark"
        self._piece = sound

    def queue_mark(self, mark: str) -> None:
        """Take the mark of the sound before it."""
        self._queue.append((self._piece, mark))
        self._piece = b""

    def clear(self) -> list[str]:
        """Play nothing of the queue any more, and give its marks."""
        marks = [mark for _, mark in self._queue]
        self._queue.clear()
        self.ear.cut()
        return marks

    def play(self) -> str | None:
        """Play a frame, and give the mark that it reaches."""
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
    """Twilio's end of a Media Stream."""

    def __init__(self, url: str, headers: dict[str, str] | None = None) -> None:
        super().__init__()
        self._url, self._headers = url, headers
        self._sequence = 0

    async def call(self, talk: Callable[[], Awaitable[None]]) -> None:
        """Call, and hang up when the caller has talked."""
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
        """Call, and hang up when the caller has talked."""
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
    """Asterisk's AudioSocket. It plays what comes, so that nothing may come early."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self._port = port
        #: The turn that is heard now, and when it began: the sound has no name.
        self.turn: Callable[[], tuple[str, float]]
        self.mouth = Mouth(bytes(320), b"\x00\x20\x00\xe0" * 80)

    async def call(self, talk: Callable[[], Awaitable[None]]) -> None:
        """Call, and hang up when the caller has talked."""
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
