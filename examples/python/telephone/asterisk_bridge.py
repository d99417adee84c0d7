"""Connects calls of Asterisk to the WebSocket of the service: a bridge to the channel driver chan_websocket.

SPEECH_URL=ws://127.0.0.1:8080/v1/speech/live SPEECH_KEY=... python asterisk_bridge.py
"""

from __future__ import annotations

import asyncio

from phone_call import Call, bot
from twilio_bridge import is_speech
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

PROTOCOLS = [Subprotocol("media")]


class Asterisk:
    """The media of a channel: binary messages are audio, and text messages are commands and events."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket

    async def play(self, sound: bytes, mark: str) -> None:
        """Queue audio in Asterisk, which reports the mark after playback."""
        await self._socket.send(sound)
        await self._socket.send(f"MARK_MEDIA {mark.replace(' ', '-')}")

    async def clear(self) -> None:
        """Discard Asterisk's queue."""
        await self._socket.send("FLUSH_MEDIA")


async def handle(socket: ServerConnection) -> None:
    """Handle a conversation until the call ends."""
    call = Call(Asterisk(socket), bot, "mulaw")
    speaking = asyncio.create_task(call.run())
    # Without the service there is no speech, so end the call.
    speaking.add_done_callback(lambda _: asyncio.create_task(socket.close()))
    try:
        async for message in socket:
            if isinstance(message, bytes):
                await call.hear(is_speech(message))
            elif message.startswith("MEDIA_MARK_PROCESSED "):
                call.reached(message.split()[1].replace("-", " "))
    finally:
        speaking.cancel()


async def main() -> None:
    """Wait for calls."""
    async with serve(handle, "127.0.0.1", 8090, subprotocols=PROTOCOLS) as server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
