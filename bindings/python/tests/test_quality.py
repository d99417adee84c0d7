"""The quality of speech: which networks compute it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import libspeech
import pytest
from libspeech import Engine, InvalidRequestError
from support import TEXT, joined


async def pieces() -> AsyncIterator[str]:
    yield TEXT


def live(engine: Engine, quality: libspeech.Quality) -> bytes:
    stream = engine.live(quality=quality)
    stream.push(TEXT)
    stream.finish()
    return joined(stream)


async def spoken_live(engine: Engine, quality: libspeech.Quality) -> bytes:
    return b"".join([chunk.pcm async for chunk in engine.speak_live(pieces(), quality=quality)])


def test_what_a_bundle_has(engine: Engine) -> None:
    assert engine.qualities("aria", "en-US") == ("full", "fast", "light")
    assert engine.qualities("aria", "hi-IN") == ("full", "fast")
    assert engine.qualities("leo", "en-US") == ("full",)


def test_each_quality_is_of_other_networks(engine: Engine) -> None:
    spoken: dict[libspeech.Quality, bytes] = {
        quality: engine.synthesize(TEXT, quality=quality).pcm for quality in engine.qualities("aria", "en-US")
    }
    assert len(set(spoken.values())) == 3
    assert engine.synthesize(TEXT).pcm == engine.synthesize(TEXT, quality="auto").pcm == spoken["full"]
    for quality, pcm in spoken.items():
        assert asyncio.run(engine.asynthesize(TEXT, quality=quality)).pcm == pcm
        assert joined(engine.stream(TEXT, quality=quality)) == pcm
        assert joined(engine.stream_long(TEXT, quality=quality)) == pcm
        assert live(engine, quality) == pcm
        assert asyncio.run(spoken_live(engine, quality)) == pcm


def test_low_latency_of_a_light_quality(engine: Engine) -> None:
    with engine.stream(TEXT, quality="light", latency="low") as stream:
        spans = [chunk.span for chunk in stream]
    assert (spans[0].start, spans[-1].stop) == (0, len(TEXT))


@pytest.mark.parametrize(
    "call",
    [
        lambda e: e.synthesize(TEXT, voice="leo", quality="fast"),
        lambda e: asyncio.run(e.asynthesize(TEXT, voice="leo", quality="fast")),
        lambda e: e.stream(TEXT, voice="leo", quality="fast"),
        lambda e: e.stream_long(TEXT, voice="leo", quality="fast"),
        lambda e: e.live(voice="leo", quality="fast"),
        lambda e: e.speak_live(pieces(), voice="leo", quality="fast"),
    ],
)
def test_what_the_bundle_lacks_is_refused(engine: Engine, call: Callable[[Engine], Any]) -> None:
    message = "the voice bundle does not have quality fast for leo in en-US; it has full"
    with pytest.raises(InvalidRequestError, match=message) as caught:
        call(engine)
    assert (caught.value.detail, caught.value.advice) == ("quality_not_in_bundle", None)


@pytest.mark.voices
def test_of_a_voice(voices_engine: Engine) -> None:
    qualities = voices_engine.qualities("aria", "en-US")
    assert qualities == ("full", "fast", "light")
    full, fast, light = (voices_engine.synthesize(TEXT, quality=quality) for quality in qualities)
    assert [word.start for word in fast.words] == pytest.approx([word.start for word in full.words], abs=0.1)
    for audio in (fast, light):
        assert [word.span for word in audio.words] == [word.span for word in full.words]
        assert audio.duration == pytest.approx(full.duration, rel=0.3)
        assert audio.samples.max() > 3000
