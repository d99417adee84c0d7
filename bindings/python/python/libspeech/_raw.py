"""What goes to the native module and comes from it, as it stands."""

from __future__ import annotations

#: Text, language, voice, format, latency, whether emoji are read.
Fields = tuple[str, str, str, str, str, bool]

#: Start and end in code points of the text, start and end in seconds.
RawWord = tuple[int, int, float, float]

#: Kind, start and end in code points of the text.
RawDiagnostic = tuple[str, int, int]

#: Samples, words, characters, request identifier, diagnostics, kernels, precision, seconds.
RawAudio = tuple[bytes, list[RawWord], int, str, list[RawDiagnostic], str, str, float]

#: Samples, words, start and end in code points of the text.
RawChunk = tuple[bytes, list[RawWord], int, int]

#: Text, start and end in code points, whether a paragraph ends with it.
RawSegment = tuple[str, int, int, bool]
