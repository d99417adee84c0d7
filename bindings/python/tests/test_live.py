"""Live texts, and texts of any length."""

from __future__ import annotations

import asyncio
import gc
import itertools
import threading
import time
import uuid
import weakref
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

import libspeech
import pytest
from conftest import Run
from libspeech import CancelledError, Engine, InvalidRequestError, LiveStream
from support import LONG_SENTENCE, TEXT, clean, joined, running_reference, until

SENTENCES = ["First this, of 25 words.", "Then that!", "And it ends here."]

#: A text whose code points, bytes and UTF-16 units differ.
MIXED = "😀 Café noir. यह दूसरा है! The 🎉 end, and the 😀 last."


def spoken(engine: Engine, pieces: Iterator[str] | list[str], **settings: Any) -> list[libspeech.Chunk]:
    with engine.live(**settings) as live:
        for piece in pieces:
            live.push(piece)
        live.finish()
        return list(live)


def pieces(text: str, length: int) -> list[str]:
    return [text[start : start + length] for start in range(0, len(text), length)]


async def given(pieces: list[str], seconds: float = 0) -> AsyncIterator[str]:
    for piece in pieces:
        await asyncio.sleep(seconds)
        yield piece


@pytest.mark.parametrize("text", [TEXT, MIXED])
def test_it_is_the_stream_of_the_text(engine: Engine, text: str) -> None:
    stream = list(engine.stream(text))
    for length in (1, 2, 3, 7, len(text)):
        chunks = spoken(engine, pieces(text, length))
        assert b"".join(chunk.pcm for chunk in chunks) == b"".join(chunk.pcm for chunk in stream)
        words = [word for chunk in chunks for word in chunk.words]
        expected = [word for chunk in stream for word in chunk.words]
        assert [word.span for word in words] == [word.span for word in expected]
        for word, same in zip(words, expected, strict=True):
            assert (word.start, word.end) == pytest.approx((same.start, same.end), abs=1e-6)
        spans = [sentence.span for chunk in chunks for sentence in chunk.sentences]
        assert spans == [sentence.span for chunk in stream for sentence in chunk.sentences]


def test_the_settings_count(engine: Engine) -> None:
    settings: dict[str, Any] = {"language": "hi-IN", "voice": "leo", "rate": 1.5, "pitch": 1, "volume": -3}
    settings["read_emoji"] = True
    pcm = b"".join(chunk.pcm for chunk in spoken(engine, [MIXED], **settings))
    assert pcm == engine.synthesize(MIXED, **settings).pcm
    assert pcm != engine.synthesize(MIXED).pcm


def test_what_is_known(engine: Engine) -> None:
    with engine.live() as live:
        uuid.UUID(live.request_id)
        assert (live.characters, live.diagnostics, live.sample_rate, live.closed) == (0, (), 22050, False)
        assert iter(live) is live
        live.push("One 😀 two. ")
        live.push("Three.")
        assert live.characters == 17
        live.finish()
        assert len(list(live)) == 2
        assert [("One 😀 two. Three.")[each.span] for each in live.diagnostics] == ["😀"]
        assert live.closed
        assert "LiveStream" in repr(live)
        assert "Three" not in repr(live)


def test_sentences_come_when_they_are_decided(engine: Engine) -> None:
    with engine.live() as live:
        live.push("One is here. Two")
        assert next(live).span == slice(0, 12)
        live.push(" follows. And")
        assert next(live).span == slice(13, 25)
        live.flush()
        assert next(live).span == slice(26, 29)
        live.push(" then more.")
        live.finish()
        assert next(live).span == slice(30, 40)
        assert list(live) == []


def test_a_thread_pushes(engine: Engine) -> None:
    live = engine.live()

    def push() -> None:
        for piece in pieces(TEXT, 4):
            time.sleep(0.001)
            live.push(piece)
        live.finish()

    thread = threading.Thread(target=push)
    thread.start()
    assert joined(live) == engine.synthesize(TEXT).pcm
    thread.join()


def test_many_threads_push(engine: Engine) -> None:
    live = engine.live()

    def push() -> None:
        for _ in range(50):
            live.push("यह 😀 है। ")

    threads = [threading.Thread(target=push) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    live.finish()
    text = "यह 😀 है। " * 200
    assert live.characters == len(text)
    assert [text[chunk.span] for chunk in live] == ["यह 😀 है।"] * 200


def test_the_end_of_the_text(engine: Engine) -> None:
    live = engine.live()
    live.push("Hello.")
    live.finish()
    live.finish()
    live.flush()
    with pytest.raises(InvalidRequestError, match="the text is finished"):
        live.push("More.")
    assert len(list(live)) == 1
    with pytest.raises(InvalidRequestError, match="the text is finished"):
        live.push("More.")
    assert list(live) == []
    live.close()
    with pytest.raises(InvalidRequestError, match="the text is finished"):
        live.push("More.")


@pytest.mark.parametrize("text", ["", " \n"])
def test_no_text(engine: Engine, text: str) -> None:
    chunks = spoken(engine, [text])
    assert sum(len(chunk.pcm) for chunk in chunks) == len(joined(engine.stream("..."))) if text else not chunks


def test_a_piece_that_is_refused_changes_nothing(engine: Engine) -> None:
    with engine.live() as live:
        live.push("One ")
        for piece in ("a\0", "\ud800", 5):
            with pytest.raises(InvalidRequestError):
                live.push(piece)  # type: ignore[arg-type]
        live.push("two.")
        live.finish()
        assert joined(live) == engine.synthesize("One two.").pcm
        assert live.characters == 8


def test_heard_at(engine: Engine) -> None:
    with engine.live() as live:
        for piece in pieces(MIXED, 3):
            live.push(piece)
        live.finish()
        words = [word for chunk in live for word in chunk.words]
        assert live.heard_at(0) == live.heard_at(-1) == live.heard_at(float("nan")) == 0
        assert live.heard_at(1e9) == live.heard_at(float("inf")) == words[-1].span.stop
        for word in words:
            assert live.heard_at(word.end + 1e-9) >= word.span.stop
        heard = [live.heard_at(place / 50) for place in range(300)]
        assert heard == sorted(heard)
        assert set(heard) <= {0, *(word.span.stop for word in words)}


def test_an_interruption(engine: Engine) -> None:
    live = engine.live()
    live.push("One is here. Two is there. Three is")
    chunk = next(live)
    live.close()
    live.close()
    assert live.closed
    assert live.heard_at(chunk.duration) == chunk.words[-1].span.stop == 11
    assert list(live) == []
    with pytest.raises(CancelledError):
        live.push(" nowhere.")
    live.flush()
    live.finish()


def test_cancelled_while_it_waits_for_text(engine: Engine) -> None:
    live = engine.live()
    results: list[object] = []

    def consume() -> None:
        try:
            results.append(next(live))
        except CancelledError as error:
            results.append(error)

    thread = threading.Thread(target=consume)
    thread.start()
    thread.join(0.1)
    assert thread.is_alive()
    live.close()
    thread.join(10)
    assert isinstance(results[0], CancelledError)


def test_the_engine_is_closed_meanwhile(fake_model: Any) -> None:
    engine = Engine(fake_model, threads=1)
    live = engine.live()
    live.push("One is here. Two")
    next(live)
    timer = threading.Timer(0.1, engine.close)
    timer.start()
    with pytest.raises(CancelledError):
        next(live)
    assert list(live) == []
    with pytest.raises(CancelledError):
        live.push("More.")
    timer.join()
    with pytest.raises(InvalidRequestError, match="closed"):
        engine.live()


@pytest.mark.parametrize("closed", ["stream", "engine"])
def test_nobody_who_waits_takes_a_cancelled_text_for_a_finished_one(fake_model: Any, closed: str) -> None:
    async def main() -> None:
        engine = Engine(fake_model, threads=1)
        live = engine.live()
        waiting = [asyncio.ensure_future(live.__anext__()) for _ in range(3)]
        await asyncio.sleep(0.1)
        {"stream": live.close, "engine": engine.close}[closed]()
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [CancelledError] * 3
        assert {outcome.request_id for outcome in outcomes if isinstance(outcome, CancelledError)} == {live.request_id}

    asyncio.run(main())


@pytest.mark.voices
def test_a_stream_that_is_collected_stops(voices_engine: Engine) -> None:
    with running_reference(LONG_SENTENCE) as is_running:
        live = voices_engine.live()
        live.push(f"Hello. {LONG_SENTENCE} And")
        # From now on the engine computes the second sentence.
        next(live)
        alive = weakref.ref(live)
        del live
        until(lambda: gc.collect() >= 0 and alive() is None, "the stream lives")
        voices_engine.synthesize("Hello.")
        assert is_running(), "the engine was still at the stream"


def test_the_collector_may_run_while_a_chunk_is_made(run: Run) -> None:
    ended = run(
        """
        import gc
        class Cycle:
            def __init__(self):
                self.itself = self
            def __del__(self):
                time.sleep(0)  # lets another thread have the GIL
        def ask():
            while not live.closed:
                Cycle()
                live.heard_at(1)
        gc.set_threshold(1)
        live = libspeech.Engine(FAKE_MODEL, threads=1).stream_long("One 😀 is here. " * 200)
        thread = threading.Thread(target=ask)
        thread.start()
        print(len(list(live)))
        thread.join()
        """
    )
    assert clean(ended) == "200\n"


def test_asynchronously(engine: Engine) -> None:
    async def main() -> bytes:
        async with engine.live() as live:

            async def push() -> None:
                async for piece in given(pieces(TEXT, 5)):
                    live.push(piece)
                live.finish()

            pushing = asyncio.ensure_future(push())
            pcm = b"".join([chunk.pcm async for chunk in live])
            await pushing
            return pcm

    assert asyncio.run(main()) == engine.synthesize(TEXT).pcm


@pytest.mark.parametrize("text", [TEXT, MIXED])
def test_iterators_in_both_directions(engine: Engine, text: str) -> None:
    async def main() -> list[libspeech.Chunk]:
        return [chunk async for chunk in engine.speak_live(given(pieces(text, 3)), voice="leo")]

    assert b"".join(chunk.pcm for chunk in asyncio.run(main())) == engine.synthesize(text, voice="leo").pcm


def test_chunks_come_before_the_text_has_ended(engine: Engine) -> None:
    async def main() -> None:
        ended = asyncio.Event()

        async def tokens() -> AsyncIterator[str]:
            yield "One is here. Two"
            await ended.wait()
            yield " follows."

        async with engine.speak_live(tokens()) as live:
            assert (await live.__anext__()).span == slice(0, 12)
            ended.set()
            assert [chunk.span async for chunk in live] == [slice(13, 25)]

    asyncio.run(main())


def test_a_source_that_never_ends_is_taken_as_it_is_spoken(engine: Engine) -> None:
    taken = 0

    async def endless() -> AsyncIterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "Hello there. " * 100

    async def main() -> None:
        async with engine.speak_live(endless()) as live:
            await live.__anext__()
            await asyncio.sleep(0.3)
            ahead = taken
            assert 10 < ahead < 20
            for _ in range(200):
                await live.__anext__()
            for _ in range(100):
                await asyncio.sleep(0.02)
                if taken > ahead:
                    return
            pytest.fail("none was taken later")

    asyncio.run(main())


def test_nothing_is_taken_before_it_is_asked_for(engine: Engine) -> None:
    taken = []

    async def tokens() -> AsyncIterator[str]:
        taken.append(1)
        yield "One."

    async def main() -> None:
        async with engine.speak_live(tokens()) as live:
            # If a task had been started, it would run in these iterations of the loop.
            for _ in range(10):
                await asyncio.sleep(0)
        with pytest.raises(StopAsyncIteration):
            await live.__anext__()
        for _ in range(10):
            await asyncio.sleep(0)

    asyncio.run(main())
    assert taken == []


@pytest.mark.parametrize("waits", [True, False])
@pytest.mark.parametrize("error", [KeyError, CancelledError, asyncio.CancelledError])
def test_an_error_of_the_pieces_comes_once(engine: Engine, error: type[BaseException], waits: bool) -> None:
    async def main() -> None:
        heard = asyncio.Event()

        async def tokens() -> AsyncIterator[str]:
            yield "One is here. Two"
            await heard.wait()
            raise error("on purpose")

        live = engine.speak_live(tokens())
        with pytest.raises(error, match="on purpose"):
            async for chunk in live:
                assert chunk.span == slice(0, 12)
                heard.set()
                while not (waits or live.closed):
                    await asyncio.sleep(0.001)
        assert live.closed
        assert [chunk async for chunk in live] == []

    asyncio.run(main())


def test_pieces_that_cannot_be_taken(engine: Engine) -> None:
    class Pieces:
        def __aiter__(self) -> AsyncIterator[str]:
            raise KeyError("on purpose")

    async def main() -> None:
        with pytest.raises(KeyError):
            async for _ in engine.speak_live(Pieces()):
                pass

    asyncio.run(main())


def test_a_piece_of_another_type(engine: Engine) -> None:
    async def main() -> None:
        live = engine.speak_live(given(["One.", 5]))  # type: ignore[list-item]
        with pytest.raises(libspeech.WrongTypeError, match="piece must be a string"):
            async for _ in live:
                pass

    asyncio.run(main())


class Source:
    """Pieces that take a while to close."""

    def __init__(self, pieces: Iterable[Any]) -> None:
        self._pieces = pieces
        #: Releases the next piece.
        self.more = asyncio.Event()
        self.more.set()
        self.closed = asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[str]:
        try:
            for piece in self._pieces:
                await self.more.wait()
                yield piece
            await asyncio.sleep(60)
            raise TimeoutError("nobody has closed the pieces")
        finally:
            await asyncio.sleep(0.02)
            self.closed.set()


def test_pieces_are_closed_with_the_stream(engine: Engine) -> None:
    async def main() -> None:
        source = Source(["One more. And"])
        async with engine.speak_live(source) as live:
            async for chunk in live:
                assert live.heard_at(chunk.duration) == 8
                break
        assert source.closed.is_set()

    asyncio.run(main())


def test_pieces_are_closed_with_a_loop_that_is_left(engine: Engine) -> None:
    async def main() -> None:
        source = Source(["One more. And"])
        async for _ in engine.speak_live(source):
            break
        await asyncio.wait_for(source.closed.wait(), 10)

    asyncio.run(main())


def test_pieces_are_closed_when_so_many_wait_that_none_is_taken(engine: Engine) -> None:
    async def main() -> None:
        source = Source(itertools.repeat("Hello there. " * 100))
        async with engine.speak_live(source) as live:
            await live.__anext__()
            await asyncio.sleep(0.1)
            live.close()
            # A second close does not disturb the source.
            await asyncio.sleep(0)
            live.close()
        assert source.closed.is_set()

    asyncio.run(main())


def test_pieces_are_closed_when_one_comes_too_late(engine: Engine) -> None:
    async def main() -> None:
        def pieces() -> Iterator[str]:
            yield "One is here. Two"
            source.more.clear()
            yield " follows."

        source = Source(pieces())
        async with engine.speak_live(source) as live:
            await live.__anext__()
            source.more.set()
            live.close()
        assert source.closed.is_set()

    asyncio.run(main())


def test_pieces_are_closed_after_one_that_is_refused(engine: Engine) -> None:
    async def main() -> None:
        source = Source(["One. ", 5])
        with pytest.raises(libspeech.WrongTypeError):
            async with engine.speak_live(source) as live:
                async for _ in live:
                    pass
        assert source.closed.is_set()

    asyncio.run(main())


def test_a_task_that_is_cancelled(engine: Engine) -> None:
    closed = []

    async def tokens(begun: asyncio.Event) -> AsyncIterator[str]:
        try:
            yield "One"
            begun.set()
            await asyncio.sleep(60)
        finally:
            closed.append(True)

    async def consume(begun: asyncio.Event) -> None:
        async with engine.speak_live(tokens(begun)) as live:
            async for _ in live:
                pass

    async def main() -> None:
        begun = asyncio.Event()
        task = asyncio.ensure_future(consume(begun))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert closed

    asyncio.run(main())


def test_asynchronous_pieces_need_a_loop(engine: Engine) -> None:
    with engine.speak_live(given(["One."])) as live, pytest.raises(TypeError, match="async for"):
        next(live)


def test_ssml_is_no_option(engine: Engine) -> None:
    with pytest.raises(InvalidRequestError, match="SSML cannot be live"):
        engine.live(ssml=True)  # type: ignore[call-arg]


def test_a_long_text(engine: Engine) -> None:
    sentence = "यह 😀 है। This is the second. "
    text = sentence * 300
    stream = engine.stream_long(text)
    assert isinstance(stream, LiveStream)
    assert stream.characters == len(text) > libspeech.MAX_CHARACTERS
    spans = [chunk.span for chunk in stream]
    assert [text[span] for span in spans[:2]] == ["यह 😀 है।", "This is the second."]
    assert len(spans) == 600
    assert spans[-1].stop == len(text) - 1
    assert stream.heard_at(1e9) >= len(text) - 3


def test_a_long_text_is_a_live_one(engine: Engine) -> None:
    assert joined(engine.stream_long(TEXT)) == engine.synthesize(TEXT).pcm
    assert joined(engine.stream_long(TEXT, voice="leo")) == engine.synthesize(TEXT, voice="leo").pcm
    text = "One sentence is here. " * 100
    assert joined(engine.stream_long(text)) == b"".join(chunk.pcm for chunk in spoken(engine, [text]))
    with pytest.raises(InvalidRequestError, match="finished"):
        engine.stream_long(TEXT).push("a")


def test_a_fork_cannot_use_it(run: Run) -> None:
    ended = run(
        """
        engine = libspeech.Engine(FAKE_MODEL, threads=1)
        live = engine.live()
        live.push("One.")
        if os.fork() == 0:
            for use in (lambda: live.push("a"), lambda: next(live), live.flush, live.finish, lambda: live.heard_at(0)):
                try:
                    use()
                except libspeech.InvalidRequestError as error:
                    print("was made before fork()" in str(error), flush=True)
            live.close()
            os._exit(0)
        os.wait()
        live.finish()
        print(len(list(live)))
        """
    )
    assert clean(ended).split() == ["True"] * 5 + ["1"]


def test_the_end_of_the_interpreter(run: Run) -> None:
    ended = run(
        """
        engine = libspeech.Engine(FAKE_MODEL, threads=1)
        live = engine.live()
        live.push("One")
        threading.Thread(target=lambda: list(live), daemon=True).start()
        time.sleep(0.1)
        print("end")
        """
    )
    assert clean(ended) == "end\n"


def test_ctrl_c(start: Any) -> None:
    process = start(
        """
        engine = libspeech.Engine(FAKE_MODEL, threads=1)
        live = engine.live()
        print("begun", flush=True)
        try:
            next(live)
        except KeyboardInterrupt:
            print(live.closed, flush=True)
        """
    )
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.2)
    process.send_signal(2)
    output, errors = process.communicate(timeout=20)
    assert (output, errors) == ("True\n", "")


@pytest.mark.voices
def test_of_a_voice(voices_engine: Engine) -> None:
    text = "It is four o'clock, and nobody is here. Dr. Smith left at 3.50 p.m. So there."
    pcm = voices_engine.synthesize(text).pcm
    for length in (1, 10):
        assert b"".join(chunk.pcm for chunk in spoken(voices_engine, pieces(text, length))) == pcm


@pytest.mark.voices
def test_low_latency(voices_engine: Engine) -> None:
    beginning, rest = "When the bell rings in the old tower, everybody goes to ", "the square."
    with voices_engine.live(latency="low") as live:
        live.push(beginning)
        # The sentence has not ended.
        first = next(live)
        assert first.span.stop <= len(beginning)
        live.push(rest)
        live.finish()
        chunks = [first, *live]
    text = beginning + rest
    assert "".join(text[word.span] for chunk in chunks for word in chunk.words).endswith("thesquare")
    assert [sentence.span for chunk in chunks for sentence in chunk.sentences] == [slice(0, len(text))]


@pytest.mark.voices
def test_cancelling_frees_the_engine(voices_engine: Engine) -> None:
    live = voices_engine.live()
    live.push(LONG_SENTENCE + " And so on.")
    results: list[object] = []

    def consume() -> None:
        try:
            results.append(next(live))
        except CancelledError as error:
            results.append(error)

    thread = threading.Thread(target=consume)
    thread.start()
    thread.join(0.4)
    assert thread.is_alive(), "the sentence was to take seconds"
    live.close()
    thread.join(5)
    assert isinstance(results[0], CancelledError)
    assert voices_engine.synthesize("Hello.").duration > 0
