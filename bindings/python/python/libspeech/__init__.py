"""Speech synthesis that runs inside the application: text in, natural speech out, on the CPU, offline.

>>> import libspeech
>>> engine = libspeech.Engine()
>>> engine.synthesize("Hello, world.").save("hello.wav")

English (``en-US``) and Hindi (``hi-IN``), five voices, 22,050 Hz or another rate. :class:`Engine` loads the voices once
and serves any number of threads and tasks; :meth:`Engine.stream` returns one sentence at a time, and
:meth:`Engine.live` speaks a text while it arrives. Every failure is a :class:`SpeechError`.

:data:`Language`, :data:`VoiceId`, :data:`Format`, :data:`Latency`, :data:`Quality`, :data:`SampleRate`,
:data:`Encoding`, :data:`VisemeName`, :data:`Kernels`, :data:`Precision` and :data:`UseCase` are the types of the
allowed values. A string known only at run time may be passed too; an unsupported one is rejected with an
:class:`InvalidRequestError`. :data:`Bundle` is the type of a voice bundle.
"""

from __future__ import annotations

import atexit
import sysconfig
import types

if sysconfig.get_config_var("Py_GIL_DISABLED"):
    raise ImportError(
        "libspeech does not support free-threaded builds of Python yet: use the ordinary build of the same version"
    )

from libspeech import _libspeech, _reimport
from libspeech._audio import Audio, Chunk, Diagnostic, Mark, Phoneme, Samples, Sentence, Viseme, Word
from libspeech._choices import (
    Encoding,
    Format,
    Kernels,
    Language,
    Latency,
    Precision,
    Quality,
    SampleRate,
    UseCase,
    VisemeName,
    VoiceId,
)
from libspeech._engine import Bundle, Engine
from libspeech._errors import (
    CancelledError,
    EmptyTextError,
    InternalError,
    InvalidRequestError,
    InvalidTierError,
    ModelError,
    SpeechError,
    TextTooLongError,
    WrongTypeError,
)
from libspeech._lexicon import Lexicon
from libspeech._live import LiveStream
from libspeech._request import LiveOptions, RequestOptions, ServiceRequest, validate
from libspeech._stream import ChunkStream, Stream
from libspeech._text import Segment, Segmenter, split_text
from libspeech._tiers import Tier, TierCatalogue, TierEntry, tiers
from libspeech._voices import Voice, VoiceListing, voices

__all__ = [
    "MAX_CHARACTERS",
    "SAMPLE_RATE",
    "Audio",
    "Bundle",
    "CancelledError",
    "Chunk",
    "ChunkStream",
    "Diagnostic",
    "EmptyTextError",
    "Encoding",
    "Engine",
    "Format",
    "InternalError",
    "InvalidRequestError",
    "InvalidTierError",
    "Kernels",
    "Language",
    "Latency",
    "Lexicon",
    "LiveOptions",
    "LiveStream",
    "Mark",
    "ModelError",
    "Phoneme",
    "Precision",
    "Quality",
    "RequestOptions",
    "SampleRate",
    "Samples",
    "Segment",
    "Segmenter",
    "Sentence",
    "ServiceRequest",
    "SpeechError",
    "Stream",
    "TextTooLongError",
    "Tier",
    "TierCatalogue",
    "TierEntry",
    "UseCase",
    "Viseme",
    "VisemeName",
    "Voice",
    "VoiceId",
    "VoiceListing",
    "Word",
    "WrongTypeError",
    "__version__",
    "split_text",
    "tiers",
    "validate",
    "voices",
]

__version__ = _libspeech.VERSION

#: The default sample rate, in hertz.
SAMPLE_RATE = _libspeech.SAMPLE_RATE

#: The longest text of one request, in characters.
MAX_CHARACTERS = _libspeech.MAX_CHARACTERS

# No thread can attach to the interpreter after its end, so all work must end before.
atexit.register(_libspeech.shut_down)


def _set_public_module() -> None:
    """Makes tracebacks and pickles refer to public classes and functions by their public names."""
    for name in __all__:
        value = globals()[name]
        if isinstance(value, (type, types.FunctionType)):
            value.__module__ = __name__


_set_public_module()
_reimport.remember()
