"""Tests Cartesia's protocol with Cartesia's package.

The service has the fake model and `--cartesia`. `SPEECH_HTTP_URL` is its address, and `SPEECH_HTTP_KEY` a key.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from cartesia import AsyncCartesia, Cartesia
from websockets.exceptions import InvalidStatus

URL, KEY = os.environ["SPEECH_HTTP_URL"], os.environ["SPEECH_HTTP_KEY"]
TEXT = "It cost $3.50. Dr. No paid it, and then he went home. It was well-known, wasn't it?"
#: The bytes per second of each format.
FORMATS = {
    ("pcm_s16le", 24000): 48000,
    ("pcm_s16le", 8000): 16000,
    ("pcm_f32le", 44100): 176400,
    ("pcm_mulaw", 8000): 8000,
}


def options(encoding: str = "pcm_s16le", sample_rate: int = 24000, voice: str = "leo") -> Any:
    """The settings of a request."""
    return {
        "model_id": "sonic-3",
        "voice": {"mode": "id", "id": voice},
        "output_format": {"container": "raw", "encoding": encoding, "sample_rate": sample_rate},
        "language": "en",
        "add_timestamps": True,
    }


@asynccontextmanager
async def socket(key: str = KEY) -> AsyncIterator[Any]:
    """A connection of the package."""
    client = AsyncCartesia(api_key=key, base_url=URL, websocket_base_url=URL.replace("http", "ws", 1))
    async with client.tts.websocket_connect() as connection:
        yield connection


async def answer(context: Any, pieces: list[str], **more: Any) -> list[Any]:
    """The results of a text that is sent in pieces."""
    for piece in pieces:
        await context.push(piece, **more)
    await context.no_more_inputs()
    return [event async for event in context.receive()]


def words(events: list[Any]) -> list[tuple[str, float, float]]:
    """The words with their timestamps."""
    times = [event.word_timestamps for event in events if event.type == "timestamps"]
    return [word for each in times for word in zip(each.words, each.start, each.end, strict=True)]


@pytest.mark.parametrize(("encoding", "sample_rate"), FORMATS)
def test_a_text_in_pieces(encoding: str, sample_rate: int) -> None:
    async def run() -> list[Any]:
        async with socket() as connection:
            pieces = [TEXT[at : at + 7] for at in range(0, len(TEXT), 7)]
            return await answer(connection.context(**options(encoding, sample_rate)), pieces)

    events = asyncio.run(run())
    assert {event.type for event in events} == {"chunk", "timestamps", "done"}
    assert events[-1].type == "done"
    said = words(events)
    assert " ".join(word for word, _, _ in said).replace("well- known", "well-known") == TEXT
    times = [time for _, start, end in said for time in (start, end)]
    assert times == sorted(times)
    sound = b"".join(event.audio for event in events if event.type == "chunk")
    assert times[-1] <= len(sound) / FORMATS[encoding, sample_rate] < times[-1] + 1
    # Words arrive before their audio.
    assert events[0].type == "timestamps"


def test_contexts_are_spoken_one_after_another() -> None:
    async def run() -> list[list[Any]]:
        async with socket() as connection:
            contexts = [connection.context(**options(sample_rate=rate)) for rate in (24000, 8000)]
            return await asyncio.gather(*(answer(context, [TEXT]) for context in contexts))

    first, second = (
        b"".join(event.audio for event in events if event.type == "chunk") for events in asyncio.run(run())
    )
    assert len(first) == pytest.approx(3 * len(second), rel=0.01)


def test_who_wants_no_buffering_has_each_sentence_at_once() -> None:
    async def run() -> list[str]:
        async with socket() as connection:
            context = connection.context(**options())
            # Without a space after it, the end of a sentence is undecided.
            await context.push("That is all.", max_buffer_delay_ms=0)
            kinds = []
            async for event in context.receive():
                kinds.append(event.type)
                if event.type == "flush_done":
                    await context.no_more_inputs()
            return kinds

    kinds = asyncio.run(run())
    assert kinds.index("chunk") < kinds.index("flush_done") < kinds.index("done")


def test_a_context_that_is_cancelled_is_silent() -> None:
    async def run() -> list[str]:
        async with socket() as connection:
            await connection.send({"context_id": "c", "transcript": TEXT * 50, "continue": True, **options()})
            kinds: list[str] = []
            while kinds[-1:] not in (["done"], ["error"]):
                kinds.append((await connection.recv()).type)
                if kinds.count("chunk") == 1 and kinds[-1] == "chunk":
                    await connection.send({"context_id": "c", "cancel": True})
            with pytest.raises(TimeoutError):
                await connection.recv_bytes(timeout=0.3)
            assert words(await answer(connection.context(**options()), [TEXT]))
            return kinds

    # The text 50 times lasts some minutes, in chunks of 100 ms.
    assert 0 < asyncio.run(run()).count("chunk") < 1500


def test_what_it_refuses() -> None:
    async def events_of(**wrong: Any) -> list[Any]:
        async with socket() as connection:
            await connection.send({"context_id": "c", "transcript": "Hello.", **options(), **wrong})
            return [await connection.recv()]

    async def wrong_key() -> None:
        async with socket("sk_live_wrong"):
            pass

    wav = {"container": "wav", "encoding": "pcm_s16le", "sample_rate": 8000}
    rows: list[tuple[dict[str, Any], str]] = [
        ({"voice": {"mode": "id", "id": "bob"}}, 'unsupported voice "bob"; use aria, jason, john, leo, sofia'),
        ({"language": "fr"}, 'unsupported language "fr"; use en-US, hi-IN'),
        ({"output_format": wav}, "output_format.container must be raw"),
        ({"generation_config": {"emotion": "sad"}}, "generation_config.emotion is not supported"),
    ]
    for wrong, message in rows:
        (event,) = asyncio.run(events_of(**wrong))
        assert (event.type, event.status_code, event.error_code) == ("error", 400, "invalid_request")
        assert (event.message, event.context_id) == (message, "c")
    with pytest.raises(InvalidStatus, match="401"):
        asyncio.run(wrong_key())


def test_a_context_with_wrong_settings_ends_alone() -> None:
    async def run() -> tuple[list[Any], list[Any]]:
        async with socket() as connection:
            good, wrong = connection.context(**options()), connection.context(**options(voice="bob"))
            return await asyncio.gather(answer(good, [TEXT]), answer(wrong, [TEXT]))

    good, wrong = asyncio.run(run())
    assert [event.type for event in wrong] == ["error"]
    assert good[-1].type == "done" and len(words(good)) == len(TEXT.split())


def test_the_client_with_threads() -> None:
    client = Cartesia(api_key=KEY, base_url=URL, websocket_base_url=URL.replace("http", "ws", 1))
    with client.tts.websocket_connect() as connection:
        context = connection.context(**options())
        context.push(TEXT)
        context.no_more_inputs()
        events = list(context.receive())
    assert events[-1].type == "done" and words(events)
