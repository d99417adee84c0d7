"""asyncio: nothing blocks the loop, and cancellation stops the computation."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import libspeech
import pytest
from conftest import Run
from libspeech import Engine
from support import LONG, LONG_SENTENCE, TEXT, clean, running_reference

#: Iterations of the loop per awaited operation. A blocked loop iterates once or twice.
ITERATIONS = 20


@asynccontextmanager
async def responsive(awaited: int) -> AsyncIterator[None]:
    """Check that the loop keeps iterating while this number of operations is awaited."""
    iterations = 0

    async def iterate() -> None:
        nonlocal iterations
        while True:
            iterations += 1
            await asyncio.sleep(0)

    iterating = asyncio.ensure_future(iterate())
    yield
    iterating.cancel()
    assert iterations > ITERATIONS * awaited


def test_asynthesize(engine: Engine) -> None:
    audio = asyncio.run(engine.asynthesize(TEXT, voice="leo"))
    assert audio.pcm == engine.synthesize(TEXT, voice="leo").pcm


def test_refusals(engine: Engine) -> None:
    with pytest.raises(libspeech.EmptyTextError):
        asyncio.run(engine.asynthesize(""))
    with pytest.raises(libspeech.InvalidRequestError, match="unsupported voice"):
        asyncio.run(engine.asynthesize("a", voice="none"))  # type: ignore[arg-type]


def test_many_at_once(engine: Engine) -> None:
    texts = [f"This is number {number}." for number in range(20)]

    async def main() -> list[libspeech.Audio]:
        async with responsive(len(texts)):
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


def test_a_call_that_close_overtakes(engine: Engine) -> None:
    async def main() -> set[type]:
        outcomes: set[type] = set()
        for _ in range(200):
            stream = engine.stream("Hello.")
            task = asyncio.ensure_future(stream.__anext__())
            # The task requests the chunk.
            await asyncio.sleep(0)
            stream.close()
            outcomes |= {type(outcome) for outcome in await asyncio.gather(task, return_exceptions=True)}
        return outcomes

    assert asyncio.run(main()) <= {libspeech.Chunk, libspeech.CancelledError}


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


async def freed(engine: Engine, is_running: Callable[[], bool]) -> None:
    """Check that the caller has control again, and the engine is free, before the text could have ended."""
    assert is_running()
    await engine.asynthesize("Hello.")
    assert is_running()


@pytest.mark.voices
def test_a_time_limit(voices_engine: Engine) -> None:
    async def main() -> None:
        with running_reference(LONG) as is_running:
            async with responsive(1):
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(voices_engine.asynthesize(LONG), 0.5)
            await freed(voices_engine, is_running)

    asyncio.run(main())


@pytest.mark.voices
def test_a_task_that_is_cancelled(voices_engine: Engine) -> None:
    async def main() -> None:
        with running_reference(LONG_SENTENCE) as is_running:
            task = asyncio.ensure_future(voices_engine.asynthesize(LONG_SENTENCE))
            await asyncio.sleep(0.2)
            assert not task.done(), "the sentence was to take seconds"
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await freed(voices_engine, is_running)

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
        with running_reference(LONG_SENTENCE) as is_running:
            task = asyncio.ensure_future(consume())
            await asyncio.sleep(0.2)
            assert not task.done()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await freed(voices_engine, is_running)

    asyncio.run(main())
    assert streams[0].closed


@pytest.mark.voices
def test_a_stream_that_another_task_closes(voices_engine: Engine) -> None:
    async def main() -> None:
        with running_reference(LONG_SENTENCE) as is_running:
            stream = voices_engine.stream(LONG_SENTENCE)
            task = asyncio.ensure_future(stream.__anext__())
            await asyncio.sleep(0.2)
            await stream.aclose()
            with pytest.raises(libspeech.CancelledError):
                await task
            assert [chunk async for chunk in stream] == []
            await freed(voices_engine, is_running)

    asyncio.run(main())


@pytest.mark.voices
def test_one_that_waits_for_its_turn_is_cancelled(voices_engine: Engine) -> None:
    async def main() -> None:
        with running_reference(LONG_SENTENCE) as is_running:
            first = asyncio.ensure_future(voices_engine.asynthesize(LONG_SENTENCE))
            await asyncio.sleep(0.2)
            second = asyncio.ensure_future(voices_engine.asynthesize("Hello."))
            await asyncio.sleep(0.2)
            second.cancel()
            with pytest.raises(asyncio.CancelledError):
                await second
            assert not first.done()
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first
            await freed(voices_engine, is_running)

    asyncio.run(main())


@pytest.mark.voices
def test_the_loop_is_not_blocked(voices_engine: Engine) -> None:
    async def main() -> None:
        async with responsive(3), voices_engine.stream(TEXT) as stream:
            assert len([chunk async for chunk in stream]) == 3

    asyncio.run(main())


def test_cancelled_before_it_began(engine: Engine) -> None:
    async def main() -> None:
        task = asyncio.ensure_future(engine.asynthesize(TEXT))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await engine.asynthesize("Hello.")).duration > 0

    asyncio.run(main())


def test_a_loop_that_is_closed_meanwhile(run: Run, fake_model: Path) -> None:
    ended = run(
        """
        engine = libspeech.Engine(FAKE_MODEL, threads=1)
        for begun in (lambda: engine.asynthesize(LONG_SENTENCE), lambda: engine.stream(LONG_SENTENCE).__anext__()):
            loop = asyncio.new_event_loop()
            task = loop.create_task(begun())
            loop.run_until_complete(asyncio.sleep(0.05))
            assert not task.done()
            loop.close()
            # A task that nobody ends is the program's own fault, and asyncio says so: not what is tested here.
            task._log_destroy_pending = False
            print(engine.synthesize(TEXT).duration > 0)
            time.sleep(1)
        """
    )
    assert clean(ended).split() == ["True", "True"]
    assert ended.stderr == ""
