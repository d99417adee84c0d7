"""Speech a sentence at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from libspeech import _audio, _libspeech
from libspeech._audio import Chunk, Diagnostic
from libspeech._raw import RawChunk
from libspeech._waiting import wait, wait_async


class Stream(Iterator[Chunk], AsyncIterator[Chunk]):
    """Speech a sentence at a time, for ``for`` and for ``async for``.

    The chunks one after another are, sample for sample, what :meth:`Engine.synthesize` gives for the same text, unless
    low latency is asked for. From the first chunk on one sentence is computed ahead. :meth:`close` stops it, from any
    thread, and so does leaving a ``with`` or ``async with`` block, dropping it, Ctrl-C, and cancelling the task that
    waits for it.

    Attributes
    ----------
    request_id : str
        The identifier of the request, a UUID.
    characters : int
        The metered quantity: the characters of the text as it was given.
    sentences : int
        The sentences of the text; one if there is nothing to say.
    diagnostics : tuple of Diagnostic
        What is not said, of the whole text.

    Examples
    --------
    >>> import libspeech
    >>> engine = libspeech.Engine()
    >>> text = "First this. Then that."
    >>> with engine.stream(text) as stream:
    ...     for chunk in stream:
    ...         print(text[chunk.span])
    First this.
    Then that.
    """

    def __init__(self, native: _libspeech.Stream, cancel: _libspeech.Cancel) -> None:
        self._native = native
        self._cancel = cancel
        self._closed = False
        self.request_id: str = native.request_id
        self.characters: int = native.characters
        self.sentences: int = native.sentences
        self.diagnostics: tuple[Diagnostic, ...] = _audio.diagnostics(native.diagnostics)

    @property
    def sample_rate(self) -> int:
        """Samples a second, in hertz: always 22050."""
        return _libspeech.SAMPLE_RATE

    @property
    def closed(self) -> bool:
        """Whether it has ended, or was closed."""
        return self._closed

    def close(self) -> None:
        """Stops it. What waits for a chunk in another thread gets a :class:`CancelledError`."""
        self._closed = True
        self._native.close()

    async def aclose(self) -> None:
        """The same, where it must be awaited."""
        self.close()

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> Chunk:
        """The next sentence as soon as it is computed.

        Raises
        ------
        CancelledError
            If the stream or its engine is closed meanwhile.
        InternalError
            If the computation fails, which ends the stream.
        """
        if self._closed:
            raise StopIteration
        raw: RawChunk | None = wait(self._native.next, self.close)
        if raw is None:
            self._closed = True
            raise StopIteration
        return _audio.chunk(raw)

    def __aiter__(self) -> Stream:
        return self

    async def __anext__(self) -> Chunk:
        """The same in an event loop."""
        if self._closed:
            raise StopAsyncIteration
        raw: RawChunk | None = await wait_async(self._native.next, self.close)
        if raw is None:
            self._closed = True
            raise StopAsyncIteration
        return _audio.chunk(raw)

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    async def __aenter__(self) -> Stream:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()

    def __length_hint__(self) -> int:
        return 0 if self._closed else self.sentences

    def __reduce__(self) -> str:
        raise TypeError("a Stream cannot be pickled or copied: send its chunks, which can")

    def __repr__(self) -> str:
        state = "closed" if self._closed else "open"
        return f"<Stream {self.request_id}: {self.sentences} sentences, {state}>"
