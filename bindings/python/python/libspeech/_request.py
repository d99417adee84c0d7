"""What is to be spoken, and how."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields

from libspeech import _checks, _libspeech
from libspeech._errors import InvalidRequestError, WrongTypeError
from libspeech._raw import Fields


@dataclass(frozen=True)
class Request:
    """A text to speak and how to speak it. What it holds is checked by whatever speaks it.

    Parameters
    ----------
    text : str
        1 to 1,000 characters.
    language : str
        ``"en-US"`` or ``"hi-IN"``.
    voice : str
        ``"aria"``, ``"jason"``, ``"john"``, ``"leo"`` or ``"sofia"``.
    format : str
        ``"wav"``, or ``"pcm"`` for a stream.
    latency : str
        ``"standard"``, or ``"low"``: with the format ``"pcm"`` the first half second of a long first sentence comes before
        the rest is computed.
    read_emoji : bool
        Whether emoji are read by their names; else they are skipped, and listed in the diagnostics.
    """

    text: str
    language: str = "en-US"
    voice: str = "aria"
    format: str = "wav"
    latency: str = "standard"
    read_emoji: bool = False

    @classmethod
    def from_json(cls, body: str | bytes | bytearray) -> Request:
        """Reads a request from the JSON that a service is sent. Fields that it does not know are ignored.

        Raises
        ------
        InvalidRequestError
            For malformed JSON, invalid UTF-8, a missing ``text`` and a field that is no string.

        Examples
        --------
        >>> import libspeech
        >>> libspeech.Request.from_json('{"text": "Hello.", "voice": "leo", "mood": "glad"}').voice
        'leo'
        """
        json_bytes = _bytes(body)
        _libspeech.check_request(json_bytes)
        values = json.loads(json_bytes)
        names = [field.name for field in fields(cls) if field.name != "read_emoji"]
        return cls(**{name: values[name] for name in names if name in values})

    def validate(self) -> None:
        """Raises what speaking it would refuse.

        Raises
        ------
        EmptyTextError, TextTooLongError, InvalidRequestError
        """
        _libspeech.validate(self._fields())

    def _fields(self) -> Fields:
        return (
            _checks.string("text", self.text),
            _checks.string("language", self.language),
            _checks.string("voice", self.voice),
            _checks.string("format", self.format),
            _checks.string("latency", self.latency),
            _checks.flag("read_emoji", self.read_emoji),
        )


def _bytes(body: object) -> bytes:
    if isinstance(body, str):
        # Half a surrogate pair becomes invalid UTF-8, and is refused as such.
        return body.encode("utf-8", "surrogatepass")
    if isinstance(body, (bytes, bytearray)):
        return bytes(body)
    raise WrongTypeError("the body must be a string or bytes")


def request(
    text: str | Request,
    language: str,
    voice: str,
    *,
    format: str,
    latency: str,
    read_emoji: bool,
) -> Fields:
    """The fields of a request that comes as a whole or in parts."""
    if not isinstance(text, Request):
        return Request(text, language, voice, format, latency, read_emoji)._fields()
    alone = Request(text.text, format=format)
    if Request(text.text, language, voice, format, latency, read_emoji) != alone:
        raise InvalidRequestError("a Request has its own language, voice and options")
    return text._fields()
