"""A telephone number at Twilio that speaks over the socket of the service: a bridge to Twilio's Media Streams.

SPEECH_URL=ws://127.0.0.1:8080/v1/speech/live SPEECH_KEY=... TWILIO_AUTH_TOKEN=... python twilio_bridge.py wss://HOST/twilio
"""

from __future__ import annotations

import argparse
import asyncio
import hmac
import json
import os
from base64 import b64decode, b64encode
from http import HTTPStatus
from typing import Any

from phone_call import Call, bot
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response


class Twilio:
    """The stream of a call, which carries mu-law audio in Base64."""

    def __init__(self, socket: ServerConnection, stream: str) -> None:
        self._socket, self._stream = socket, stream

    async def play(self, sound: bytes, mark: str) -> None:
        """Queue audio at Twilio, which returns the mark after playback."""
        await self._send("media", media={"payload": b64encode(sound).decode()})
        await self._send("mark", mark={"name": mark})

    async def clear(self) -> None:
        """Discard Twilio's queue."""
        await self._send("clear")

    async def _send(self, event: str, **fields: Any) -> None:
        await self._socket.send(json.dumps({"event": event, "streamSid": self._stream, **fields}))


async def handle(socket: ServerConnection) -> None:
    """Handle a conversation until the call ends."""
    async for message in socket:
        event = json.loads(message)
        if event["event"] == "start":
            call = Call(Twilio(socket, event["streamSid"]), bot, "mulaw")
            break
    else:
        return
    speaking = asyncio.create_task(call.run())
    # Without the service there is no speech, so end the call.
    speaking.add_done_callback(lambda _: asyncio.create_task(socket.close()))
    try:
        async for message in socket:
            event = json.loads(message)
            if event["event"] == "media":
                await call.hear(is_speech(b64decode(event["media"]["payload"])))
            elif event["event"] == "mark":
                call.reached(event["mark"]["name"])
            elif event["event"] == "stop":
                break
    finally:
        speaking.cancel()


def is_speech(sound: bytes) -> bool:
    """Whether mu-law audio is loud: at least a quarter of its samples exceed -24 dB."""
    return 4 * sum(~sample & 0x7F >= 0x40 for sample in sound) > len(sound)


def signature(url: str) -> str:
    """Twilio's signature of a request for a URL, made with the token of the account."""
    return b64encode(hmac.digest(os.environ["TWILIO_AUTH_TOKEN"].encode(), url.encode(), "sha1")).decode()


def is_signed(url: str, by: str) -> bool:
    """Whether a request has Twilio's signature."""
    return hmac.compare_digest(signature(url).encode(), by.encode())


async def main() -> None:
    """Wait for calls."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="the address that the TwiML names")
    parser.add_argument("--port", type=int, default=8090)
    options = parser.parse_args()

    def check(connection: ServerConnection, request: Request) -> Response | None:
        is_right = is_signed(options.url, request.headers.get("X-Twilio-Signature", ""))
        return None if is_right else connection.respond(HTTPStatus.FORBIDDEN, "Twilio has not signed this\n")

    async with serve(handle, "127.0.0.1", options.port, process_request=check) as server:
        print(f"listening on ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
