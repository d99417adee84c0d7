"""The timestamps of words, sentences, phonemes and visemes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import libspeech
import pytest
from libspeech import Audio, Chunk, Engine, Phoneme, Samples, Sentence, Viseme, VisemeName, Word, WrongTypeError
from support import TEXT

#: A text whose code points, bytes and UTF-16 units differ.
MIXED = "😀 Café noir. यह दूसरा है! The 🎉 end."


def in_their_words(words: Sequence[Word], phonemes: Sequence[Phoneme]) -> None:
    """Check that the phonemes lie within their words."""
    for phoneme in phonemes:
        assert phoneme.ipa
        of = [word for word in words if word.span == phoneme.span]
        assert any(word.start - 1e-6 <= phoneme.start <= phoneme.end <= word.end + 1e-6 for word in of), (phoneme, of)
    assert {phoneme.span.start for phoneme in phonemes} == {word.span.start for word in words}


def without_gaps(visemes: Sequence[Viseme], start: float, end: float) -> None:
    """Check that the visemes cover an interval without gaps."""
    at = start
    for viseme in visemes:
        assert viseme.viseme in get_args(VisemeName)
        assert 0 <= viseme.azure <= 21
        assert viseme.start == pytest.approx(at, abs=1e-6)
        assert viseme.end > viseme.start
        at = viseme.end
    assert at == pytest.approx(end, abs=1e-6)


def consistent(text: str, samples: Samples, start: float = 0) -> None:
    """Check the events of audio that starts ``start`` seconds after its stream."""
    end = start + samples.duration
    in_their_words(samples.words, samples.phonemes)
    assert all(start - 1e-6 <= word.start < word.end <= end + 1e-6 for word in samples.words)
    without_gaps(samples.visemes, start, end)
    for sentence in samples.sentences:
        assert text[sentence.span].strip() == text[sentence.span]
        assert start - 1e-6 <= sentence.start < sentence.end <= end + 1e-6


@pytest.mark.parametrize("text", [TEXT, MIXED])
def test_of_a_whole_text(engine: Engine, text: str) -> None:
    audio = engine.synthesize(text)
    consistent(text, audio)
    assert [type(each[0]) for each in (audio.words, audio.sentences, audio.phonemes, audio.visemes)] == [
        Word,
        Sentence,
        Phoneme,
        Viseme,
    ]
    assert audio.marks == ()


def test_sentences(engine: Engine) -> None:
    audio = engine.synthesize(TEXT)
    said = [TEXT[sentence.span] for sentence in audio.sentences]
    assert said == ["First this, of 25 words.", "Then that!", "And it ends here."]
    for sentence in audio.sentences:
        words = [word for word in audio.words if sentence.span.start <= word.span.start < sentence.span.stop]
        assert (sentence.start, sentence.end) == pytest.approx((words[0].start, words[-1].end))


@pytest.mark.parametrize("text", [TEXT, MIXED])
def test_of_a_stream(engine: Engine, text: str) -> None:
    whole, start = engine.synthesize(text), 0.0
    chunks = []
    for chunk in engine.stream(text):
        consistent(text, chunk, start)
        start += chunk.duration
        chunks.append(chunk)
    for name in ("words", "sentences", "phonemes"):
        joined = [each for chunk in chunks for each in getattr(chunk, name)]
        assert [each.span for each in joined] == [each.span for each in getattr(whole, name)]
        times = [(each.start, each.end) for each in joined]
        for got, expected in zip(times, [(each.start, each.end) for each in getattr(whole, name)], strict=True):
            assert got == pytest.approx(expected, abs=1e-6)


def test_nothing_to_say(engine: Engine) -> None:
    audio = engine.synthesize("...")
    assert (audio.words, audio.sentences, audio.phonemes) == ((), (), ())
    assert [(each.viseme, each.azure, each.start) for each in audio.visemes] == [("sil", 0, 0)]


def test_they_can_be_given(engine: Engine) -> None:
    viseme = Viseme("PP", 21, 0.0, 0.1)
    chunk: Chunk = Chunk(b"\0\0", visemes=(viseme,), marks=(libspeech.Mark("here", 0.0),))
    assert (chunk.visemes, chunk.marks, chunk.sentences) == ((viseme,), (libspeech.Mark("here", 0.0),), ())
    assert chunk != Chunk(b"\0\0")
    with pytest.raises(WrongTypeError, match="visemes must be of the class Viseme"):
        Audio(b"", visemes=(("PP", 21, 0.0, 0.1),))  # type: ignore[arg-type]
    with pytest.raises(WrongTypeError, match="words must be of the class Word"):
        Audio(b"", (viseme,))  # type: ignore[arg-type]


@pytest.mark.voices
def test_of_a_voice(voices_engine: Engine) -> None:
    text = "Papa may be home."
    audio = voices_engine.synthesize(text)
    consistent(text, audio)
    first = [each.ipa for each in audio.phonemes if text[each.span] == "Papa"]
    assert first[0] == "p"
    closed = [each for each in audio.visemes if each.viseme == "PP"]
    assert len(closed) >= 4


@pytest.mark.voices
def test_of_a_voice_with_low_latency(voices_engine: Engine) -> None:
    chunks = list(voices_engine.stream("Papa may be home. And then some more of it.", latency="low"))
    assert len(chunks) > 2
    # A word that begins in one chunk may end in the next.
    in_their_words(
        [word for chunk in chunks for word in chunk.words],
        [phoneme for chunk in chunks for phoneme in chunk.phonemes],
    )
    start = 0.0
    for chunk, phonemes in zip(chunks, [(), *(chunk.phonemes[-1:] for chunk in chunks[:-1])], strict=True):
        without_gaps(chunk.visemes, start, start + chunk.duration)
        if any(phoneme.end > start + 0.01 for phoneme in phonemes):
            assert chunk.visemes[0].viseme != "sil", "the mouth closes inside a sound"
        start += chunk.duration
