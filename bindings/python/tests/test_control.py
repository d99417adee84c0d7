"""Rate, pitch, volume and pauses."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from typing import Any

import numpy
import pytest
from libspeech import Engine, RequestOptions
from support import TEXT, joined


def test_the_defaults_change_nothing(engine: Engine) -> None:
    pcm = engine.synthesize(TEXT).pcm
    defaults: RequestOptions = {
        "language": "en-US",
        "voice": "aria",
        "latency": "standard",
        "quality": "auto",
        "rate": 1,
        "pitch": 0,
        "volume": 0.0,
        "ssml": False,
        "read_pauses": True,
        "read_emoji": False,
        "read_romanized_hindi": True,
        "sample_rate": 22050,
        "encoding": "pcm16",
    }
    assert defaults.keys() == RequestOptions.__annotations__.keys()
    assert engine.synthesize(TEXT, **defaults).pcm == pcm
    assert asyncio.run(engine.asynthesize(TEXT, **defaults)).pcm == pcm
    assert joined(engine.stream(TEXT, **defaults)) == pcm


@pytest.mark.parametrize("settings", [{"rate": 1.5}, {"pitch": 3}, {"volume": -6}])
def test_every_way_to_say_it(engine: Engine, settings: dict[str, Any]) -> None:
    audio = engine.synthesize(TEXT, **settings)
    assert audio.pcm != engine.synthesize(TEXT).pcm
    assert asyncio.run(engine.asynthesize(TEXT, **settings)).pcm == audio.pcm
    assert joined(engine.stream(TEXT, **settings)) == audio.pcm
    assert joined(engine.stream_long(TEXT, **settings)) == audio.pcm


def test_giving_memory_back_changes_nothing(engine: Engine) -> None:
    before = engine.synthesize(TEXT).pcm
    engine.trim()
    engine.trim()
    assert engine.synthesize(TEXT).pcm == before


def test_any_kind_of_number(engine: Engine) -> None:
    rates: list[Any] = [1.5, Fraction(3, 2), numpy.float32(1.5), numpy.float64(1.5)]
    assert len({engine.synthesize(TEXT, rate=rate).pcm for rate in rates}) == 1
    rates = [2, numpy.int64(2)]
    assert len({engine.synthesize(TEXT, rate=rate).pcm for rate in rates}) == 1


def test_pauses(engine: Engine) -> None:
    text = "One. [pause 1.5s] Two. [pause 500 ms] Three."
    paused, plain = engine.synthesize(text), engine.synthesize("One. Two. Three.")
    assert paused.duration > plain.duration + 1
    assert [text[word.span] for word in paused.words] == ["One", "Two", "Three"]
    assert paused.characters == len(text)
    as_it_stands = engine.synthesize(text, read_pauses=False)
    assert "pause" in [text[word.span] for word in as_it_stands.words]


def loudness(samples: Any) -> float:
    """In decibels."""
    return float(10 * numpy.log10(numpy.mean(samples.astype(numpy.float64) ** 2)))


@pytest.mark.voices
def test_what_is_heard_of_them(voices_engine: Engine) -> None:
    text = "It was a bright cold day in April, and the clocks were striking thirteen."
    usual = voices_engine.synthesize(text)
    slow, fast = (voices_engine.synthesize(text, rate=rate) for rate in (0.5, 2))
    assert slow.duration == pytest.approx(2 * usual.duration, rel=0.2)
    assert fast.duration == pytest.approx(usual.duration / 2, rel=0.2)
    quiet = voices_engine.synthesize(text, volume=-12)
    assert loudness(usual.samples) - loudness(quiet.samples) == pytest.approx(12, abs=0.5)
    assert quiet.duration == usual.duration
    assert numpy.abs(voices_engine.synthesize(text, volume=12).samples.astype(numpy.int32)).max() <= 32_767
    high = voices_engine.synthesize(text, pitch=4)
    assert high.pcm != usual.pcm
    assert high.duration == pytest.approx(usual.duration, rel=0.01)
