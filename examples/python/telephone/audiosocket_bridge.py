"""Connects calls of Asterisk to the WebSocket of the service: a bridge to its AudioSocket.

SPEECH_URL=ws://127.0.0.1:8080/v1/speech/live SPEECH_KEY=... python audiosocket_bridge.py
"""

from __future__ import annotations

import array
import asyncio
import sys
from collections import deque

from phone_call import Call, bot

#: Packet types.
HANGUP, SOUND = 0x00, 0x10
#: 20 ms of 16-bit samples at 8,000 Hz.
FRAME = 320


class AudioSocket:
    """The connection of a call. Asterisk plays packets as they arrive, so this class keeps the clock of the call."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        #: Frames, each with a mark if it is the last one of its piece.
        self._queue: deque[tuple[bytes, str]] = deque()
        self.call = Call(self, bot, "pcm16")

    async def play(self, sound: bytes, mark: str) -> None:
        """Queue audio."""
        frames = [sound[at : at + FRAME] for at in range(0, len(sound), FRAME)]
        self._queue.extend((frame, mark if frame is frames[-1] else "") for frame in frames)

    async def clear(self) -> None:
        """Discard the queue."""
        self._queue.clear()

    async def run(self) -> None:
        """Send a frame every 20 ms until the connection ends."""
        loop = asyncio.get_running_loop()
        due = loop.time()
        while not self._writer.is_closing():
            if self._queue:
                frame, mark = self._queue.popleft()
                self._writer.write(bytes([SOUND]) + len(frame).to_bytes(2) + frame)
                await self._writer.drain()
                if mark:
                    self.call.reached(mark)
            due = max(due + 0.02, loop.time())
            await asyncio.sleep(due - loop.time())


async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Handle a conversation until the call ends."""
    line = AudioSocket(writer)
    tasks = [asyncio.create_task(line.run()), asyncio.create_task(line.call.run())]
    for task in tasks:
        task.add_done_callback(lambda _: writer.close())
    try:
        while True:
            kind, *length = await reader.readexactly(3)
            payload = await reader.readexactly(int.from_bytes(length))
            if kind == HANGUP:
                break
            if kind == SOUND:
                await line.call.hear(is_speech(payload))
    except (asyncio.IncompleteReadError, ConnectionError):
        pass  # the caller has hung up
    finally:
        for task in tasks:
            task.cancel()
        writer.close()


def is_speech(sound: bytes) -> bool:
    """Whether 16-bit samples are loud: at least a quarter of them exceed -24 dB."""
    samples = array.array("h", sound[: len(sound) // 2 * 2])
    if sys.byteorder == "big":
        samples.byteswap()
    return 4 * sum(abs(sample) > 2000 for sample in samples) > len(samples)


async def main() -> None:
    """Wait for calls."""
    server = await asyncio.start_server(handle, "127.0.0.1", 9092)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
