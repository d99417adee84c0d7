"""The audio of a synthesis: samples without copies, a file, the timestamps of words."""

from __future__ import annotations

import asyncio
import base64
import copy
import io
import pickle
import re
import struct
import sys
import time
import uuid
import wave
import xml.etree.ElementTree as ElementTree
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, get_args

import libspeech
import numpy
import pytest
from libspeech import Audio, Chunk, Engine, Samples
from support import TEXT, joined, texts


@pytest.fixture(scope="module")
def audio(engine: Engine) -> Audio:
    return engine.synthesize(TEXT)


@pytest.fixture(scope="module")
def chunk(engine: Engine) -> Chunk:
    with engine.stream(TEXT) as stream:
        return next(stream)


@pytest.fixture(params=["audio", "chunk"])
def samples(request: pytest.FixtureRequest) -> Samples:
    value = request.getfixturevalue(request.param)
    assert isinstance(value, Samples)
    return value


def address(values: Any) -> int:
    place: int = numpy.frombuffer(values, numpy.uint8).ctypes.data
    return place


def test_the_samples(samples: Samples) -> None:
    array = samples.samples
    assert isinstance(array, numpy.ndarray)
    assert (array.dtype, array.shape) == (numpy.dtype(numpy.int16), (len(samples.pcm) // 2,))
    assert array.tobytes() == samples.pcm
    assert array[:100].tolist() == list(struct.unpack("<100h", samples.pcm[:200]))
    assert numpy.abs(array).max() > 1000
    assert Audio(b"").samples.shape == (0,)


def test_the_samples_as_floats(engine: Engine, samples: Samples) -> None:
    floats = type(samples)(samples.pcm, encoding="float32")
    assert (floats.samples.dtype, floats.encoding) == (numpy.dtype(numpy.float32), "float32")
    assert (floats.samples == samples.samples.astype(numpy.float32) / 32_768).all()
    assert (floats.pcm, floats.duration) == (samples.pcm, samples.duration)
    assert floats.data == floats.samples.tobytes()
    assert Audio(b"\x00\x80\xff\x7f", encoding="float32").samples.tolist() == [-1, 32_767 / 32_768]


def test_every_way_to_ask_for_floats(engine: Engine) -> None:
    async def pieces() -> AsyncIterator[str]:
        yield TEXT

    async def spoken() -> list[Samples]:
        whole = await engine.asynthesize(TEXT, encoding="float32")
        with engine.stream(TEXT, encoding="float32") as stream:
            return [
                whole,
                *[chunk async for chunk in engine.speak_live(pieces(), encoding="float32")],
                *[chunk async for chunk in stream],
            ]

    live = engine.live(encoding="float32")
    live.push(TEXT)
    live.finish()
    with engine.stream(TEXT, encoding="float32") as stream:
        found = [*live, *stream, *engine.stream_long(TEXT, encoding="float32"), *asyncio.run(spoken())]
    found.append(engine.synthesize(TEXT, encoding="float32"))
    assert len(found) == 5 * 3 + 2
    assert {(each.encoding, each.samples.dtype) for each in found} == {("float32", numpy.dtype(numpy.float32))}
    assert found[-1].pcm == engine.synthesize(TEXT).pcm


#: The format number of an encoding in a WAV file, the bytes per sample, and its type in NumPy.
ENCODINGS: dict[libspeech.Encoding, tuple[int, int, str]] = {
    "pcm16": (1, 2, "int16"),
    "float32": (3, 4, "float32"),
    "mulaw": (7, 1, "uint8"),
    "alaw": (6, 1, "uint8"),
}


@pytest.mark.parametrize("rate", get_args(libspeech.SampleRate))
def test_every_rate(engine: Engine, rate: libspeech.SampleRate) -> None:
    audio = engine.synthesize(TEXT, sample_rate=rate)
    usual = engine.synthesize(TEXT)
    assert (audio.sample_rate, audio.encoding) == (rate, "pcm16")
    assert audio.duration == len(audio.samples) / rate == pytest.approx(usual.duration, abs=0.001)
    starts = [word.start for word in audio.words]
    assert starts == pytest.approx([word.start for word in usual.words], abs=0.001)
    with engine.stream(TEXT, sample_rate=rate) as stream:
        assert stream.sample_rate == rate
        assert joined(stream) == audio.pcm
    assert joined(engine.stream_long(TEXT, sample_rate=rate)) == audio.pcm


@pytest.mark.parametrize("encoding", get_args(libspeech.Encoding))
def test_every_encoding(engine: Engine, encoding: libspeech.Encoding) -> None:
    code, size, kind = ENCODINGS[encoding]
    audio = engine.synthesize(TEXT, sample_rate=8000, encoding=encoding)
    assert audio.pcm == engine.synthesize(TEXT, sample_rate=8000).pcm
    assert (audio.samples.dtype, audio.samples.tobytes()) == (numpy.dtype(kind), audio.data)
    assert len(audio.data) == size * len(audio.pcm) // 2
    header = 44 if encoding == "pcm16" else 58
    assert struct.unpack("<HHIIHH", audio.wav[20:36]) == (code, 1, 8000, 8000 * size, size, 8 * size)
    assert audio.wav[header : header + len(audio.data)] == audio.data
    with engine.stream(TEXT, sample_rate=8000, encoding=encoding) as stream:
        assert (stream.sample_rate, stream.encoding) == (8000, encoding)
        assert b"".join(chunk.data for chunk in stream) == audio.data


def test_a_rate_that_is_none(engine: Engine) -> None:
    rate: Any = 11025
    for call in (engine.synthesize, engine.stream, engine.stream_long, libspeech.validate):
        with pytest.raises(libspeech.InvalidRequestError, match="sample_rate is 11025; it must be 8000, 16000, 22050"):
            call(TEXT, sample_rate=rate)


def test_nothing_writes_into_them(samples: Samples) -> None:
    with pytest.raises(ValueError, match="read-only"):
        samples.samples[0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        samples.samples.flags.writeable = True
    with pytest.raises(TypeError):
        samples.samples.data[0] = 1
    with pytest.raises((TypeError, BufferError)):
        io.BytesIO(b"x" * 100).readinto(samples.samples.data)
    own = samples.samples.copy()
    own[0] = 77
    assert not numpy.shares_memory(own, samples.samples)


def test_nothing_is_copied(samples: Samples) -> None:
    assert len({address(samples.pcm), address(samples.samples), address(samples.samples[:])}) == 1
    part = samples.samples[100:200]
    assert address(part) == address(samples.pcm) + 200


def test_the_samples_outlive_the_object(engine: Engine) -> None:
    audio = engine.synthesize("Hello.")
    pcm = bytes(bytearray(audio.pcm))
    before = sys.getrefcount(audio.pcm)
    array = audio.samples
    one = sys.getrefcount(audio.pcm)
    view = audio.samples.data
    both = sys.getrefcount(audio.pcm)
    assert before < one < both
    del view
    released = sys.getrefcount(audio.pcm)
    assert released == one
    del audio
    engine.synthesize("Something else.")
    assert array.tobytes() == pcm


def test_the_wav_file(samples: Samples) -> None:
    with wave.open(io.BytesIO(samples.wav)) as file:
        parameters = (file.getnchannels(), file.getsampwidth(), file.getframerate())
        assert parameters == (1, 2, samples.sample_rate) == (1, 2, libspeech.SAMPLE_RATE)
        assert file.getnframes() == len(samples.samples)
        assert file.readframes(len(samples.samples)) == samples.pcm
    assert len(samples.wav) == 44 + len(samples.pcm)


def test_how_long_it_is(samples: Samples) -> None:
    assert isinstance(samples.pcm, bytes)
    assert len(samples.pcm) == 2 * len(samples.samples) > 0
    assert samples.duration == len(samples.samples) / 22050


def test_what_comes_with_it(audio: Audio, engine: Engine) -> None:
    assert audio.text == TEXT
    assert audio.characters == len(TEXT)
    uuid.UUID(audio.request_id)
    assert audio.request_id != engine.synthesize(TEXT).request_id
    assert audio.diagnostics == ()
    assert (audio.kernels, audio.precision) == (engine.kernels, engine.precision)
    since = time.monotonic()
    assert 0 < engine.synthesize(TEXT).elapsed <= time.monotonic() - since


def test_the_timing_of_each_word(audio: Audio) -> None:
    assert [TEXT[word.span] for word in audio.words] == re.findall(r"\w+", TEXT)
    ends = [0.0] + [word.end for word in audio.words[:-1]]
    for word, end_of_last in zip(audio.words, ends, strict=True):
        assert end_of_last <= word.start < word.end <= audio.duration
    assert all(type(word.start) is float for word in audio.words)


@pytest.mark.parametrize(
    ("text", "words", "skipped"),
    [
        ("😀 I own 25 of them.", ["I", "own", "25", "of", "them"], ["😀"]),
        ("👩‍👩‍👧 One 🇮🇳 two.", ["One", "two"], ["👩‍👩‍👧", "🇮🇳"]),
        ("नमस्ते दुनिया, कल 5 files भेजो।", ["नमस्ते", "दुनिया", "कल", "5", "files", "भेजो"], []),
        ("é̂́ 𝐇ello: naïve.", None, []),
        ("One.\r\n\r\n\tTwo 😀\x01 three.", ["One", "Two", "three"], ["😀\x01"]),
    ],
)
def test_places_count_code_points(engine: Engine, text: str, words: Any, skipped: list[str]) -> None:
    audio = engine.synthesize(text, language="hi-IN" if "न" in text else "en-US")
    assert audio.characters == len(text)
    assert [(each.kind, text[each.span]) for each in audio.diagnostics] == [("skipped", each) for each in skipped]
    found = [text[word.span] for word in audio.words]
    assert found == words if words else "".join(found).endswith("naïve")


def test_romanized_hindi(engine: Engine) -> None:
    written = engine.synthesize("कल मिलते हैं", language="hi-IN")
    assert engine.synthesize("kal milte hain", language="hi-IN").pcm == written.pcm
    assert engine.synthesize("kal milte hain", language="hi-IN", read_romanized_hindi=False).pcm != written.pcm


def test_emoji_that_are_read(engine: Engine) -> None:
    text = "We won ❤️."
    silent, read = engine.synthesize(text), engine.synthesize(text, read_emoji=True)
    assert [text[each.span] for each in silent.diagnostics] == ["❤️"]
    assert read.diagnostics == ()
    assert read.duration > silent.duration


def test_nothing_to_say(engine: Engine) -> None:
    audio = engine.synthesize("😀")
    assert 0 < audio.duration < 1
    assert not any(audio.pcm)
    assert audio.words == ()
    assert len(audio.diagnostics) == 1


def test_save_to_a_path(samples: Samples, tmp_path: Path) -> None:
    samples.save(tmp_path / "path.wav")
    samples.save(str(tmp_path / "string.wav"))
    samples.save(str(tmp_path / "string.wav"))
    for name in ("path.wav", "string.wav"):
        assert (tmp_path / name).read_bytes() == samples.wav


def test_save_to_a_file(samples: Samples, tmp_path: Path) -> None:
    memory = io.BytesIO(b"before")
    memory.seek(0, io.SEEK_END)
    samples.save(memory)
    assert memory.getvalue() == b"before" + samples.wav
    with (tmp_path / "file.wav").open("wb", buffering=0) as file:
        samples.save(file)
        assert not file.closed
    assert (tmp_path / "file.wav").read_bytes() == samples.wav


def test_where_nothing_can_be_saved(samples: Samples, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        samples.save(tmp_path / "none" / "a.wav")
    with pytest.raises(IsADirectoryError):
        samples.save(tmp_path)
    with pytest.raises(TypeError):
        samples.save(io.StringIO())  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        samples.save(1)  # type: ignore[arg-type]
    closed = io.BytesIO()
    closed.close()
    with pytest.raises(ValueError, match="closed"):
        samples.save(closed)


SVG = "{http://www.w3.org/2000/svg}"


def shown(samples: Samples) -> tuple[bytes, ElementTree.Element, list[str]]:
    """The WAV file, the drawing and the notes in a notebook."""
    player, drawing, *notes = ElementTree.fromstring(samples._repr_html_())
    assert (player.tag, player.get("controls")) == ("audio", "controls")
    kind, _, data = (player.get("src") or "").partition(",")
    assert kind == "data:audio/wav;base64"
    return base64.b64decode(data), drawing, [note.text or "" for note in notes]


def test_in_a_notebook(samples: Samples) -> None:
    wav, drawing, notes = shown(samples)
    assert wav == samples.wav
    assert notes == []
    assert drawing.get("role") == "img"
    assert drawing.get("fill") == "currentColor"
    (path,) = drawing.findall(f"{SVG}path")
    bars = re.findall(r"M(\d+) (\d+)v(\d+)", path.get("d") or "")
    assert len(bars) == pytest.approx(samples.duration * 40, abs=2)
    assert max(int(height) for *_, height in bars) > 2


def test_the_words_in_a_notebook(audio: Audio, chunk: Chunk) -> None:
    words = re.findall(r"\w+", TEXT)
    _, drawing, _ = shown(audio)
    texts = drawing.findall(f"{SVG}text")
    assert [text.text for text in texts] == words
    places = [(int(text.get("y") or ""), int(text.get("x") or "")) for text in texts]
    assert [x for _, x in places] == pytest.approx([word.start % 6 * 120 for word in audio.words], abs=1)
    assert len({y for y, _ in places}) <= 2 * (1 + int(audio.duration / 6))
    assert drawing.get("aria-label") == f"Waveform of {audio.duration:.1f} seconds: {' '.join(words)}"
    # A chunk has no text.
    assert shown(chunk)[1].findall(f"{SVG}text") == []


@pytest.mark.parametrize("text", [*texts("hostile_texts"), "a\x00\x1b\u2028\ud800b", ""])
def test_any_text_in_a_notebook(text: str) -> None:
    word = libspeech.Word(slice(0, len(text)), 0.5, 0.9)
    _, drawing, _ = shown(Audio(b"\1\0" * 22_050, (word,), text=text))
    (label,) = drawing.findall(f"{SVG}text")
    printable = "".join(character if character.isprintable() else " " for character in text)
    assert (label.text or "") == printable
    assert (drawing.get("aria-label") or "").startswith("Waveform of 1.0 seconds")


@pytest.mark.parametrize("seconds", [0, 0.0001, 1, 600])
def test_how_much_a_notebook_keeps(seconds: float) -> None:
    words = tuple(libspeech.Word(slice(0, 4), place / 2, place / 2 + 0.4) for place in range(int(seconds) * 2))
    samples = Audio(b"\xff\x7f" * int(seconds * 22_050), words, text="word")
    wav, drawing, notes = shown(samples)
    kept = min(seconds, 120)
    assert len(wav) == 44 + 2 * int(kept * 22_050)
    assert len(drawing.findall(f"{SVG}text")) == int(kept) * 2
    assert len(ElementTree.tostring(drawing)) < 500 + kept * 1_000
    assert bool(notes) == (seconds > kept)
    assert all("first 120 s of 600 s" in note for note in notes)


def test_what_it_looks_like(samples: Samples) -> None:
    shown = repr(samples)
    assert type(samples).__name__ in shown
    assert f"{samples.duration:.2f} s" in shown
    assert "First" not in shown
    assert len(shown) < 100


def state(samples: Samples) -> dict[str, Any]:
    names = [name for name in dir(samples) if not name.startswith("_")]
    values = {name: getattr(samples, name) for name in names} | {"samples": samples.samples.tolist()}
    return {name: value for name, value in values.items() if not callable(value)}


def test_it_survives_pickling_and_copying(samples: Samples) -> None:
    pickled = [pickle.loads(pickle.dumps(samples, protocol)) for protocol in range(2, 6)]
    for back in [*pickled, copy.copy(samples), copy.deepcopy(samples)]:
        assert type(back) is type(samples)
        assert state(back) == state(samples)
        assert back.samples.tobytes() == samples.pcm
    assert {"pcm", "words", "wav", "duration", "sample_rate"} <= set(state(samples))


def test_it_cannot_be_changed(samples: Samples) -> None:
    samples = copy.copy(samples)
    for name in (*state(samples), "something_new"):
        with pytest.raises(AttributeError):
            setattr(samples, name, None)
        with pytest.raises(AttributeError):
            delattr(samples, name)


def test_what_is_made_of_samples() -> None:
    word = libspeech.Word(slice(0, 2), 0.0, 0.1)
    audio = Audio(b"\x01\x00\xff\xff", (word,), characters=2)
    assert (audio.samples.tolist(), audio.words, audio.characters, audio.diagnostics) == ([1, -1], (word,), 2, ())
    assert Chunk(b"\x00\x80", span=slice(3, 4)).span == slice(3, 4)
    for kind in (Audio, Chunk):
        for pcm in (b"abc", b"a"):
            with pytest.raises(libspeech.InvalidRequestError, match=f"half a sample: {len(pcm)} bytes"):
                kind(pcm)
        for other in (bytearray(b"ab"), "ab", None, [1, 2]):
            with pytest.raises(libspeech.WrongTypeError, match="pcm must be bytes"):
                kind(other)  # type: ignore[arg-type]
        with pytest.raises(libspeech.InvalidRequestError, match="unsupported encoding; use pcm16, float32, mulaw"):
            kind(b"ab", encoding="int8")  # type: ignore[arg-type]
        with pytest.raises(libspeech.InvalidRequestError, match="sample_rate must be an integer from 1"):
            kind(b"ab", sample_rate=0)
        with pytest.raises(libspeech.WrongTypeError, match="words must be"):
            kind(b"ab", ((slice(0, 1), 0.0, 0.1),))  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="mood"):
            kind(b"ab", mood=1)  # type: ignore[call-arg]


def test_a_copy_is_equal(samples: Samples) -> None:
    copies = [copy.copy(samples), copy.deepcopy(samples), pickle.loads(pickle.dumps(samples))]
    assert copies == [samples] * 3
    assert len({samples, *copies}) == 1
    assert samples != type(samples)(samples.pcm, samples.words)
    assert samples != type(samples)(samples.pcm[2:], samples.words)
    assert samples != samples.pcm
    assert Audio(b"ab") != Chunk(b"ab")


def test_the_place_of_a_chunk(chunk: Chunk) -> None:
    assert TEXT[chunk.span] == "First this, of 25 words."
