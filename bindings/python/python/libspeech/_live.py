"""Speech of a live or a long text."""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from collections.abc import AsyncIterable, AsyncIterator

from libspeech import _audio, _checks, _libspeech
from libspeech._audio import Chunk, Diagnostic
from libspeech._errors import CancelledError, WrongTypeError
from libspeech._request import Output
from libspeech._stream import ChunkStream

#: How often a source checks, in seconds, whether the queue of unspoken text has room again.
_FULL = 0.02


class LiveStream(ChunkStream):
    """The speech of a live text, which is pushed in pieces, for ``for`` and for ``async for``.

    A sentence is spoken once it is decided: later text never changes how it is read. With low latency the beginning of
    a sentence is spoken before its end is known, if no other audio is left to play. After the first chunk, at most one
    is computed in advance.

    The loop waits for text, without the GIL: push it from another thread or task, and call :meth:`finish` at its end.
    Any thread may call any method at any time.

    :meth:`close` stops the speech. So do the end of a ``with`` or ``async with`` block, dropping the stream, Ctrl-C,
    and cancelling the task that waits for it.

    Attributes
    ----------
    request_id : str
        The identifier of the request, a UUID.

    Examples
    --------
    >>> import libspeech
    >>> engine = libspeech.Engine()
    >>> with engine.live(voice="leo") as live:
    ...     for piece in ["It is four", " o'clock. And", " now?"]:
    ...         live.push(piece)
    ...     live.finish()
    ...     for chunk in live:
    ...         print(chunk.span.start, chunk.span.stop)
    0 19
    20 28
    """

    def __init__(self, native: _libspeech.LiveStream, output: Output, pieces: AsyncIterable[str] | None = None) -> None:
        super().__init__(native, native.request_id, output)
        self._native = native
        self._pieces = pieces
        #: From the first requested chunk on, if there are pieces.
        self._feeder: _Feeder | None = None
        #: The exception of the pieces, until it is raised to the consumer.
        self._failure: BaseException | None = None

    def push(self, piece: str) -> None:
        """Adds a piece of text of any length: a token, half a word, a page. Returns without waiting for the speech.

        Raises
        ------
        CancelledError
            If the speech was cancelled, or has failed.
        InvalidRequestError
            After :meth:`finish`, and if the piece is not a string or has a NUL character. The piece is then not added.
        """
        self._native.push(_checks.string("piece", piece))

    def flush(self) -> None:
        """Speaks everything pushed so far, as if a sentence ended there. More text may follow."""
        self._native.flush()

    def finish(self) -> None:
        """Ends the text: the rest is spoken, and then the loop ends. Further calls do nothing."""
        self._native.finish()

    def close(self) -> None:
        """Stops the speech at once, for example when the user starts to talk. A waiting loop gets a
        :class:`CancelledError`.

        :meth:`heard_at` returns how much the user had heard by then.
        """
        super().close()
        if self._feeder is not None:
            self._feeder.stop()

    async def aclose(self) -> None:
        """As :meth:`close`, as a coroutine. Waits until the asynchronous iterable of the text, if any, is closed."""
        self.close()
        if self._feeder is not None:
            await self._feeder.ended()

    def heard_at(self, seconds: float) -> int:
        """The position in the text up to which words have been heard at a time from the start of the stream.

        Parameters
        ----------
        seconds : float
            The duration of the audio that was played.

        Returns
        -------
        int
            The end of the last word heard completely, in the pushed text: ``pushed[:heard]`` was heard. 0 before the
            end of the first word.
        """
        return self._native.heard_at(_checks.number("seconds", seconds))

    @property
    def characters(self) -> int:
        """The metered quantity: the number of characters pushed so far."""
        return self._native.characters

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The skipped text so far, up to 10,000 diagnostics."""
        return _audio.diagnostics(self._native.diagnostics)

    async def __anext__(self) -> Chunk:
        """As :meth:`__next__`, in an event loop."""
        if self._pieces is not None and self._feeder is None and not self._closed:
            self._feeder = _Feeder(self, self._native, self._pieces)
        try:
            return await super().__anext__()
        except (CancelledError, StopAsyncIteration):
            failure, self._failure = self._failure, None
            if failure is None:
                raise
        raise failure

    def __next__(self) -> Chunk:
        """The next chunk, as soon as it is computed.

        Raises
        ------
        CancelledError
            If the stream or its engine is closed meanwhile.
        InternalError
            If the computation fails, which ends the stream.
        InvalidRequestError
            If the text is an asynchronous iterable, which needs ``async for``.
        """
        if self._pieces is not None:
            raise WrongTypeError("the text comes from an asynchronous iterable: use `async for`")
        return super().__next__()

    def _fail(self, error: BaseException) -> None:
        """Stops the speech, unless it has ended, with an error that is raised to the consumer."""
        if not self._closed:
            self._failure = error
            super().close()

    def __repr__(self) -> str:
        return f"<LiveStream {self.request_id}: {'closed' if self._closed else 'open'}>"


class _Feeder:
    """Pushes the pieces of an asynchronous iterable into a stream, in its own task."""

    def __init__(self, stream: LiveStream, native: _libspeech.LiveStream, pieces: AsyncIterable[str]) -> None:
        # It must not keep an unreferenced stream alive.
        self._stream = weakref.ref(stream, lambda _: self.stop())
        self._native = native
        #: Whether the task was cancelled, or is closing the pieces, which must not be cancelled.
        self._ending = False
        self._task = asyncio.ensure_future(self._feed(pieces))

    def stop(self) -> None:
        """Stops the task and the speech, from any thread. Further calls do nothing."""
        self._native.close()
        # A closed loop raises RuntimeError; its tasks have ended.
        with contextlib.suppress(RuntimeError):
            self._task.get_loop().call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        if not self._ending:
            self._ending = True
            self._task.cancel()

    async def ended(self) -> None:
        """Waits for the task's end, unless it is the waiting task itself, or belongs to another loop."""
        task = self._task
        if task is not asyncio.current_task() and task.get_loop() is asyncio.get_running_loop():
            await asyncio.wait([task])

    async def _feed(self, pieces: AsyncIterable[str]) -> None:
        iterator: AsyncIterator[str] | None = None
        try:
            iterator = aiter(pieces)
            async for piece in iterator:
                self._native.push(_checks.string("piece", piece))
                # Pieces that are all available would block the loop.
                await asyncio.sleep(0)
                while self._native.is_full:
                    await asyncio.sleep(_FULL)
            self._native.finish()
        except (Exception, asyncio.CancelledError) as error:
            self._fail(error)
        finally:
            self._ending = True
            # A generator may not have ended.
            close = getattr(iterator, "aclose", None)
            if close is not None:
                await close()

    def _fail(self, error: BaseException) -> None:
        stream = self._stream()
        if stream is not None:
            stream._fail(error)
