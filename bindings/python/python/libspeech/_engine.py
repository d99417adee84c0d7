"""The engine."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Callable, Union

from libspeech import _audio, _checks, _libspeech
from libspeech._audio import Audio
from libspeech._errors import InvalidRequestError, ModelError, WrongTypeError
from libspeech._raw import RawAudio
from libspeech._request import Request, request
from libspeech._stream import Stream
from libspeech._waiting import Done, wait, wait_async

#: A voice bundle: the path of its directory or of a tar file of it, or the bytes of one.
Bundle = Union[str, "os.PathLike[str]", bytes]

#: The most threads or sessions.
_MAX_THREADS = 256


class Engine:
    """A loaded voice bundle, ready to speak. It holds some 200 MB: load one, and share it.

    Any number of threads and tasks may use it at once, and what it answers does not depend on that. All work is done
    without the GIL. A context manager closes it.

    Parameters
    ----------
    bundle : str, path or bytes, optional
        The voice bundle: its directory, a tar file of it, or the bytes of one. By default ``SPEECH_BUNDLE``, then the
        package ``libspeech-sdk-voices``, then the one that ``python -m libspeech fetch`` put into the user's cache.
    threads : int, optional
        The threads that one sentence is computed with, 1 to 256. By default ``SPEECH_THREADS``, or the processor's,
        but 4 at most.
    sessions : int, optional
        How many sentences may be computed at once, 1 to 256; others wait their turn. By default 1. For a server: as
        many sessions as cores, one thread each.
    kernels : str, optional
        The instructions to compute with, such as ``"avx2"``. By default the fastest that the processor has.
    precision : str, optional
        ``"fp32"`` or ``"bf16"``. By default bf16 where the processor has fast instructions for it, which cannot be
        heard.
    pronunciations : mapping of str to str, optional
        Words, and how to read them: IPA between slashes (``{"Siobhan": "/ʃɪˈvɔːn/"}``) or other words
        (``{"kubectl": "cube control"}``).

    Raises
    ------
    ModelError
        If the voice bundle is missing, damaged or of the wrong version.
    InvalidRequestError
        For an option out of range, or instructions that the processor does not have.

    Notes
    -----
    After a fork, the child loads the engine again when it first uses it there; streams stay with the parent. An engine
    cannot be pickled: load one in each process.

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
        sessions: int | None = None,
        kernels: str | None = None,
        precision: str | None = None,
        pronunciations: Mapping[str, str] | None = None,
    ) -> None:
        options = (
            _found() if bundle is None else _bundle(bundle),
            _checks.optional_count("threads", threads, 1, _MAX_THREADS),
            _checks.optional_count("sessions", sessions, 1, _MAX_THREADS),
            _checks.optional_string("kernels", kernels),
            _checks.optional_string("precision", precision),
            _entries(pronunciations),
        )

        def begin(done: Done[_libspeech.Engine]) -> None:
            _libspeech.Engine.load(*options, done)

        try:
            self._native = wait(begin, lambda: None)
        except ModelError as error:
            raise _with_advice(error) from error.__cause__

    @property
    def threads(self) -> int:
        """The threads that one sentence is computed with."""
        return self._native.threads

    @property
    def kernels(self) -> str:
        """The instructions that speech is computed with, such as ``"avx512"``."""
        return self._native.kernels

    @property
    def precision(self) -> str:
        """What the products are computed in: ``"fp32"`` or ``"bf16"``."""
        return self._native.precision

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._native.closed

    def synthesize(
        self,
        text: str | Request,
        language: str = "en-US",
        voice: str = "aria",
        *,
        read_emoji: bool = False,
    ) -> Audio:
        """Speaks a whole text. Ctrl-C stops it.

        Parameters
        ----------
        text : str or Request
            1 to 1,000 characters; :func:`split_text` cuts what is longer. One with nothing to say gives a short
            silence. A :class:`Request` has the other parameters in it.
        language : str
            ``"en-US"`` or ``"hi-IN"``.
        voice : str
            ``"aria"``, ``"jason"``, ``"john"``, ``"leo"`` or ``"sofia"``.
        read_emoji : bool
            Whether emoji are read by their names; else they are skipped, and listed in the diagnostics.

        Returns
        -------
        Audio
            16-bit mono samples, of shape ``(samples,)``, at 22,050 Hz.

        Raises
        ------
        EmptyTextError, TextTooLongError, InvalidRequestError
            For a request that is refused.
        CancelledError
            If the engine is closed meanwhile.
        InternalError
            If the computation fails.
        """
        begin, cancel = self._synthesis(text, language, voice, read_emoji)
        return _audio.audio(wait(begin, cancel))

    async def asynthesize(
        self,
        text: str | Request,
        language: str = "en-US",
        voice: str = "aria",
        *,
        read_emoji: bool = False,
    ) -> Audio:
        """The same in an event loop, which does other things meanwhile. Cancelling the task stops it.

        >>> import asyncio, libspeech
        >>> async def hello():
        ...     return await libspeech.Engine().asynthesize("Hello, world.")
        >>> asyncio.run(hello()).characters
        13
        """
        begin, cancel = self._synthesis(text, language, voice, read_emoji)
        return _audio.audio(await wait_async(begin, cancel))

    def stream(
        self,
        text: str | Request,
        language: str = "en-US",
        voice: str = "aria",
        *,
        latency: str = "standard",
        read_emoji: bool = False,
    ) -> Stream:
        """Speaks a text a sentence at a time: the first can be played while the next is computed.

        Parameters
        ----------
        text, language, voice, read_emoji
            As of :meth:`synthesize`.
        latency : str
            ``"standard"``, or ``"low"``: then the first half second of a long first sentence comes before the rest is
            computed. It sounds a little different, and fades into the rest.

        Returns
        -------
        Stream
            An iterator, and an asynchronous one, of :class:`Chunk`.

        Raises
        ------
        EmptyTextError, TextTooLongError, InvalidRequestError
            For a request that is refused, at once.
        """
        fields = request(text, language, voice, format="pcm", latency=latency, read_emoji=read_emoji)
        cancel = self._native.cancel()
        return Stream(self._native.stream(fields, cancel), cancel)

    def warm_up(self) -> None:
        """Speaks a few words that nobody hears, so that the first request finds everything in memory."""
        wait(self._native.warm_up, lambda: None)

    def close(self) -> None:
        """Stops all that it does, and forgets what it has loaded. Whatever is asked of it then is refused."""
        self._native.close()

    def _synthesis(
        self, text: str | Request, language: str, voice: str, read_emoji: bool
    ) -> tuple[Callable[[Done[RawAudio]], None], Callable[[], None]]:
        fields = request(text, language, voice, format="wav", latency="standard", read_emoji=read_emoji)
        cancel = self._native.cancel()

        def begin(done: Done[RawAudio]) -> None:
            self._native.synthesize(fields, cancel, done)

        return begin, cancel.cancel

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


def _found() -> str | None:
    """The bundle of the package with the voices, unless the environment names another."""
    if os.environ.get("SPEECH_BUNDLE"):
        return None
    package = installed_voices()
    return None if package is None else str(package / "bundle")


def installed_voices() -> Path | None:
    """The folder of the package with the voices, which has a bundle in it."""
    package = importlib.util.find_spec("libspeech_voices")
    places = package.submodule_search_locations if package else None
    return next((Path(place) for place in places or [] if Path(place, "bundle").is_dir()), None)


def _with_advice(error: ModelError) -> ModelError:
    """The error, which the core has for programs in every language, in the words of this one."""
    if not error.message.startswith("no voice bundle"):
        return error
    advice = (
        "no voice bundle: `pip install libspeech-sdk-voices` or `python -m libspeech fetch` brings one;"
        " or give its directory, or set SPEECH_BUNDLE"
    )
    return ModelError(advice, request_id=error.request_id)


def _entries(pronunciations: object) -> list[tuple[str, str]]:
    if pronunciations is None:
        return []
    if not isinstance(pronunciations, Mapping):
        raise WrongTypeError("pronunciations must be a mapping of strings to strings")
    words = "the words of a pronunciation"
    return [
        (_checks.string(words, key), _checks.string("a pronunciation", value)) for key, value in pronunciations.items()
    ]
