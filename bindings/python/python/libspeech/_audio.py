"""What is heard."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from libspeech import _libspeech
from libspeech._errors import WrongTypeError
from libspeech._raw import RawAudio, RawChunk, RawDiagnostic, RawWord

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray


class Word(NamedTuple):
    """When a word is heard.

    Attributes
    ----------
    span : slice
        Where the text has it: ``text[word.span]``. A number such as ``12`` is one word, however many it is read as.
    start, end : float
        Seconds from the start of the audio; in a stream, from the start of the stream.
    """

    span: slice
    start: float
    end: float


class Diagnostic(NamedTuple):
    """What a caller may want to know about how a text was read.

    Attributes
    ----------
    kind : str
        ``"skipped"``: these characters were not said.
    span : slice
        Where the text has them: ``text[diagnostic.span]``.
    """

    kind: str
    span: slice


class Samples(_libspeech.SampleBuffer):
    """16-bit mono samples at 22,050 Hz: what :class:`Audio` and :class:`Chunk` have in common.

    It is a read-only buffer of 16-bit whole numbers: ``memoryview(audio)`` and ``numpy.asarray(audio)``, of shape
    ``(samples,)``, copy nothing.

    Attributes
    ----------
    pcm : bytes
        The samples as 16-bit little-endian bytes.
    words : tuple of Word
        When each word is heard.
    """

    pcm: bytes
    words: tuple[Word, ...]

    def __new__(cls, pcm: bytes, words: Iterable[Word], **fields: object) -> Any:
        samples = super().__new__(cls, pcm)
        samples.__dict__.update(fields, pcm=pcm, words=tuple(words))
        return samples

    @property
    def sample_rate(self) -> int:
        """Samples a second, in hertz: always 22050."""
        return _libspeech.SAMPLE_RATE

    @property
    def duration(self) -> float:
        """How long it sounds, in seconds."""
        return len(self) / self.sample_rate

    @property
    def wav(self) -> bytes:
        """The samples as a RIFF/WAVE file."""
        return _libspeech.wav(self.pcm)

    def save(self, file: str | os.PathLike[str] | BinaryIO) -> None:
        """Writes a RIFF/WAVE file.

        Parameters
        ----------
        file : str, path or binary file
            Where to; a file that is open stays open.

        Raises
        ------
        OSError
            If it cannot be written.
        InvalidRequestError
            If it is no path and no file.
        """
        if isinstance(file, (str, os.PathLike)):
            with open(file, "wb") as opened:
                opened.write(self.wav)
        elif hasattr(file, "write"):
            file.write(self.wav)
        else:
            raise WrongTypeError("file must be a path or a binary file")

    if TYPE_CHECKING:

        def __buffer__(self, flags: int, /) -> memoryview: ...

    def __len__(self) -> int:
        """The number of samples."""
        return len(self.pcm) // 2

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """The samples as a NumPy array of shape ``(samples,)``.

        It is read-only and no copy, unless a copy or another type is asked for.
        """
        import numpy

        array: NDArray[Any] = numpy.frombuffer(self.pcm, dtype=numpy.int16)
        if dtype is not None and numpy.dtype(dtype) != array.dtype:
            if copy is False:
                raise ValueError("another type than int16 needs a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.wav).decode()
        return f'<audio controls src="data:audio/wav;base64,{data}"></audio>'

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.duration:.2f} s at {self.sample_rate} Hz>"

    def __reduce__(self) -> tuple[Any, ...]:
        fields = dict(self.__dict__)
        return _restored, (type(self), fields.pop("pcm"), fields.pop("words"), fields)


def _restored(cls: Any, pcm: bytes, words: tuple[Word, ...], fields: Any) -> Any:
    return cls.__new__(cls, pcm, words, **fields)


class Audio(Samples):
    """A whole text, spoken.

    Attributes
    ----------
    characters : int
        The metered quantity: the characters of the text as it was given.
    request_id : str
        The identifier of the request, a UUID.
    diagnostics : tuple of Diagnostic
        What was not said.
    kernels, precision : str
        What it was computed with, such as ``"avx512"`` and ``"fp32"``.
    elapsed : float
        The seconds that it took to compute, waiting for its turn included.
    """

    characters: int
    request_id: str
    diagnostics: tuple[Diagnostic, ...]
    kernels: str
    precision: str
    elapsed: float


class Chunk(Samples):
    """A sentence of a stream, with the pause after it; with low latency the first sentence may come as three.

    Attributes
    ----------
    span : slice
        Where the text has the sentence: ``text[chunk.span]``.
    """

    span: slice


def audio(raw: RawAudio) -> Audio:
    """What the native module gives for a whole text."""
    pcm, spoken, characters, request_id, skipped, kernels, precision, elapsed = raw
    made: Audio = Audio.__new__(
        Audio,
        pcm,
        _words(spoken),
        characters=characters,
        request_id=request_id,
        diagnostics=diagnostics(skipped),
        kernels=kernels,
        precision=precision,
        elapsed=elapsed,
    )
    return made


def chunk(raw: RawChunk) -> Chunk:
    """What the native module gives for a part of a stream."""
    pcm, spoken, start, end = raw
    made: Chunk = Chunk.__new__(Chunk, pcm, _words(spoken), span=slice(start, end))
    return made


def diagnostics(raw: Iterable[RawDiagnostic]) -> tuple[Diagnostic, ...]:
    """Diagnostics of the native module."""
    return tuple(Diagnostic(kind, slice(start, end)) for kind, start, end in raw)


def _words(raw: Iterable[RawWord]) -> Iterable[Word]:
    return (Word(slice(start, end), since, until) for start, end, since, until in raw)
