"""The tuples passed to and returned by the native module."""

from __future__ import annotations

from typing import NamedTuple

from libspeech import _libspeech

#: The value of a request's option.
OptionValue = bool | float | str | list[tuple[str, str]] | list[_libspeech.Lexicon]

#: The text, and the names and values of the given options.
RequestFields = tuple[str, list[tuple[str, OptionValue]]]

#: Start and end in code points of the text, start and end in seconds.
SpanFields = tuple[int, int, float, float]

#: The phoneme in IPA, start and end in code points of the text, start and end in seconds.
PhonemeFields = tuple[str, int, int, float, float]

#: Name, seconds.
MarkFields = tuple[str, float]

#: OVR LipSync name, Azure viseme ID, start and end in seconds.
VisemeFields = tuple[str, int, float, float]

#: Words, sentences, phonemes, marks, visemes.
EventFields = tuple[list[SpanFields], list[SpanFields], list[PhonemeFields], list[MarkFields], list[VisemeFields]]

#: Kind, start and end in code points of the text.
DiagnosticFields = tuple[str, int, int]

#: Samples, events, characters, request identifier, diagnostics, kernels, precision, elapsed seconds.
AudioFields = tuple[bytes, EventFields, int, str, list[DiagnosticFields], str, str, float]

#: Samples, events, start and end in code points of the text.
ChunkFields = tuple[bytes, EventFields, int, int]

#: Text, start and end in code points, whether a paragraph ends with it.
SegmentFields = tuple[str, int, int, bool]

#: Path, seconds, bytes, SHA-256, words, sentences, start and end of skipped text in code points.
BatchSoundFields = tuple[str, float, int, str, list[SpanFields], list[SpanFields], list[tuple[int, int]]]

#: Identifier, key; rows done, all rows, rows spoken, seconds of new sound; type and message of an error; the sound.
BatchRowFields = tuple[str, str, tuple[int, int, int, float], tuple[str, str] | None, BatchSoundFields | None]


class BatchOptions(NamedTuple):
    """The options of a batch."""

    folder: str
    sample_rate: int
    encoding: str
    format: str
    shard: str
    jobs: int | None
    verify: bool
    retry: bool
