"""The audio of a synthesis: samples without copies, a file, the timing of words."""

from __future__ import annotations

import array
import base64
import copy
import ctypes
import io
import pickle
import re
import sys
import time
import uuid
import wave
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import libspeech
import numpy
import pytest
from libspeech import Audio, Chunk, Engine, Samples
from support import TEXT, texts


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


def test_the_buffer(samples: Samples) -> None:
    view = memoryview(samples)
    assert (view.format, view.itemsize, view.ndim, view.shape) == ("h", 2, 1, (len(samples),))
    assert view.readonly
    assert view.contiguous
    assert view.nbytes == len(samples.pcm)
    assert view.tobytes() == samples.pcm
    assert view.tolist()[:100] == array.array("h", samples.pcm).tolist()[:100]


def test_nothing_writes_into_it(samples: Samples) -> None:
    with pytest.raises(TypeError):
        memoryview(samples)[0] = 1
    with pytest.raises((TypeError, BufferError)):
        io.BytesIO(b"x" * 100).readinto(samples)
    with pytest.raises(TypeError):
        (ctypes.c_char * 2).from_buffer(samples)
    with pytest.raises(ValueError, match="read-only"):
        numpy.asarray(samples)[0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        numpy.asarray(samples).flags.writeable = True


def test_nothing_is_copied(samples: Samples) -> None:
    places = {
        address(samples.pcm),
        address(memoryview(samples)),
        numpy.asarray(samples).ctypes.data,
        numpy.asarray(samples).ctypes.data,
        numpy.frombuffer(memoryview(samples), numpy.int16).ctypes.data,
        samples.__array__().ctypes.data,
        address(samples.pcm),
    }
    assert len(places) == 1


def test_the_samples_outlive_the_object(engine: Engine) -> None:
    audio = engine.synthesize("Hello.")
    pcm = bytes(bytearray(audio.pcm))
    array, view = numpy.asarray(audio), memoryview(audio)
    before = sys.getrefcount(audio)
    del view
    assert sys.getrefcount(audio) < before
    del audio
    engine.synthesize("Something else.")
    assert array.tobytes() == pcm


def test_as_an_array(samples: Samples) -> None:
    array = numpy.asarray(samples)
    assert (array.dtype, array.shape) == (numpy.dtype(numpy.int16), (len(samples),))
    assert array.tobytes() == samples.pcm
    floats = numpy.asarray(samples, dtype=numpy.float32)
    assert floats.dtype == numpy.float32
    assert (floats == array).all()
    assert floats.flags.writeable
    own = numpy.array(samples)
    own[0] = 77
    assert not numpy.shares_memory(own, array)
    assert numpy.concatenate([array, array]).size == 2 * len(samples)
    assert numpy.abs(samples).max() > 1000


def test_the_array_protocol_of_numpy_2(samples: Samples) -> None:
    view = samples.__array__()
    assert not view.flags.writeable
    assert samples.__array__(copy=None).ctypes.data == view.ctypes.data
    assert samples.__array__(copy=False).ctypes.data == view.ctypes.data
    assert samples.__array__(numpy.int16, copy=False).ctypes.data == view.ctypes.data
    copied = samples.__array__(copy=True)
    assert not numpy.shares_memory(copied, view)
    assert copied.flags.writeable
    copied = samples.__array__(numpy.dtype("int16"), copy=True)
    assert not numpy.shares_memory(copied, view)
    assert samples.__array__("float64", copy=True).dtype == numpy.float64
    with pytest.raises(ValueError, match="copy"):
        samples.__array__(numpy.float32, copy=False)
    if numpy.lib.NumpyVersion(numpy.__version__) >= "2.0.0":
        assert numpy.asarray(samples, copy=False).ctypes.data == view.ctypes.data
        with pytest.raises(ValueError, match="copy"):
            numpy.asarray(samples, dtype=numpy.float32, copy=False)


def test_the_wav_file(samples: Samples) -> None:
    with wave.open(io.BytesIO(samples.wav)) as file:
        parameters = (file.getnchannels(), file.getsampwidth(), file.getframerate())
        assert parameters == (1, 2, samples.sample_rate) == (1, 2, libspeech.SAMPLE_RATE)
        assert file.getnframes() == len(samples)
        assert file.readframes(len(samples)) == samples.pcm
    assert len(samples.wav) == 44 + len(samples.pcm)


def test_how_long_it_is(samples: Samples) -> None:
    assert isinstance(samples.pcm, bytes)
    assert len(samples.pcm) == 2 * len(samples) > 0
    assert samples.duration == len(samples) / 22050
    assert bool(samples)


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
    ends = [0.0] + [word.end for word in audio.words]
    for word, end_of_last in zip(audio.words, ends):
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
    audio = engine.synthesize(text, "hi-IN" if "न" in text else "en-US")
    assert audio.characters == len(text)
    assert [(each.kind, text[each.span]) for each in audio.diagnostics] == [("skipped", each) for each in skipped]
    found = [text[word.span] for word in audio.words]
    assert found == words if words else "".join(found).endswith("naïve")


def test_romanized_hindi(engine: Engine) -> None:
    written = engine.synthesize("कल मिलते हैं", "hi-IN")
    assert engine.synthesize("kal milte hain", "hi-IN").pcm == written.pcm
    assert engine.synthesize("kal milte hain", "hi-IN", read_romanized_hindi=False).pcm != written.pcm


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
    """The wav, the drawing and the notes that a notebook has."""
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
    # A chunk does not know its text.
    assert shown(chunk)[1].findall(f"{SVG}text") == []


@pytest.mark.parametrize("text", [*texts("hostile_texts"), "a\x00\x1b\u2028\ud800b", ""])
def test_any_text_in_a_notebook(text: str) -> None:
    word = libspeech.Word(slice(0, len(text)), 0.5, 0.9)
    _, drawing, _ = shown(Audio(b"\1\0" * 22_050, [word], text=text))
    (label,) = drawing.findall(f"{SVG}text")
    printable = "".join(character if character.isprintable() else " " for character in text)
    assert (label.text or "") == printable
    assert (drawing.get("aria-label") or "").startswith("Waveform of 1.0 seconds")


@pytest.mark.parametrize("seconds", [0, 0.0001, 1, 600])
def test_how_much_a_notebook_keeps(seconds: float) -> None:
    words = [libspeech.Word(slice(0, 4), place / 2, place / 2 + 0.4) for place in range(int(seconds) * 2)]
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
    values = {name: getattr(samples, name) for name in names}
    return {name: value for name, value in values.items() if not callable(value)}


def test_it_survives_pickling_and_copying(samples: Samples) -> None:
    pickled = [pickle.loads(pickle.dumps(samples, protocol)) for protocol in range(2, 6)]
    for back in [*pickled, copy.copy(samples), copy.deepcopy(samples)]:
        assert type(back) is type(samples)
        assert state(back) == state(samples)
        assert numpy.asarray(back).tobytes() == samples.pcm
    assert {"pcm", "words", "wav", "duration", "sample_rate"} <= set(state(samples))


def test_it_cannot_be_changed(samples: Samples) -> None:
    samples = copy.copy(samples)
    for name in (*state(samples), "something_new"):
        with pytest.raises(AttributeError):
            setattr(samples, name, None)
        with pytest.raises(AttributeError):
            delattr(samples, name)
    assert not hasattr(samples, "__dict__")
    with pytest.raises(TypeError):
        samples[0] = 1  # type: ignore[index]


def test_it_is_a_sequence_of_its_samples(samples: Samples) -> None:
    numbers = numpy.asarray(samples).tolist()
    assert isinstance(samples, Sequence)
    assert [samples[0], samples[-1], samples[len(samples) - 1]] == [numbers[0], numbers[-1], numbers[-1]]
    assert type(samples[0]) is int
    assert list(samples) == numbers == list(reversed(list(reversed(samples))))
    assert numbers[100] in samples
    assert 40_000 not in samples
    assert "no sample" not in samples  # type: ignore[comparison-overlap]
    assert samples.index(numbers[100]) == numbers.index(numbers[100])
    assert samples.count(numbers[100]) == numbers.count(numbers[100])
    for index in (len(samples), -len(samples) - 1, 2**70):
        with pytest.raises(IndexError, match=f"{type(samples).__name__} index out of range"):
            samples[index]
    for wrong in ("0", 0.5, None):
        with pytest.raises(TypeError):
            samples[wrong]  # type: ignore[call-overload]


def test_a_slice_copies_nothing(samples: Samples) -> None:
    part = samples[100:200]
    assert (type(part), part.format, part.readonly, len(part)) == (memoryview, "h", True, 100)
    assert part.tolist() == list(samples)[100:200]
    assert address(part) == address(memoryview(samples)) + 200
    assert samples[::-1].tolist() == list(samples)[::-1]
    assert len(samples[len(samples) :]) == 0


def test_what_is_made_of_samples() -> None:
    word = libspeech.Word(slice(0, 2), 0.0, 0.1)
    audio = Audio(b"\x01\x00\xff\xff", [word], characters=2)
    assert (list(audio), audio.words, audio.characters, audio.diagnostics) == ([1, -1], (word,), 2, ())
    assert list(Audio(b"")) == []
    assert not Audio(b"")
    assert Chunk(b"\x00\x80", span=slice(3, 4)).span == slice(3, 4)
    for kind in (Audio, Chunk):
        for pcm in (b"abc", b"a"):
            with pytest.raises(libspeech.InvalidRequestError, match=f"half a sample: {len(pcm)} bytes"):
                kind(pcm, [])
        for other in (bytearray(b"ab"), "ab", None, [1, 2]):
            with pytest.raises(libspeech.WrongTypeError, match="pcm must be bytes"):
                kind(other, [])  # type: ignore[arg-type]
        with pytest.raises(libspeech.WrongTypeError, match="words must be"):
            kind(b"ab", [(slice(0, 1), 0.0, 0.1)])  # type: ignore[list-item]
        with pytest.raises(TypeError, match="mood"):
            kind(b"ab", [], mood=1)  # type: ignore[call-arg]


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


def test_many_views_at_once(audio: Audio) -> None:
    views = [memoryview(audio) for _ in range(1000)]
    assert all(view[-1] == views[0][-1] for view in views)
    assert memoryview(views[0])[::2].tolist() == numpy.asarray(audio)[::2].tolist()
    assert memoryview(audio).cast("B")[:2].tobytes() == audio.pcm[:2]
