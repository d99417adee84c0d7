"""Audio: the samples of a whole text, and of a part of a stream."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast, overload

from libspeech import _libspeech, _notebook
from libspeech._choices import VisemeName
from libspeech._errors import InvalidRequestError, WrongTypeError
from libspeech._native_types import AudioFields, ChunkFields, DiagnosticFields, EventFields

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray


class Word(NamedTuple):
    """The timing of a word. In a stream it is in the chunk in which it begins.

    Attributes
    ----------
    span : slice
        Its position in the text: ``text[word.span]``. A number such as ``25`` is one word, though it is read as two.
    start, end : float
        Seconds from the start of the audio; in a stream, from the start of the stream.
    """

    span: slice
    start: float
    end: float


class Sentence(NamedTuple):
    """The timing of a sentence. In a stream it is in the last chunk of the sentence.

    Attributes
    ----------
    span : slice
        Its position in the text: ``text[sentence.span]``.
    start, end : float
        Seconds from the start of the audio to its first word, and to the end of its last word; in a stream, from the
        start of the stream.
    """

    span: slice
    start: float
    end: float


class Phoneme(NamedTuple):
    """The timing of a sound. In a stream it is in the chunk in which it begins.

    Attributes
    ----------
    ipa : str
        The sound in IPA, with the mark of stress before a vowel that has it: ``"ˈoʊ"``, ``"tʃ"``.
    span : slice
        The position of its word in the text, the span of a :class:`Word`.
    start, end : float
        Seconds from the start of the audio; in a stream, from the start of the stream.
    """

    ipa: str
    span: slice
    start: float
    end: float


class Mark(NamedTuple):
    """When a ``<mark>`` of SSML is reached.

    Attributes
    ----------
    name : str
        Its name.
    time : float
        Seconds from the start of the audio; in a stream, from the start of the stream.
    """

    name: str
    time: float


class Viseme(NamedTuple):
    """The timing of a shape of the mouth.

    Attributes
    ----------
    viseme : str
        The shape, of the 15 of OVR LipSync: ``"sil"``, ``"PP"``, ``"FF"``, ``"TH"``, ``"DD"``, ``"kk"``, ``"CH"``,
        ``"SS"``, ``"nn"``, ``"RR"``, ``"aa"``, ``"E"``, ``"ih"``, ``"oh"`` or ``"ou"``.
    azure : int
        The shape, of the 22 of Azure's table: 0 to 21.
    start, end : float
        Seconds from the start of the audio; in a stream, from the start of the stream.
    """

    viseme: VisemeName
    azure: int
    start: float
    end: float


#: The class of the items of each kind of event.
_EVENTS: dict[str, type] = {
    "words": Word,
    "sentences": Sentence,
    "phonemes": Phoneme,
    "marks": Mark,
    "visemes": Viseme,
}


class Diagnostic(NamedTuple):
    """A note about how a text was read.

    Attributes
    ----------
    kind : str
        ``"skipped"``: these characters were not spoken.
    span : slice
        Their position in the text: ``text[diagnostic.span]``.
    """

    kind: str
    span: slice


class Samples(_libspeech.SampleBuffer, Sequence[int]):
    """16-bit mono samples at 22,050 Hz: the base class of :class:`Audio` and :class:`Chunk`.

    It supports the buffer protocol, read-only: ``memoryview(audio)`` and ``numpy.asarray(audio)``, 16-bit integers of
    shape ``(samples,)``, copy nothing. It is also a sequence of the samples: ``audio[0]`` is an ``int``, and
    ``audio[:22050]`` a ``memoryview`` of the first second, which copies nothing either.

    It cannot be changed. Two are equal if they are of one class and all their attributes are, as a copy and what is
    unpickled are.

    Attributes
    ----------
    pcm : bytes
        The samples as 16-bit little-endian bytes.
    words : tuple of Word
        The timing of each word.
    sentences : tuple of Sentence
        The timing of each sentence.
    phonemes : tuple of Phoneme
        The timing of each sound.
    marks : tuple of Mark
        When each mark of SSML is reached.
    visemes : tuple of Viseme
        The shapes of the mouth, from the first sample to the last: closed where nothing is said.
    """

    __slots__ = ("__weakref__", "marks", "pcm", "phonemes", "sentences", "visemes", "words")

    pcm: bytes
    words: tuple[Word, ...]
    sentences: tuple[Sentence, ...]
    phonemes: tuple[Phoneme, ...]
    marks: tuple[Mark, ...]
    visemes: tuple[Viseme, ...]

    def __new__(cls, pcm: bytes, words: Iterable[Word] = (), **fields: Any) -> Any:
        if not isinstance(pcm, bytes):
            raise WrongTypeError("pcm must be bytes")
        if len(pcm) % 2 != 0:
            raise InvalidRequestError(f"pcm must be 16-bit samples, but has half a sample: {len(pcm)} bytes")
        samples = super().__new__(cls, pcm)
        fields["words"] = words
        for name, of in _EVENTS.items():
            fields[name] = tuple(fields.get(name, ()))
            if not all(isinstance(event, of) for event in fields[name]):
                raise WrongTypeError(f"{name} must be of the class {of.__name__}")
        for name, value in {**fields, "pcm": pcm}.items():
            object.__setattr__(samples, name, value)
        return samples

    @property
    def sample_rate(self) -> int:
        """Samples a second, in hertz: always 22050."""
        return _libspeech.SAMPLE_RATE

    @property
    def duration(self) -> float:
        """The duration in seconds."""
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
            A path, or an open file, which stays open.

        Raises
        ------
        OSError
            If it cannot be written.
        InvalidRequestError
            If ``file`` is neither a path nor a file.
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

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> memoryview: ...
    def __getitem__(self, index: int | slice) -> int | memoryview:
        """A sample, or a view of some samples, which copies nothing."""
        try:
            return memoryview(self)[index]
        except IndexError:
            raise IndexError(f"{type(self).__name__} index out of range") from None

    # Those of Sequence are the same and take a step of Python for each sample.

    def __iter__(self) -> Iterator[int]:
        return iter(memoryview(self))

    def __contains__(self, sample: object) -> bool:
        return sample in memoryview(self)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(self.pcm)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """The samples as a NumPy array of shape ``(samples,)``.

        It is a read-only view, unless a copy or another type is requested.
        """
        import numpy

        array: NDArray[Any] = numpy.frombuffer(self.pcm, dtype=numpy.int16)
        if dtype is not None and numpy.dtype(dtype) != array.dtype:
            if copy is False:
                raise ValueError("another type than int16 needs a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def _repr_html_(self) -> str:
        return _notebook.page(memoryview(self), ())

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.duration:.2f} s at {self.sample_rate} Hz>"

    def __reduce__(self) -> tuple[Any, ...]:
        names = [*type(self).__slots__, *_EVENTS]
        fields = {name: getattr(self, name) for name in names if name != "words"}
        return _unpickled, (type(self), self.pcm, self.words, fields)


def _unpickled(cls: Any, pcm: bytes, words: tuple[Word, ...], fields: Any) -> Any:
    return cls.__new__(cls, pcm, words, **fields)


class Audio(Samples):
    """The speech of a whole text.

    Attributes
    ----------
    text : str
        The text as it was passed: ``audio.text[word.span]`` is a word.
    characters : int
        The metered quantity: the characters of the text.
    request_id : str
        The identifier of the request, a UUID.
    diagnostics : tuple of Diagnostic
        What was skipped.
    kernels, precision : str
        What it was computed with, such as ``"avx512"`` and ``"fp32"``.
    elapsed : float
        The seconds from the request to the result, including the time in line.
    """

    __slots__ = ("characters", "diagnostics", "elapsed", "kernels", "precision", "request_id", "text")

    text: str
    characters: int
    request_id: str
    diagnostics: tuple[Diagnostic, ...]
    kernels: str
    precision: str
    elapsed: float

    def __new__(
        cls,
        pcm: bytes,
        words: Iterable[Word] = (),
        *,
        sentences: Iterable[Sentence] = (),
        phonemes: Iterable[Phoneme] = (),
        marks: Iterable[Mark] = (),
        visemes: Iterable[Viseme] = (),
        text: str = "",
        characters: int = 0,
        request_id: str = "",
        diagnostics: Iterable[Diagnostic] = (),
        kernels: str = "",
        precision: str = "",
        elapsed: float = 0.0,
    ) -> Any:
        return super().__new__(
            cls,
            pcm,
            words,
            sentences=sentences,
            phonemes=phonemes,
            marks=marks,
            visemes=visemes,
            text=text,
            characters=characters,
            request_id=request_id,
            diagnostics=tuple(diagnostics),
            kernels=kernels,
            precision=precision,
            elapsed=elapsed,
        )

    def _repr_html_(self) -> str:
        labels = [_notebook.Label(self.text[word.span], word.start) for word in self.words]
        return _notebook.page(memoryview(self), labels)


class Chunk(Samples):
    """A sentence of a stream, with the pause after it. With low latency the first sentence may come as three chunks.

    Attributes
    ----------
    span : slice
        The position of the sentence in the text: ``text[chunk.span]``.
    """

    __slots__ = ("span",)

    span: slice

    def __new__(
        cls,
        pcm: bytes,
        words: Iterable[Word] = (),
        *,
        sentences: Iterable[Sentence] = (),
        phonemes: Iterable[Phoneme] = (),
        marks: Iterable[Mark] = (),
        visemes: Iterable[Viseme] = (),
        span: slice = slice(0, 0),
    ) -> Any:
        return super().__new__(
            cls,
            pcm,
            words,
            sentences=sentences,
            phonemes=phonemes,
            marks=marks,
            visemes=visemes,
            span=span,
        )


def audio(text: str, fields: AudioFields) -> Audio:
    """The audio of a whole text, of the fields that the native module returns."""
    pcm, events, characters, request_id, skipped, kernels, precision, elapsed = fields
    made: Audio = Audio.__new__(
        Audio,
        pcm,
        **_events(events),
        text=text,
        characters=characters,
        request_id=request_id,
        diagnostics=diagnostics(skipped),
        kernels=kernels,
        precision=precision,
        elapsed=elapsed,
    )
    return made


def chunk(fields: ChunkFields) -> Chunk:
    """A part of a stream, of the fields that the native module returns."""
    pcm, events, start, end = fields
    made: Chunk = Chunk.__new__(Chunk, pcm, **_events(events), span=slice(start, end))
    return made


def diagnostics(fields: Iterable[DiagnosticFields]) -> tuple[Diagnostic, ...]:
    """The diagnostics of the fields that the native module returns."""
    return tuple(Diagnostic(kind, slice(start, end)) for kind, start, end in fields)


def _events(fields: EventFields) -> dict[str, Any]:
    words, sentences, phonemes, marks, visemes = fields
    return {
        "words": [Word(slice(start, end), since, until) for start, end, since, until in words],
        "sentences": [Sentence(slice(start, end), since, until) for start, end, since, until in sentences],
        "phonemes": [Phoneme(ipa, slice(start, end), since, until) for ipa, start, end, since, until in phonemes],
        "marks": [Mark(name, time) for name, time in marks],
        "visemes": [Viseme(cast(VisemeName, name), azure, since, until) for name, azure, since, until in visemes],
    }
