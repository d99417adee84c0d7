"""The engine."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import AsyncIterable, Callable, Mapping
from pathlib import Path
from typing import Unpack, cast

from libspeech import _audio, _checks, _libspeech
from libspeech._audio import Audio
from libspeech._choices import Kernels, Language, Precision, Quality, VoiceId
from libspeech._completion import Callback, Start, wait, wait_async
from libspeech._errors import InvalidRequestError, WrongTypeError
from libspeech._live import LiveStream
from libspeech._native_types import AudioFields
from libspeech._request import LiveOptions, Output, RequestOptions, native_fields
from libspeech._stream import Stream

#: A voice bundle: the path of its directory or of a tar file, or the bytes of a tar file.
Bundle = str | os.PathLike[str] | bytes

#: The largest value of ``threads`` and of ``max_concurrency``.
_MAX_THREADS = 256


class Engine:
    """A loaded voice bundle. It needs up to 190 MB of memory: load one, and share it.

    Thread-safe and task-safe; results do not depend on concurrent requests. All speech is computed without the GIL. An
    engine is a context manager, which closes it.

    Parameters
    ----------
    bundle : str, path or bytes, optional
        The voice bundle: its directory, a tar file, or the bytes of one. By default ``SPEECH_BUNDLE``, then the package
        ``libspeech-sdk-voices``, then the bundle that ``python -m libspeech fetch`` put into the user's cache.
    threads : int, optional
        The number of threads that compute one sentence, 1 to 256. By default ``SPEECH_THREADS``, or the number of
        processors, but at most 4.
    max_concurrency : int, optional
        The number of sentences computed at once, 1 to 256; others wait in a queue. By default 1. For a server: as many
        as cores, with one thread each.
    kernels : str, optional
        The instruction set: ``"portable"``, ``"avx2"``, ``"avx512"``, ``"amx"`` or ``"neon"``. By default ``"auto"``:
        the fastest that the processor supports.
    precision : str, optional
        The precision of the vocoder's products: ``"fp32"``, ``"int16"`` or ``"bf16"``. By default ``"auto"``: the
        fastest that the processor supports; the difference is inaudible.
    map_bundle : bool, optional
        Whether the bundle's large files (86 MB) are mapped into memory; otherwise they are read. Processes share mapped
        files; but if one is truncated, or its disk fails, while the engine is in use, the process dies (SIGBUS). Files
        that are read are memory of the process, and later changes to them do not matter. By default files are mapped on
        Windows, which refuses to truncate a mapped file, and read elsewhere.
    pronunciations : mapping of str to str, optional
        Words and their readings: IPA between slashes (``{"Siobhan": "/ʃɪˈvɔːn/"}``) or other words
        (``{"kubectl": "cube control"}``).
    cache : int, optional
        The size in bytes of the cache of sentence audio, for requests that repeat sentences: 256 MiB hold 46 minutes. A
        cached sentence has the same bytes as a computed one. By default 0, which disables the cache.

    Raises
    ------
    ModelError
        If the voice bundle is missing, damaged or of the wrong version. ``error.detail`` and ``error.path`` give
        details.
    InvalidRequestError
        For an option out of range, and for kernels that the processor does not support.

    Notes
    -----
    ``Engine()`` and :meth:`warm_up` block: in an event loop, run them with :func:`asyncio.to_thread`.

    After a fork, the child loads the engine again on first use, including :meth:`stream` and :meth:`live`; it cannot
    use the parent's streams. An engine cannot be pickled: load one in each process.

    Examples
    --------
    >>> import libspeech
    >>> engine = libspeech.Engine()
    >>> audio = engine.synthesize("Hello, world.")
    >>> audio.sample_rate, audio.characters
    (22050, 13)
    >>> audio.save("hello.wav")
    """

    def __init__(
        self,
        bundle: Bundle | None = None,
        threads: int | None = None,
        *,
        max_concurrency: int | None = None,
        kernels: Kernels | None = None,
        precision: Precision | None = None,
        map_bundle: bool | None = None,
        pronunciations: Mapping[str, str] | None = None,
        cache: int = 0,
    ) -> None:
        options = (
            _default_bundle() if bundle is None else _bundle(bundle),
            _checks.optional_flag("map_bundle", map_bundle),
            _checks.optional_count("threads", threads, 1, _MAX_THREADS),
            _checks.optional_count("max_concurrency", max_concurrency, 1, _MAX_THREADS),
            _checks.optional_string("kernels", kernels),
            _checks.optional_string("precision", precision),
            [] if pronunciations is None else _checks.pronunciations("pronunciations", pronunciations),
            _checks.count("cache", cache, 0, sys.maxsize),
        )

        def start(callback: Callback[_libspeech.Engine]) -> None:
            _libspeech.Engine.load(*options, callback)

        self._native = wait(start, lambda: None)

    @property
    def threads(self) -> int:
        """The number of threads that compute one sentence."""
        return self._native.threads

    @property
    def kernels(self) -> str:
        """The instruction set in use, such as ``"avx512"``."""
        return self._native.kernels

    @property
    def precision(self) -> str:
        """The precision of the vocoder's products: ``"fp32"``, ``"int16"`` or ``"bf16"``."""
        return self._native.precision

    @property
    def closed(self) -> bool:
        """Whether the engine is closed."""
        return self._native.closed

    def synthesize(self, text: str, **options: Unpack[RequestOptions]) -> Audio:
        """Speaks a whole text. Ctrl-C cancels it.

        Parameters
        ----------
        text : str
            1 to 1,000 characters, without NUL; :meth:`stream_long` takes longer texts. A text with nothing speakable in
            it gives a short silence.
        **options
            Those of :class:`RequestOptions`. The latency must be ``"standard"``.

        Returns
        -------
        Audio
            The speech with its timestamps.

        Raises
        ------
        EmptyTextError, TextTooLongError, InvalidRequestError
            For an invalid request.
        CancelledError
            If the engine is closed meanwhile.
        InternalError
            If the computation fails.
        """
        return _audio.audio(text, wait(*self._synthesis(text, options)), Output.of(options))

    async def asynthesize(self, text: str, **options: Unpack[RequestOptions]) -> Audio:
        """As :meth:`synthesize`, in an event loop. Cancelling the task cancels the synthesis.

        >>> import asyncio, libspeech
        >>> async def hello():
        ...     return await libspeech.Engine().asynthesize("Hello, world.")
        >>> asyncio.run(hello()).characters
        13
        """
        return _audio.audio(text, await wait_async(*self._synthesis(text, options)), Output.of(options))

    def stream(self, text: str, **options: Unpack[RequestOptions]) -> Stream:
        """Speaks a text one sentence at a time: the first can be played while the next is computed.

        Parameters
        ----------
        text : str
            As for :meth:`synthesize`.
        **options
            Those of :class:`RequestOptions`.

        Returns
        -------
        Stream
            An iterator and asynchronous iterator of :class:`Chunk`.

        Raises
        ------
        EmptyTextError, TextTooLongError, InvalidRequestError
            For an invalid request, before anything is computed.
        """
        return Stream(self._native.stream(native_fields(text, options)), Output.of(options))

    def live(self, **options: Unpack[LiveOptions]) -> LiveStream:
        """Speaks a live text, which arrives in pieces, such as the tokens of a language model.

        Parameters
        ----------
        **options
            Those of :class:`LiveOptions`. The text cannot be SSML.

        Returns
        -------
        LiveStream
            Takes the pieces, of any total length, and is an iterator and asynchronous iterator of :class:`Chunk`.

        Raises
        ------
        InvalidRequestError
            For invalid options.
        """
        return LiveStream(self._native.live(native_fields("", options)), Output.of(options))

    def speak_live(self, pieces: AsyncIterable[str], **options: Unpack[LiveOptions]) -> LiveStream:
        """Speaks the text of an asynchronous iterable while it arrives.

        Parameters
        ----------
        pieces : asynchronous iterable of str
            The pieces of the text. They are taken as they come, once the first chunk is requested, at most 16 KiB ahead
            of the speech. An exception of the iterable stops the speech, and is raised by the loop over the chunks.
        **options
            As for :meth:`live`.

        Returns
        -------
        LiveStream
            An asynchronous iterator of :class:`Chunk`. Closing or dropping it closes the pieces.

        Examples
        --------
        >>> import asyncio, libspeech
        >>> async def tokens():
        ...     for token in ["It", " is", " four", " o'clock."]:
        ...         yield token
        >>> async def main():
        ...     async with libspeech.Engine().speak_live(tokens(), voice="leo") as live:
        ...         return [chunk.duration > 0 async for chunk in live]
        >>> asyncio.run(main())
        [True]
        """
        if not isinstance(pieces, AsyncIterable):
            raise WrongTypeError("pieces must be an asynchronous iterable of strings")
        return LiveStream(self._native.live(native_fields("", options)), Output.of(options), pieces)

    def stream_long(self, text: str, **options: Unpack[LiveOptions]) -> LiveStream:
        """Speaks a text of any length, one sentence at a time.

        Parameters
        ----------
        text : str
            At least 1 character, without NUL.
        **options
            As for :meth:`live`.

        Returns
        -------
        LiveStream
            An iterator and asynchronous iterator of :class:`Chunk`, whose spans refer to the whole text:
            ``chunk.span.stop / len(text)`` is the progress.

        Raises
        ------
        EmptyTextError, InvalidRequestError
            For an invalid request, before anything is computed.
        """
        return LiveStream(self._native.stream_long(native_fields(text, options)), Output.of(options))

    def qualities(self, voice: VoiceId, language: Language) -> tuple[Quality, ...]:
        """The qualities that the voice bundle has for a voice in a language, the best first.

        The allowed values of ``quality`` besides ``"auto"``. Empty if the bundle lacks the voice in this language.

        Raises
        ------
        InvalidRequestError
            For an unsupported voice or language.

        Examples
        --------
        >>> import libspeech
        >>> libspeech.Engine().qualities("aria", "en-US")[0]
        'full'
        """
        names = self._native.qualities(_checks.string("voice", voice), _checks.string("language", language))
        return cast("tuple[Quality, ...]", tuple(names))

    def warm_up(self) -> None:
        """Synthesizes a few words and discards them, so that the first request finds everything in memory.

        Computes nothing if the engine's cache has these words. In an event loop:
        ``await asyncio.to_thread(engine.warm_up)``.
        """
        wait(self._native.warm_up, lambda: None)

    def trim(self) -> None:
        """Empties the cache, and frees the scratch memory kept for the next request (up to about 64 MB).

        For when no request is expected for a while, or memory is short. The voices stay loaded, and the next request is
        a little slower. Running requests keep the memory they use.
        """
        self._native.trim()

    def close(self) -> None:
        """Cancels every request, and releases the memory. A closed engine refuses all requests."""
        self._native.close()

    def _synthesis(self, text: str, options: RequestOptions) -> tuple[Start[AudioFields], Callable[[], None]]:
        """The functions that start and cancel the synthesis of a text."""
        fields = native_fields(text, options)
        token = self._native.cancel_token()

        def start(callback: Callback[AudioFields]) -> None:
            self._native.synthesize(fields, token, callback)

        return start, token.cancel

    def __enter__(self) -> Engine:
        if self.closed:
            raise InvalidRequestError("the engine is closed")
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce__(self) -> str:
        raise TypeError("an Engine cannot be pickled or copied: load one in each process")

    def __repr__(self) -> str:
        state = ", closed" if self.closed else ""
        return f"<Engine: {self.threads} threads, {self.kernels}, {self.precision}{state}>"


def _bundle(bundle: object) -> str | bytes:
    if isinstance(bundle, (bytes, bytearray, memoryview)):
        return bytes(bundle)
    if isinstance(bundle, (str, os.PathLike)):
        path = os.fspath(bundle)
        if isinstance(path, str):
            return _checks.string("bundle", path)
    raise WrongTypeError("bundle must be a path, or the bytes of a tar file")


def _default_bundle() -> str | None:
    """The bundle of the installed package ``libspeech-sdk-voices``; None leaves the search to the core."""
    if os.environ.get("SPEECH_BUNDLE"):
        return None
    package = installed_voices()
    return None if package is None else str(package / "bundle")


def installed_voices() -> Path | None:
    """The folder of the installed package ``libspeech-sdk-voices``, if it has a bundle."""
    package = importlib.util.find_spec("libspeech_voices")
    locations = package.submodule_search_locations if package else None
    return next((Path(path) for path in locations or [] if Path(path, "bundle").is_dir()), None)
