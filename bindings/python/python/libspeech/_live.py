"""Speech of a text that arrives in pieces, or that is of any length."""

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

#: How long a source of pieces waits while so much text waits to be spoken that no more is taken, in seconds.
_FULL = 0.02


class LiveStream(ChunkStream):
    """The speech of a text that is pushed in pieces, for ``for`` and for ``async for``.

    A sentence is spoken when it is certain that it has ended, so nothing is spoken that later text would have changed.
    With low latency the beginning of a sentence is spoken before its end is known, while nothing else is left to be
    heard. After the first chunk, the next one is computed in advance, and no more than that.

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
        #: From the first chunk that is asked for, if there are pieces.
        self._feeder: _Feeder | None = None
        #: What the pieces have raised, until it is raised to the consumer.
        self._failure: BaseException | None = None

    def push(self, piece: str) -> None:
        """Adds a piece of text of any length: a token, half a word, a page. It does not wait.

        Raises
        ------
        CancelledError
            If the speech was cancelled, or has failed.
        InvalidRequestError
            After :meth:`finish`, and if the piece is not a string or has a NUL character. Then nothing of it is added.
        """
        self._native.push(_checks.string("piece", piece))

    def flush(self) -> None:
        """Has everything spoken that was pushed, as if a sentence ended there."""
        self._native.flush()

    def finish(self) -> None:
        """Ends the text: what is left is spoken, and then the loop ends. Calling it again does nothing."""
        self._native.finish()

    def close(self) -> None:
        """Stops the speech at once, as when the user begins to talk. A loop that waits gets a :class:`CancelledError`.

        :meth:`heard_at` tells what the user has heard by then.
        """
        super().close()
        if self._feeder is not None:
            self._feeder.stop()

    async def aclose(self) -> None:
        """The same, as a coroutine. It waits until an asynchronous iterable that gives the text is closed."""
        self.close()
        if self._feeder is not None:
            await self._feeder.ended()

    def heard_at(self, seconds: float) -> int:
        """How much of the text has been said when playback is at so many seconds from the start of the stream.

        Parameters
        ----------
        seconds : float
            The duration of what was played.

        Returns
        -------
        int
            The end of the last word that was heard to its end, in all text that was pushed: ``pushed[:heard]`` was
            said. 0 before the end of the first word.
        """
        return self._native.heard_at(_checks.number("seconds", seconds))

    @property
    def characters(self) -> int:
        """The metered quantity: the characters that were pushed so far."""
        return self._native.characters

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What was skipped so far: the first 10,000 places."""
        return _audio.diagnostics(self._native.diagnostics)

    async def __anext__(self) -> Chunk:
        """The same as :meth:`__next__`, in an event loop."""
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
        """Stops the speech, unless it has ended, with the error that is raised to the consumer."""
        if not self._closed:
            self._failure = error
            super().close()

    def __repr__(self) -> str:
        return f"<LiveStream {self.request_id}: {'closed' if self._closed else 'open'}>"


class _Feeder:
    """Pushes the pieces of an asynchronous iterable into a stream, in a task of its own."""

    def __init__(self, stream: LiveStream, native: _libspeech.LiveStream, pieces: AsyncIterable[str]) -> None:
        # It must not keep a stream that nobody else has.
        self._stream = weakref.ref(stream, lambda _: self.stop())
        self._native = native
        #: Whether the task was cancelled, or closes the pieces, which must not be cancelled.
        self._ending = False
        self._task = asyncio.ensure_future(self._feed(pieces))

    def stop(self) -> None:
        """Stops it and the speech, from any thread. Calling it again does nothing."""
        self._native.close()
        # A closed loop raises RuntimeError. Its tasks have ended.
        with contextlib.suppress(RuntimeError):
            self._task.get_loop().call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        if not self._ending:
            self._ending = True
            self._task.cancel()

    async def ended(self) -> None:
        """Waits for its end, unless it is itself what waits, or is of another loop."""
        task = self._task
        if task is not asyncio.current_task() and task.get_loop() is asyncio.get_running_loop():
            await asyncio.wait([task])

    async def _feed(self, pieces: AsyncIterable[str]) -> None:
        iterator: AsyncIterator[str] | None = None
        try:
            iterator = aiter(pieces)
            async for piece in iterator:
                self._native.push(_checks.string("piece", piece))
                # Pieces that are all there would keep the loop from everything else.
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
