"""The tuples that are passed to the native module and returned by it."""

from __future__ import annotations

#: Text, language, voice, format, latency, whether emoji are read.
RequestFields = tuple[str, str, str, str, str, bool, bool]

#: Start and end in code points of the text, start and end in seconds.
WordFields = tuple[int, int, float, float]

#: Kind, start and end in code points of the text.
DiagnosticFields = tuple[str, int, int]

#: Samples, words, characters, request identifier, diagnostics, kernels, precision, elapsed seconds.
AudioFields = tuple[bytes, list[WordFields], int, str, list[DiagnosticFields], str, str, float]

#: Samples, words, start and end in code points of the text.
ChunkFields = tuple[bytes, list[WordFields], int, int]

#: Text, start and end in code points, whether a paragraph ends with it.
SegmentFields = tuple[str, int, int, bool]
