"""A text to speak, and how to speak it."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, fields, replace

from libspeech import _checks, _libspeech
from libspeech._choices import Format, Language, Latency, Quality, VoiceId
from libspeech._errors import InvalidRequestError, WrongTypeError
from libspeech._native_types import RequestFields

#: Without slots `__dict__` would be a way to change a request. Python 3.9 has none for dataclasses with defaults.
_SLOTS: dict[str, bool] = {"slots": True} if sys.version_info >= (3, 10) else {}


@dataclass(frozen=True, **_SLOTS)
class Request:
    """A text to speak, and how to speak it. It is checked by :meth:`validate`, and by the engine.

    None is refused for every field, as ``null`` is in JSON: a field that is left out has its default.

    Parameters
    ----------
    text : str
        1 to 1,000 characters, none of them NUL.
    language : str
        ``"en-US"`` or ``"hi-IN"``.
    voice : str
        ``"aria"``, ``"jason"``, ``"john"``, ``"leo"`` or ``"sofia"``.
    format : str
        How a service or a program delivers the speech: ``"wav"``, one file, or ``"pcm"``, raw samples by sentence. An
        engine ignores it: :meth:`Engine.synthesize` gives the whole speech, and :meth:`Engine.stream` its sentences.
    latency : str
        ``"standard"``, or ``"low"`` for :meth:`Engine.stream`: then the first half second of a long first sentence
        comes before the rest is computed. :meth:`Engine.synthesize` refuses ``"low"``.
    read_emoji : bool
        Whether emoji are read by their names; else they are skipped, and listed in the diagnostics.
    read_romanized_hindi : bool
        Whether Hindi that is typed in Latin letters is read as Hindi; else its words are read as English ones.
    rate : float
        How fast it is read, 0.5 to 2: a factor of the voice's own speed.
    pitch : float
        How much higher than the voice's own the pitch is, -6 to 6 semitones.
    volume : float
        How much louder than the voice's own it is, -40 to 12 dB. Every sentence gets the same gain, and a limiter keeps
        peaks from being clipped.
    ssml : bool
        Whether the text is a document of SSML 1.1.
    read_pauses : bool
        Whether ``[pause 500ms]`` and ``[pause 1.5s]`` in the text are pauses.
    quality : str
        Which networks compute the speech: ``"full"``, ``"fast"`` (the timings and the melody of ``"full"`` at a
        fraction of its cost) or ``"light"`` (for phones, boards and long texts). ``"auto"`` is the best of them that
        the voice bundle has for the voice and the language. :meth:`Engine.qualities` lists what it has; the rest is
        refused.
    """

    text: str
    language: Language = "en-US"
    voice: VoiceId = "aria"
    format: Format = "wav"
    latency: Latency = "standard"
    read_emoji: bool = False
    read_romanized_hindi: bool = True
    rate: float = 1.0
    pitch: float = 0.0
    volume: float = 0.0
    ssml: bool = False
    read_pauses: bool = True
    quality: Quality = "auto"

    @classmethod
    def from_json(cls, body: str | bytes | bytearray) -> Request:
        """Reads a request from the JSON that a service receives. Unknown fields are ignored.

        Raises
        ------
        InvalidRequestError
            For malformed JSON, invalid UTF-8, a missing ``text``, a field of the wrong type or given twice, and an
            unsupported value.
        EmptyTextError, TextTooLongError
            For an unsupported value beside such a text, which is reported first.

        Examples
        --------
        >>> import libspeech
        >>> libspeech.Request.from_json('{"text": "Hello.", "voice": "leo", "mood": "glad"}').voice
        'leo'
        """
        json_bytes = _bytes(body)
        _libspeech.check_json(json_bytes)
        values = json.loads(json_bytes)
        return cls(**{field.name: values[field.name] for field in fields(cls) if field.name in values})

    def validate(self) -> None:
        """Raises an error if no engine can speak it.

        Raises
        ------
        EmptyTextError, TextTooLongError, InvalidRequestError
        """
        _libspeech.validate(native_fields(self))


def native_fields(request: Request) -> RequestFields:
    """The fields of a request for the native module, which are of the right types."""
    string, number, flag = _checks.string, _checks.number, _checks.flag
    return (
        string("text", request.text),
        (
            string("language", request.language),
            string("voice", request.voice),
            string("format", request.format),
            string("latency", request.latency),
            string("quality", request.quality),
        ),
        (number("rate", request.rate), number("pitch", request.pitch), number("volume", request.volume)),
        (
            flag("read_emoji", request.read_emoji),
            flag("read_romanized_hindi", request.read_romanized_hindi),
            flag("ssml", request.ssml),
            flag("read_pauses", request.read_pauses),
        ),
    )


def merged(text: str | Request, options: Request) -> Request:
    """The request of a call that takes either a request or its fields, which are those of ``options``."""
    if not isinstance(text, Request):
        return replace(options, text=text)
    if options != Request(""):
        raise InvalidRequestError("a Request has its own language, voice and options")
    return text


def _bytes(body: object) -> bytes:
    if isinstance(body, str):
        # A lone surrogate becomes invalid UTF-8, which is refused.
        return body.encode("utf-8", "surrogatepass")
    if isinstance(body, (bytes, bytearray)):
        return bytes(body)
    raise WrongTypeError("the body must be a string or bytes")
