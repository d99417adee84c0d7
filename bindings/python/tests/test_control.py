"""Rate, pitch, volume and pauses."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy
import pytest
from libspeech import Audio, Engine, InvalidRequestError, Lexicon, RequestOptions
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
        "pronunciations": {},
        "lexicons": [],
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


def test_pronunciations_of_a_request(engine: Engine) -> None:
    text = "Siobhan runs kubectl."
    readings = {"Siobhan": "/ʃɪˈvɔːn/", "kubectl": "cube control"}
    expected = engine.synthesize("[Siobhan](/ʃɪˈvɔːn/) runs cube control.").pcm
    lexicon = Lexicon.parse("Siobhan\t/ʃɪˈvɔːn/\nkubectl\tcube control")
    pls = Lexicon.from_pls(
        '<lexicon version="1.0" xml:lang="en-GB"><lexeme><grapheme>kubectl</grapheme>'
        "<alias>cube control</alias></lexeme></lexicon>"
    )
    assert (len(lexicon), len(pls), repr(pls)) == (2, 1, "<Lexicon of 1 entries>")
    every: list[RequestOptions] = [
        {"pronunciations": readings},
        {"lexicons": [lexicon]},
        {"lexicons": (pls, lexicon), "pronunciations": {"Siobhan": "/ʃɪˈvɔːn/"}},
    ]
    for options in every:
        assert engine.synthesize(text, **options).pcm == expected
        assert joined(engine.stream(text, **options)) == expected
    plain = engine.synthesize(text).pcm
    assert plain != expected
    assert engine.synthesize(text, pronunciations={}, lexicons=[]).pcm == plain
    long = joined(engine.stream_long(text, pronunciations=readings))
    assert long == joined(engine.stream_long("[Siobhan](/ʃɪˈvɔːn/) runs cube control."))
    with engine.live(pronunciations=readings) as live:
        live.push(text)
        live.finish()
        assert joined(live) == long


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pronunciations": [("a", "b")]}, "pronunciations must be a mapping of strings to strings"),
        ({"pronunciations": {"a": 5}}, "a pronunciation must be a string"),
        (
            {"pronunciations": {"a": "b", "c": "/9/"}},
            "entry 2: the pronunciation: character 1 of it is not a phoneme symbol",
        ),
        ({"pronunciations": {f"w{n}": "a" for n in range(201)}}, "entry 201: a request may have 200 pronunciations"),
        ({"lexicons": "a"}, "lexicons must be a sequence of lexicons"),
        ({"lexicons": [{"a": "b"}]}, "lexicons must be a sequence of lexicons"),
    ],
)
def test_pronunciations_that_are_refused(engine: Engine, options: Any, message: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        engine.synthesize("a", **options)
    assert caught.value.message == message


def test_lexicons_that_are_refused() -> None:
    for make, message in (
        (lambda: Lexicon.parse("a"), "line 1: no tab between the words and how they are read"),
        (lambda: Lexicon.from_pls("<speak/>"), "PLS line 1, column 1: the first element must be 'lexicon' of"),
        (lambda: Lexicon.parse("a\tb\0"), "line 1: reading has a NUL character at byte 1"),
        (lambda: Lexicon.from_pls(b"a"), "document must be a string"),  # type: ignore[arg-type]
    ):
        with pytest.raises(InvalidRequestError) as caught:
            make()  # type: ignore[no-untyped-call]
        assert caught.value.message.startswith(message)


def test_the_cache_gives_the_same_bytes(fake_model: Path) -> None:
    with Engine(fake_model, threads=1, cache=1 << 26) as cached:
        first = cached.synthesize(TEXT)
        # One sentence is computed at a time, in the order of the requests: a request that needs
        # computation ends after all earlier ones.
        ended: list[str] = []

        async def speak(text: str) -> Audio:
            audio = await cached.asynthesize(text)
            ended.append(text)
            return audio

        async def all_at_once() -> Audio:
            sentence = "It was a bright cold day in April, and the clocks were striking thirteen " * 3
            others = [asyncio.ensure_future(speak(f"{number} {sentence}")) for number in range(4)]
            again = asyncio.ensure_future(speak(TEXT))
            await asyncio.gather(*others)
            return await again

        again = asyncio.run(all_at_once())
        assert ended[-1] != TEXT
        assert (again.pcm, again.words) == (first.pcm, first.words)
        cached.trim()
        assert cached.synthesize(TEXT).pcm == first.pcm


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
