"""Speech, one sentence at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Protocol, Self

from libspeech import _audio, _libspeech
from libspeech._audio import Chunk, Diagnostic
from libspeech._choices import Encoding
from libspeech._completion import Callback, wait, wait_async
from libspeech._native_types import ChunkFields
from libspeech._request import Output


class _Native(Protocol):
    """A stream of the native module."""

    def next(self, callback: Callback[ChunkFields | None], /) -> None: ...
    def close(self) -> None: ...


class ChunkStream(Iterator[Chunk], AsyncIterator[Chunk]):
    """The base class of :class:`Stream` and :class:`LiveStream`: chunks, for ``for`` and for ``async for``.

    Attributes
    ----------
    request_id : str
        The identifier of the request, a UUID.
    """

    def __init__(self, native: _Native, request_id: str, output: Output) -> None:
        self._chunks = native
        self._output = output
        self._closed = False
        self.request_id = request_id

    @property
    def sample_rate(self) -> int:
        """The sample rate, in hertz."""
        return self._output.sample_rate

    @property
    def encoding(self) -> Encoding:
        """The encoding of the chunks' :attr:`~Samples.data`."""
        return self._output.encoding

    @property
    def closed(self) -> bool:
        """Whether the stream has ended, or was closed."""
        return self._closed

    def close(self) -> None:
        """Cancels the stream. A thread that waits for a chunk gets a :class:`CancelledError`."""
        self._closed = True
        self._chunks.close()

    async def aclose(self) -> None:
        """As :meth:`close`, as a coroutine."""
        self.close()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Chunk:
        """The next chunk, as soon as it is computed.

        Raises
        ------
        CancelledError
            If the stream or its engine is closed meanwhile.
        InternalError
            If the computation fails, which ends the stream.
        """
        if self._closed:
            raise StopIteration
        fields: ChunkFields | None = wait(self._chunks.next, self.close)
        if fields is None:
            self._closed = True
            raise StopIteration
        return _audio.chunk(fields, self._output)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Chunk:
        """As :meth:`__next__`, in an event loop."""
        if self._closed:
            raise StopAsyncIteration
        fields: ChunkFields | None = await wait_async(self._chunks.next, self.close)
        if fields is None:
            self._closed = True
            raise StopAsyncIteration
        return _audio.chunk(fields, self._output)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()

    def __reduce__(self) -> str:
        name = type(self).__name__
        raise TypeError(f"a {name} cannot be pickled or copied: send its chunks, which can")


class Stream(ChunkStream):
    """Speech, one sentence at a time, for ``for`` and for ``async for``.

    Without low latency, the joined chunks equal the result of :meth:`Engine.synthesize` for the same text, sample for
    sample. After the first chunk, the next sentence is computed in advance.

    :meth:`close` cancels the stream, from any thread. So do the end of a ``with`` or ``async with`` block, dropping the
    stream, Ctrl-C, and cancelling the task that waits for it.

    Attributes
    ----------
    request_id : str
        The identifier of the request, a UUID.
    characters : int
        The metered quantity: the number of characters of the text as given.
    sentences : int
        The number of sentences of the text; 1 if it contains nothing speakable.
    diagnostics : tuple of Diagnostic
        The skipped text of the whole text.

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

    def __init__(self, native: _libspeech.Stream, output: Output) -> None:
        super().__init__(native, native.request_id, output)
        self.characters: int = native.characters
        self.sentences: int = native.sentences
        self.diagnostics: tuple[Diagnostic, ...] = _audio.diagnostics(native.diagnostics)

    def __length_hint__(self) -> int:
        return 0 if self._closed else self.sentences

    def __repr__(self) -> str:
        state = "closed" if self._closed else "open"
        return f"<Stream {self.request_id}: {self.sentences} sentences, {state}>"
