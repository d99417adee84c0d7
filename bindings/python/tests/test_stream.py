"""Streams of sentences: order, end, and every kind of consumer."""

from __future__ import annotations

import asyncio
import gc
import threading
import uuid
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import get_args

import libspeech
import numpy
import pytest
from libspeech import CancelledError, Chunk, Engine, Language, Stream
from support import LONG, LONG_SENTENCE, TEXT, joined, running_reference, until

SENTENCES = ["First this, of 25 words.", "Then that!", "And it ends here."]


def test_the_chunks_are_the_whole(engine: Engine) -> None:
    whole = engine.synthesize(TEXT)
    chunks = list(engine.stream(TEXT))
    assert b"".join(chunk.pcm for chunk in chunks) == whole.pcm
    assert [TEXT[chunk.span] for chunk in chunks] == SENTENCES
    words = [word for chunk in chunks for word in chunk.words]
    assert [word.span for word in words] == [word.span for word in whole.words]
    times = [(word.start, word.end) for word in words]
    assert numpy.allclose(times, [(word.start, word.end) for word in whole.words], atol=1e-6)
    assert all(isinstance(chunk, Chunk) for chunk in chunks)


def test_what_is_known_at_once(engine: Engine) -> None:
    text = "One 😀 two. Three."
    with engine.stream(text) as stream:
        uuid.UUID(stream.request_id)
        assert (stream.characters, stream.sample_rate, stream.sentences) == (len(text), 22050, 2)
        assert [text[each.span] for each in stream.diagnostics] == ["😀"]
        assert not stream.closed
        assert len(list(stream)) == stream.sentences


def test_places_count_code_points(engine: Engine) -> None:
    text = "😀 नमस्ते। यह 🎉 दूसरा है।"
    spans = [chunk.span for chunk in engine.stream(text, language="hi-IN")]
    assert [text[span].strip("😀 ") for span in spans] == ["नमस्ते।", "यह 🎉 दूसरा है।"]


def test_nothing_to_say(engine: Engine) -> None:
    text = "... 😀"
    (chunk,) = engine.stream(text)
    assert text[chunk.span] == text
    assert chunk.duration > 0
    assert not any(chunk.pcm)


def test_a_refusal_comes_at_once(engine: Engine) -> None:
    with pytest.raises(libspeech.EmptyTextError):
        engine.stream(" ")
    with pytest.raises(libspeech.InvalidRequestError):
        engine.stream("a", voice="none")  # type: ignore[arg-type]


def test_voice_and_language_count(engine: Engine) -> None:
    pcm = {
        joined(engine.stream(TEXT, language=language, voice=voice))
        for language in get_args(Language)
        for voice in ("aria", "sofia")
    }
    assert len(pcm) == 4


def test_it_ends_and_stays_ended(engine: Engine) -> None:
    stream = engine.stream("Hello.")
    assert iter(stream) is stream
    assert len(list(stream)) == 1
    for _ in range(3):
        with pytest.raises(StopIteration):
            next(stream)
    assert list(stream) == []
    stream.close()


def test_a_loop_that_is_left(engine: Engine) -> None:
    with engine.stream(TEXT) as stream:
        for chunk in stream:
            assert TEXT[chunk.span] == SENTENCES[0]
            break
    assert stream.closed
    assert list(stream) == []


def test_close_is_idempotent(engine: Engine) -> None:
    stream = engine.stream(TEXT)
    next(stream)
    stream.close()
    stream.close()
    assert stream.closed
    assert next(stream, None) is None
    fresh = engine.stream(TEXT)
    fresh.close()
    assert list(fresh) == []


def test_a_context_that_fails_closes(engine: Engine) -> None:
    stream = engine.stream(TEXT)
    with pytest.raises(KeyError), stream:
        raise KeyError
    assert stream.closed


@pytest.mark.voices
def test_close_from_another_thread(voices_engine: Engine) -> None:
    stream = voices_engine.stream(LONG_SENTENCE)
    results: list[object] = []

    def consume() -> None:
        try:
            results.append(next(stream))
        except CancelledError as error:
            results.append(error)

    thread = threading.Thread(target=consume)
    thread.start()
    thread.join(0.4)
    assert thread.is_alive(), "the sentence was to take seconds"
    stream.close()
    thread.join(5)
    assert isinstance(results[0], CancelledError)
    assert list(stream) == []
    # The engine is free and usable.
    assert voices_engine.synthesize("Hello.").duration > 0


@pytest.mark.voices
def test_the_engine_is_closed_meanwhile(voices_engine: Engine) -> None:
    engine = Engine(threads=2)
    whole, stream = engine.stream(LONG), engine.stream(LONG)
    assert next(whole).duration > 0
    timer = threading.Timer(0.3, engine.close)
    timer.start()
    with pytest.raises(CancelledError):
        list(stream)
    with pytest.raises(CancelledError):
        list(whole)
    timer.join()
    assert engine.closed


@pytest.mark.voices
def test_a_stream_that_is_collected_stops(voices_engine: Engine) -> None:
    with running_reference(LONG_SENTENCE) as is_running:
        stream = voices_engine.stream(f"Hello. {LONG_SENTENCE}")
        # From now on the engine computes the second sentence.
        next(stream)
        alive = weakref.ref(stream)
        del stream
        until(lambda: gc.collect() >= 0 and alive() is None, "the stream lives")
        voices_engine.synthesize("Hello.")
        assert is_running(), "the engine was still at the stream"


def test_an_engine_lives_as_long_as_its_stream(fake_model: object) -> None:
    stream = Engine(fake_model, threads=1).stream(TEXT)  # type: ignore[arg-type]
    gc.collect()
    assert [TEXT[chunk.span] for chunk in stream] == SENTENCES


@pytest.mark.voices
def test_low_latency(voices_engine: Engine) -> None:
    text = "The first half second is heard before the rest. Then."
    with voices_engine.stream(text, latency="low") as stream:
        assert stream.sentences == 2
        chunks = list(stream)
    assert len(chunks) > 2
    assert chunks[0].span == chunks[1].span
    assert 0.05 < chunks[0].duration < 1
    assert text[chunks[-1].span] == "Then."
    exact = voices_engine.synthesize(text)
    assert sum(chunk.duration for chunk in chunks) == pytest.approx(exact.duration, rel=0.05)
    words = [text[word.span] for chunk in chunks for word in chunk.words]
    assert words == [text[word.span] for word in exact.words]
    starts = [word.start for chunk in chunks for word in chunk.words]
    assert starts == sorted(starts)


def test_a_loop_and_an_asynchronous_one_in_one(engine: Engine) -> None:
    async def rest(stream: Stream) -> list[Chunk]:
        return [chunk async for chunk in stream]

    stream = engine.stream(TEXT)
    chunks = [next(stream), *asyncio.run(rest(stream))]
    assert [TEXT[chunk.span] for chunk in chunks] == SENTENCES


def test_many_consumers_share_the_sentences(engine: Engine) -> None:
    text = "".join(f"This is number {number}. " for number in range(20))
    stream = engine.stream(text)
    with ThreadPoolExecutor(4) as pool:
        shares = list(pool.map(lambda _: list(stream), range(4)))
    spans = sorted(chunk.span.start for share in shares for chunk in share)
    assert spans == [chunk.span.start for chunk in engine.stream(text)]
    for share in shares:
        starts = [chunk.span.start for chunk in share]
        assert starts == sorted(starts)


def test_streams_at_once_are_each_whole(engine: Engine) -> None:
    whole = {voice: engine.synthesize(TEXT, voice=voice).pcm for voice in ("aria", "leo")}
    streams = [(voice, engine.stream(TEXT, voice=voice)) for voice in ("aria", "leo", "aria")]
    chunks = [[next(stream) for _, stream in streams] for _ in SENTENCES]
    for place, (voice, _) in enumerate(streams):
        assert b"".join(row[place].pcm for row in chunks) == whole[voice]


def test_what_it_looks_like(engine: Engine) -> None:
    with engine.stream("Swordfish.") as stream:
        assert "Stream" in repr(stream)
        assert "Swordfish" not in repr(stream)
