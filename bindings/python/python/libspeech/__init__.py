"""Speech synthesis that runs inside the application: text in, natural speech out, on the CPU, offline.

>>> import libspeech
>>> engine = libspeech.Engine()
>>> engine.synthesize("Hello, world.").save("hello.wav")

English (``en-US``) and Hindi (``hi-IN``), five voices, 22,050 Hz. :class:`Engine` loads the voices once and serves any
number of threads and tasks; :meth:`Engine.stream` gives a sentence at a time. Every failure is a :class:`SpeechError`.
"""

from __future__ import annotations

import atexit
import sysconfig

if sysconfig.get_config_var("Py_GIL_DISABLED"):
    raise ImportError(
        "libspeech does not support free-threaded builds of Python yet: use the ordinary build of the same version"
    )

from libspeech import _libspeech
from libspeech._audio import Audio, Chunk, Diagnostic, Samples, Word
from libspeech._engine import Engine
from libspeech._errors import (
    CancelledError,
    EmptyTextError,
    InternalError,
    InvalidRequestError,
    InvalidTierError,
    MethodNotAllowedError,
    ModelError,
    NotFoundError,
    OverloadedError,
    RequestTooLargeError,
    SpeechError,
    TextTooLongError,
    UnauthorizedError,
    UnsupportedMediaTypeError,
    WrongTypeError,
)
from libspeech._request import Request
from libspeech._stream import Stream
from libspeech._text import Segment, Segmenter, split_text
from libspeech._tiers import Tier, TierCatalogue, TierEntry, tiers
from libspeech._voices import Voice, VoiceListing, voices

__all__ = [
    "MAX_CHARACTERS",
    "SAMPLE_RATE",
    "Audio",
    "CancelledError",
    "Chunk",
    "Diagnostic",
    "EmptyTextError",
    "Engine",
    "InternalError",
    "InvalidRequestError",
    "InvalidTierError",
    "MethodNotAllowedError",
    "ModelError",
    "NotFoundError",
    "OverloadedError",
    "Request",
    "RequestTooLargeError",
    "Samples",
    "Segment",
    "Segmenter",
    "SpeechError",
    "Stream",
    "TextTooLongError",
    "Tier",
    "TierCatalogue",
    "TierEntry",
    "UnauthorizedError",
    "UnsupportedMediaTypeError",
    "Voice",
    "VoiceListing",
    "Word",
    "WrongTypeError",
    "__version__",
    "split_text",
    "tiers",
    "voices",
]

__version__ = _libspeech.VERSION

#: Samples a second of all audio, in hertz.
SAMPLE_RATE = _libspeech.SAMPLE_RATE

#: The longest text of one request, in characters.
MAX_CHARACTERS = _libspeech.MAX_CHARACTERS

# After the end of the interpreter no thread can tell it anything: so nothing runs any more then.
atexit.register(_libspeech.end)


def _go_by_public_names() -> None:
    """Has tracebacks and pickles call what is public by its public name."""
    for name in __all__:
        if hasattr(globals()[name], "__module__"):
            globals()[name].__module__ = __name__


_go_by_public_names()
