"""Audio: the samples of a whole text, and of a part of a stream."""

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


#: The type of a sample of each encoding, for NumPy and for `memoryview`.
_TYPES: dict[Encoding, tuple[str, Literal["h", "f", "B"]]] = {
    "pcm16": ("int16", "h"),
    "float32": ("float32", "f"),
    "mulaw": ("uint8", "B"),
    "alaw": ("uint8", "B"),
}


@dataclass(frozen=True, eq=False, repr=False)
class Samples:
    """Mono audio, and what is heard in it when: the base class of :class:`Audio` and :class:`Chunk`.

    It cannot be changed. Two are equal if they are of one class and all their attributes are, as a copy and what is
    unpickled are.

    Attributes
    ----------
    pcm : bytes
        The samples as 16-bit little-endian bytes, whatever the encoding is.
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
    sample_rate : int
        Samples a second, in hertz.
    encoding : str
        What a sample is in :attr:`samples`, :attr:`data` and :attr:`wav`: ``"pcm16"``, ``"float32"``, ``"mulaw"`` or
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
        """The samples, read-only: a NumPy array of shape ``(samples,)``, or a ``memoryview`` where there is no NumPy.

        They are 16-bit integers, 32-bit floating-point numbers from -1 to 1, or 8-bit codes, as :attr:`encoding` says.
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
        """The bytes of the samples in :attr:`encoding`, little-endian. Those of ``"pcm16"`` are :attr:`pcm`."""
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

    # A span is no part of a hash before Python 3.12.
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
    """The audio of a whole text, of the fields that the native module returns."""
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
    """A part of a stream, of the fields that the native module returns."""
    pcm, events, start, end = fields
    return Chunk(pcm, **_events(events), **output._asdict(), span=slice(start, end))


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
