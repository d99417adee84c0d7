"""Speaks the output of a language model while it is generated.

python agent.py | aplay -q -f S16_LE -r 22050
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator

from libspeech import Engine


async def main() -> None:
    """Run the program: raw samples go to standard output."""
    with Engine() as engine:
        async with engine.speak_live(tokens(), latency="low") as live:
            async for chunk in live:
                sys.stdout.buffer.write(chunk.pcm)
                sys.stdout.buffer.flush()


async def tokens() -> AsyncIterator[str]:
    """Simulate a language model, which generates its answer in pieces."""
    for token in ["It cost $3", ".5", "0. Dr", ". No paid", " it, and went", " home."]:
        await asyncio.sleep(0.05)
        yield token


if __name__ == "__main__":
    asyncio.run(main())
