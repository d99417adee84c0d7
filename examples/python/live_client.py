"""Speaks the output of a language model while it is generated, over the socket of the service.

python live_client.py ws://127.0.0.1:8080/v1/speech/live KEY --interrupt 1.5 | aplay -q -f S16_LE -r 22050
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

TOKENS = ["It cost $3", ".5", "0. Dr", ". No paid", " it, and went", " home."]


async def main() -> None:
    """Run the program: write raw samples to standard output, and the text that was heard to standard error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("key")
    parser.add_argument("--interrupt", type=float, metavar="SECONDS", help="interrupt once so much sound has come")
    options = parser.parse_args()
    async with connect(options.url, additional_headers={"Authorization": f"Bearer {options.key}"}) as live:
        await send(live, type="start", voice="leo")
        generating = asyncio.create_task(generate(live))
        samples = 0
        async for message in live:
            if isinstance(message, bytes):
                sys.stdout.buffer.write(message)
                samples += len(message) // 2
                if options.interrupt and samples >= options.interrupt * 22050:
                    generating.cancel()
                    await send(live, type="interrupt", played=options.interrupt)
                    options.interrupt = None
            elif (event := json.loads(message))["type"] in ("finished", "interrupted", "error"):
                print(event.get("heard", {}).get("text") or event, file=sys.stderr)
                break


async def generate(live: ClientConnection) -> None:
    """Simulate a language model, which generates its answer in pieces."""
    for token in TOKENS:
        await asyncio.sleep(0.05)
        await send(live, type="text", text=token)
    await send(live, type="finish")


async def send(live: ClientConnection, **message: Any) -> None:
    """Send a message."""
    await live.send(json.dumps(message))


if __name__ == "__main__":
    asyncio.run(main())
