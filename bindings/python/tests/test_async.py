"""asyncio: nothing blocks the loop, and what is cancelled stops."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import libspeech
import pytest
from conftest import Run
from libspeech import Engine, Request
from support import LONG, LONG_SENTENCE, TEXT, clean

#: Far more than a cancellation takes, and far less than what it cancels.
SOON = 1.5


@asynccontextmanager
async def responsive(limit: float = 0.5) -> AsyncIterator[None]:
    """Nothing within may keep the loop from its other tasks for long."""
    longest = 0.0

    async def tick() -> None:
        nonlocal longest
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.005)
            longest = max(longest, time.monotonic() - before)

    ticking = asyncio.ensure_future(tick())
    yield
    ticking.cancel()
    assert longest < limit


def test_asynthesize(engine: Engine) -> None:
    audio = asyncio.run(engine.asynthesize(TEXT, voice="leo"))
    assert audio.pcm == engine.synthesize(TEXT, voice="leo").pcm
    request = Request(TEXT, voice="leo")
    assert asyncio.run(engine.asynthesize(request)).pcm == audio.pcm


def test_refusals(engine: Engine) -> None:
    with pytest.raises(libspeech.EmptyTextError):
        asyncio.run(engine.asynthesize(""))
    with pytest.raises(libspeech.InvalidRequestError, match="unsupported voice"):
        asyncio.run(engine.asynthesize("a", voice="none"))


def test_many_at_once(engine: Engine) -> None:
    texts = [f"This is number {number}." for number in range(20)]

    async def main() -> list[libspeech.Audio]:
        async with responsive():
            return await asyncio.gather(*(engine.asynthesize(text) for text in texts))

    together = [audio.pcm for audio in asyncio.run(main())]
    assert together == [engine.synthesize(text).pcm for text in texts]


def test_one_failure_among_many(engine: Engine) -> None:
    async def main() -> list[object]:
        requests = (engine.asynthesize(text) for text in ("One.", " ", "Three."))
        return list(await asyncio.gather(*requests, return_exceptions=True))

    first, second, third = asyncio.run(main())
    assert isinstance(first, libspeech.Audio)
    assert isinstance(third, libspeech.Audio)
    assert isinstance(second, libspeech.EmptyTextError)


def test_a_stream(engine: Engine) -> None:
    async def main() -> bytes:
        async with engine.stream(TEXT) as stream:
            assert stream.__aiter__() is stream
            pcm = b"".join([chunk.pcm async for chunk in stream])
            with pytest.raises(StopAsyncIteration):
                await stream.__anext__()
        assert stream.closed
        await stream.aclose()
        return pcm

    assert asyncio.run(main()) == engine.synthesize(TEXT).pcm


def test_a_loop_that_is_left(engine: Engine) -> None:
    async def main() -> libspeech.Stream:
        async with engine.stream(TEXT) as stream:
            async for _ in stream:
                break
        assert [chunk async for chunk in stream] == []
        return stream

    assert asyncio.run(main()).closed


def test_two_consumers_share_the_sentences(engine: Engine) -> None:
    async def main() -> list[int]:
        stream = engine.stream("One. Two. Three. Four. Five.")

        async def consume() -> list[int]:
            return [chunk.span.start async for chunk in stream]

        first, second = await asyncio.gather(consume(), consume())
        return first + second

    spans = [chunk.span.start for chunk in engine.stream("One. Two. Three. Four. Five.")]
    assert sorted(asyncio.run(main())) == spans


def test_no_thread_is_left(engine: Engine) -> None:
    asyncio.run(engine.asynthesize(TEXT))
    assert not [thread for thread in threading.enumerate() if "asyncio" in thread.name]


def test_the_loop_may_be_another_each_time(engine: Engine) -> None:
    stream = engine.stream(TEXT)

    async def following() -> libspeech.Chunk:
        return await stream.__anext__()

    assert [TEXT[asyncio.run(following()).span][:5] for _ in range(3)] == [
        "First",
        "Then ",
        "And i",
    ]


async def freed(engine: Engine, since: float) -> None:
    """The caller has had the control back soon, and the engine has time for others soon."""
    assert time.monotonic() - since < SOON
    await engine.asynthesize("Hello.")
    assert time.monotonic() - since < 2 * SOON


@pytest.mark.voices
def test_a_time_limit(voices_engine: Engine) -> None:
    async def main() -> None:
        async with responsive():
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(voices_engine.asynthesize(LONG), 0.5)
            await freed(voices_engine, time.monotonic())

    started = time.monotonic()
    asyncio.run(main())
    assert time.monotonic() - started < 0.5 + 3 * SOON


@pytest.mark.voices
def test_a_task_that_is_cancelled(voices_engine: Engine) -> None:
    async def main() -> None:
        task = asyncio.ensure_future(voices_engine.asynthesize(LONG_SENTENCE))
        await asyncio.sleep(0.4)
        assert not task.done(), "the sentence was to take seconds"
        since = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await freed(voices_engine, since)

    asyncio.run(main())


@pytest.mark.voices
def test_a_stream_whose_task_is_cancelled(voices_engine: Engine) -> None:
    streams = []

    async def consume() -> None:
        async with voices_engine.stream(LONG_SENTENCE) as stream:
            streams.append(stream)
            async for _ in stream:
                pass

    async def main() -> None:
        task = asyncio.ensure_future(consume())
        await asyncio.sleep(0.4)
        assert not task.done()
        since = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await freed(voices_engine, since)

    asyncio.run(main())
    assert streams[0].closed


@pytest.mark.voices
def test_a_stream_that_another_task_closes(voices_engine: Engine) -> None:
    async def main() -> None:
        stream = voices_engine.stream(LONG_SENTENCE)
        task = asyncio.ensure_future(stream.__anext__())
        await asyncio.sleep(0.4)
        since = time.monotonic()
        await stream.aclose()
        with pytest.raises(libspeech.CancelledError):
            await task
        assert [chunk async for chunk in stream] == []
        await freed(voices_engine, since)

    asyncio.run(main())


@pytest.mark.voices
def test_one_that_waits_for_its_turn_is_cancelled(voices_engine: Engine) -> None:
    async def main() -> None:
        first = asyncio.ensure_future(voices_engine.asynthesize(LONG_SENTENCE))
        await asyncio.sleep(0.3)
        second = asyncio.ensure_future(voices_engine.asynthesize("Hello."))
        await asyncio.sleep(0.3)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        assert not first.done()
        since = time.monotonic()
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        await freed(voices_engine, since)

    asyncio.run(main())


@pytest.mark.voices
def test_the_loop_goes_on_meanwhile(voices_engine: Engine) -> None:
    async def main() -> None:
        async with responsive(), voices_engine.stream(TEXT) as stream:
            async for _ in stream:
                pass

    asyncio.run(main())


def test_cancelled_before_it_began(engine: Engine) -> None:
    async def main() -> None:
        task = asyncio.ensure_future(engine.asynthesize(TEXT))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(await engine.asynthesize("Hello.")) > 0

    asyncio.run(main())


def test_a_loop_that_is_closed_meanwhile(run: Run, hum: Path) -> None:
    ended = run(
        """
        engine = libspeech.Engine(HUM, threads=1)
        for begun in (lambda: engine.asynthesize(LONG_SENTENCE), lambda: engine.stream(LONG_SENTENCE).__anext__()):
            loop = asyncio.new_event_loop()
            task = loop.create_task(begun())
            loop.run_until_complete(asyncio.sleep(0.05))
            assert not task.done()
            loop.close()
            # A task that nobody ends is the program's own fault, and asyncio says so: not what is tested here.
            task._log_destroy_pending = False
            print(len(engine.synthesize(TEXT)) > 0)
            time.sleep(1)
        """
    )
    assert clean(ended).split() == ["True", "True"]
    assert ended.stderr == ""
