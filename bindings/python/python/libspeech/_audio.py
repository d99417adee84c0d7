"""Audio: the samples of a whole text, or of a chunk of a stream."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, NamedTuple, cast

from libspeech import _checks, _libspeech, _notebook
from libspeech._choices import Encoding, VisemeName
from libspeech._errors import InvalidRequestError, WrongTypeError
from libspeech._native_types import AudioFields, ChunkFields, DiagnosticFields, EventFields
from libspeech._request import Output

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Word(NamedTuple):
    """The timestamp of a word. A stream has it in the chunk in which the word begins.

    Attributes
    ----------
    span : slice
        Its position in the text: ``text[word.span]``. A number such as ``25`` is one word, even though two are spoken.
    start, end : float
        Seconds from the start of the audio; in a stream, from the start of the stream.
    """

    span: slice
    start: float
    end: float


class Sentence(NamedTuple):
    """The timestamp of a sentence. A stream has it in the last chunk of the sentence.

    Attributes
    ----------
    span : slice
        Its position in the text: ``text[sentence.span]``.
    start, end : float
        The start of its first word, and the end of its last, in seconds from the start of the audio or the stream.
    """

    span: slice
    start: float
    end: float


class Phoneme(NamedTuple):
    """The timestamp of a phoneme. A stream has it in the chunk in which the phoneme begins.

    Attributes
    ----------
    ipa : str
        The phoneme in IPA; a stressed vowel begins with the stress mark: ``"ˈoʊ"``, ``"tʃ"``.
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
    """The timestamp of an SSML ``<mark>``.

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
    """The timestamp of a viseme.

    Attributes
    ----------
    viseme : str
        The viseme, one of the 15 of OVR LipSync: ``"sil"``, ``"PP"``, ``"FF"``, ``"TH"``, ``"DD"``, ``"kk"``, ``"CH"``,
        ``"SS"``, ``"nn"``, ``"RR"``, ``"aa"``, ``"E"``, ``"ih"``, ``"oh"`` or ``"ou"``.
    azure : int
        The viseme ID, 0 to 21, of Azure Speech.
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


#: The NumPy type and the `memoryview` format of a sample, by encoding.
_TYPES: dict[Encoding, tuple[str, Literal["h", "f", "B"]]] = {
    "pcm16": ("int16", "h"),
    "float32": ("float32", "f"),
    "mulaw": ("uint8", "B"),
    "alaw": ("uint8", "B"),
}


@dataclass(frozen=True, eq=False, repr=False)
class Samples:
    """Mono audio with timestamps: the base class of :class:`Audio` and :class:`Chunk`.

    Immutable. Two are equal if they have the same class and equal attributes; copies and unpickled objects are equal.

    Attributes
    ----------
    pcm : bytes
        The samples as 16-bit little-endian bytes, independent of the encoding.
    words : tuple of Word
        The timestamps of the words.
    sentences : tuple of Sentence
        The timestamps of the sentences.
    phonemes : tuple of Phoneme
        The timestamps of the phonemes.
    marks : tuple of Mark
        The timestamps of SSML marks.
    visemes : tuple of Viseme
        The visemes, from the first sample to the last; closed lips in silence.
    sample_rate : int
        The sample rate, in hertz.
    encoding : str
        The encoding of :attr:`samples`, :attr:`data` and :attr:`wav`: ``"pcm16"``, ``"float32"``, ``"mulaw"`` or
        ``"alaw"``.
    """

    pcm: bytes
    words: tuple[Word, ...] = ()
    _: KW_ONLY
    sentences: tuple[Sentence, ...] = ()
    phonemes: tuple[Phoneme, ...] = ()
    marks: tuple[Mark, ...] = ()
    visemes: tuple[Viseme, ...] = ()
    sample_rate: int = _libspeech.SAMPLE_RATE
    encoding: Encoding = "pcm16"

    def __post_init__(self) -> None:
        if not isinstance(self.pcm, bytes):
            raise WrongTypeError("pcm must be bytes")
        if len(self.pcm) % 2 != 0:
            raise InvalidRequestError(f"pcm must be 16-bit samples, but has half a sample: {len(self.pcm)} bytes")
        _checks.sample_rate("sample_rate", self.sample_rate)
        _checks.encoding("encoding", self.encoding)
        for name, of in _EVENTS.items():
            events = tuple(getattr(self, name))
            if not all(isinstance(event, of) for event in events):
                raise WrongTypeError(f"{name} must be of the class {of.__name__}")
            object.__setattr__(self, name, events)

    @property
    def samples(self) -> NDArray[Any]:
        """The samples, read-only: a NumPy array of shape ``(samples,)``, or a ``memoryview`` without NumPy.

        By :attr:`encoding`, they are 16-bit integers, 32-bit floating-point numbers from -1 to 1, or 8-bit codes.
        ``"pcm16"`` copies nothing. Other encodings are computed at each access: keep the array.
        """
        name, code = _TYPES[self.encoding]
        try:
            import numpy
        except ImportError:
            return cast("NDArray[Any]", memoryview(self.data).cast(code))
        return numpy.frombuffer(self.data, name)

    @property
    def data(self) -> bytes:
        """The samples as bytes in :attr:`encoding`, little-endian. For ``"pcm16"`` this is :attr:`pcm`."""
        return self.pcm if self.encoding == "pcm16" else _libspeech.encode(self.pcm, self.encoding)

    @property
    def duration(self) -> float:
        """The duration in seconds."""
        return len(self.pcm) / 2 / self.sample_rate

    @property
    def wav(self) -> bytes:
        """The samples as a RIFF/WAVE file in :attr:`encoding`."""
        return _libspeech.wav(self.pcm, self.sample_rate, self.encoding)

    def save(self, file: str | os.PathLike[str] | BinaryIO) -> None:
        """Writes a RIFF/WAVE file in :attr:`encoding`.

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

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if type(self) is type(other) else NotImplemented

    # Before Python 3.12 a slice is not hashable.
    def __hash__(self) -> int:
        return hash(self.pcm)

    def _repr_html_(self) -> str:
        return _notebook.page(self.pcm, self.sample_rate, ())

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.duration:.2f} s at {self.sample_rate} Hz>"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Audio(Samples):
    """The speech of a whole text.

    Attributes
    ----------
    text : str
        The text as passed: ``audio.text[word.span]`` is a word.
    characters : int
        The metered quantity: the number of characters in the text.
    request_id : str
        The identifier of the request, a UUID.
    diagnostics : tuple of Diagnostic
        The skipped text.
    kernels, precision : str
        The kernels and the precision that computed it, such as ``"avx512"`` and ``"fp32"``.
    elapsed : float
        The seconds from the request to the result, including the time in the queue.
    """

    text: str = ""
    characters: int = 0
    request_id: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    kernels: str = ""
    precision: str = ""
    elapsed: float = 0.0

    def _repr_html_(self) -> str:
        labels = [_notebook.Label(self.text[word.span], word.start) for word in self.words]
        return _notebook.page(self.pcm, self.sample_rate, labels)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Chunk(Samples):
    """A sentence of a stream, with the pause after it. With low latency the first sentence may come as three chunks.

    Attributes
    ----------
    span : slice
        The position of the sentence in the text: ``text[chunk.span]``.
    """

    span: slice = field(default_factory=lambda: slice(0, 0))


def audio(text: str, fields: AudioFields, output: Output) -> Audio:
    """The audio of a whole text, from the fields returned by the native module."""
    pcm, events, characters, request_id, skipped, kernels, precision, elapsed = fields
    return Audio(
        pcm,
        **_events(events),
        **output._asdict(),
        text=text,
        characters=characters,
        request_id=request_id,
        diagnostics=diagnostics(skipped),
        kernels=kernels,
        precision=precision,
        elapsed=elapsed,
    )


def chunk(fields: ChunkFields, output: Output) -> Chunk:
    """A chunk, from the fields returned by the native module."""
    pcm, events, start, end = fields
    return Chunk(pcm, **_events(events), **output._asdict(), span=slice(start, end))


def diagnostics(fields: Iterable[DiagnosticFields]) -> tuple[Diagnostic, ...]:
    """The diagnostics, from the fields returned by the native module."""
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
