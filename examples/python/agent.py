"""Speaks the output of a language model while it is generated: each sentence as soon as it is complete.

python agent.py | aplay -q -f S16_LE -r 22050
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator

from libspeech import Engine, Segmenter


async def main() -> None:
    """Run the program: raw samples go to standard output."""
    with Engine() as engine:
        async for sentence in sentences(tokens()):
            async for chunk in engine.stream(sentence, latency="low"):
                sys.stdout.buffer.write(chunk.pcm)
                sys.stdout.buffer.flush()


async def sentences(pieces: AsyncIterator[str]) -> AsyncIterator[str]:
    """Cut a text that arrives in pieces into sentences."""
    segmenter = Segmenter()
    async for piece in pieces:
        for segment in segmenter.push(piece):
            yield segment.text
    for segment in segmenter.finish():
        yield segment.text


async def tokens() -> AsyncIterator[str]:
    """Simulate a language model, which generates its answer in pieces."""
    for token in ["It cost $3", ".5", "0. Dr", ". No paid", " it, and went", " home."]:
        await asyncio.sleep(0.05)
        yield token


if __name__ == "__main__":
    asyncio.run(main())
