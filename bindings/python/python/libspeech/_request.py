"""Request options, and requests to a service in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypedDict, Unpack, cast, get_type_hints

from libspeech import _checks, _libspeech
from libspeech._choices import Encoding, Format, Language, Latency, Quality, SampleRate, VoiceId
from libspeech._errors import WrongTypeError
from libspeech._lexicon import Lexicon
from libspeech._native_types import OptionValue, RequestFields


class LiveOptions(TypedDict, total=False):
    """The settings of a live or a long text: the keyword arguments of :meth:`Engine.live` and similar methods.

    An omitted option has its default. None is rejected for every option, as ``null`` is in JSON.

    Attributes
    ----------
    language : str
        ``"en-US"``, the default, or ``"hi-IN"``.
    voice : str
        ``"aria"``, the default, ``"jason"``, ``"john"``, ``"leo"`` or ``"sofia"``.
    latency : str
        ``"standard"``, the default, or ``"low"``: the first half second of a long first sentence is returned before the
        rest is computed. It sounds slightly different, and fades into the rest. In live text, the beginning of a
        sentence is spoken before its end has arrived, if no other audio is left to play. :meth:`Engine.synthesize`
        rejects ``"low"``.
    quality : str
        The networks that compute the speech: ``"full"``, ``"fast"`` (the timings and the melody of ``"full"`` at a
        fraction of its cost) or ``"light"`` (for phones, boards and long texts). ``"auto"``, the default, is the best
        of them that the voice bundle has for the voice and the language. :meth:`Engine.qualities` lists the available
        ones; others are rejected.
    rate : float
        The speaking rate, 0.5 to 2: a factor of the voice's natural rate. 1 by default.
    pitch : float
        The pitch relative to the voice's own, -6 to 6 semitones. 0 by default.
    volume : float
        The volume relative to the voice's own, -40 to 12 dB. 0 by default. Every sentence gets the same gain, and a
        limiter prevents clipping.
    read_pauses : bool
        Whether ``[pause 500ms]`` and ``[pause 1.5s]`` in the text are pauses. True by default.
    read_emoji : bool
        Whether emoji are read by name; otherwise they are skipped, and listed in the diagnostics. False by default.
    read_romanized_hindi : bool
        Whether romanized Hindi is read as Hindi; otherwise its words are read as English. True by default.
    pronunciations : mapping of str to str
        Words and their readings in this request. They take precedence over those of :class:`Engine`. At most 200,
        together at most 16,384 bytes.
    lexicons : sequence of Lexicon
        Lexicons of the request. They are searched after its pronunciations, and before those of the engine.
    sample_rate : int
        The sample rate in hertz: 8000, 16000, 22050 (the default), 24000, 44100 or 48000. Speech is computed at 24,000
        Hz, and resampled once to other rates.
    encoding : str
        The encoding of ``samples``, ``data`` and ``wav`` of the audio: ``"pcm16"``, the default; ``"float32"``, from -1
        to 1; ``"mulaw"`` or ``"alaw"``, 8-bit telephone codes (G.711).

    Examples
    --------
    >>> import libspeech
    >>> calm: libspeech.LiveOptions = {"voice": "leo", "rate": 0.9}
    >>> libspeech.Engine().stream_long("Take your time.", **calm).characters
    15
    """

    language: Language
    voice: VoiceId
    latency: Latency
    quality: Quality
    rate: float
    pitch: float
    volume: float
    read_pauses: bool
    read_emoji: bool
    read_romanized_hindi: bool
    pronunciations: Mapping[str, str]
    lexicons: Sequence[Lexicon]
    sample_rate: SampleRate
    encoding: Encoding


class RequestOptions(LiveOptions, total=False):
    """The settings of a text: the keyword arguments of the other speaking methods, and of :func:`validate`.

    It has all attributes of :class:`LiveOptions`, and one more.

    Attributes
    ----------
    ssml : bool
        Whether the text is an SSML 1.1 document. False by default.

    Examples
    --------
    >>> import libspeech
    >>> calm: libspeech.RequestOptions = {"ssml": True, "rate": 0.9}
    >>> libspeech.Engine().synthesize("<speak>Take your time.</speak>", **calm).characters
    30
    """

    ssml: bool


def _lexicons(name: str, value: object) -> list[_libspeech.Lexicon]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise WrongTypeError(f"{name} must be a sequence of lexicons")
    lexicons = [lexicon._native for lexicon in value if isinstance(lexicon, Lexicon)]
    if len(lexicons) < len(value):
        raise WrongTypeError(f"{name} must be a sequence of lexicons")
    return lexicons


_OF_TYPES: dict[object, Callable[[str, object], OptionValue]] = {
    bool: _checks.flag,
    float: _checks.number,
    # The core's message lists the supported rates, also for 0.
    SampleRate: lambda name, value: _checks.count(name, value, 0, 2**32 - 1),
    Mapping[str, str]: _checks.pronunciations,
    Sequence[Lexicon]: _lexicons,
}

#: The check of each option. A value from a closed set is a string.
_CHECKS = {name: _OF_TYPES.get(type_, _checks.string) for name, type_ in get_type_hints(RequestOptions).items()}


class ServiceRequest(NamedTuple):
    """A client's request to a service, in JSON.

    Attributes
    ----------
    text : str
        The text.
    format : str
        How the speech is delivered: ``"wav"``, one file, or ``"pcm"``, raw samples by sentence.
    options : RequestOptions
        The options set by the client.
    """

    text: str
    format: Format
    options: RequestOptions

    @classmethod
    def from_json(cls, body: str | bytes | bytearray) -> ServiceRequest:
        """Parses the JSON that a service receives. Unknown fields are ignored.

        Raises
        ------
        InvalidRequestError
            For malformed JSON, invalid UTF-8, a missing ``text``, a field of the wrong type or given twice, and an
            unsupported value.
        EmptyTextError, TextTooLongError
            If the text is empty or too long; this takes precedence over an unsupported value.

        Examples
        --------
        >>> import libspeech
        >>> request = libspeech.ServiceRequest.from_json('{"text": "Hello.", "voice": "leo", "mood": "glad"}')
        >>> request
        ServiceRequest(text='Hello.', format='wav', options={'voice': 'leo'})
        >>> libspeech.Engine().synthesize(request.text, **request.options).characters
        6
        """
        json_bytes = _bytes(body)
        _libspeech.check_json(json_bytes)
        values = json.loads(json_bytes)
        # A service adds its own lexicons.
        options = {name: values[name] for name in _CHECKS if name in values and name != "lexicons"}
        return cls(values["text"], values.get("format", "wav"), cast(RequestOptions, options))


def validate(text: str, **options: Unpack[RequestOptions]) -> None:
    """Raises the error that an engine would raise for a text and its options, without an engine.

    Raises
    ------
    EmptyTextError, TextTooLongError, InvalidRequestError

    Examples
    --------
    >>> import libspeech
    >>> libspeech.validate("Hello.", voice="leo")
    """
    _libspeech.validate(native_fields(text, options))


def native_fields(text: object, options: Mapping[str, object]) -> RequestFields:
    """A request for the native module, with values of the right types."""
    checked = _checks.string("text", text)
    unknown = options.keys() - _CHECKS.keys()
    if unknown:
        raise WrongTypeError(f"there is no option {min(unknown)}")
    values = {name: check(name, options[name]) for name, check in _CHECKS.items() if name in options}
    return checked, [(name, value) for name, value in values.items() if value != []]


class Output(NamedTuple):
    """The sample rate and the encoding of a request."""

    sample_rate: int
    encoding: Encoding

    @classmethod
    def of(cls, options: LiveOptions) -> Output:
        """From checked options."""
        return cls(options.get("sample_rate", _libspeech.SAMPLE_RATE), options.get("encoding", "pcm16"))


def _bytes(body: object) -> bytes:
    if isinstance(body, str):
        # A lone surrogate becomes invalid UTF-8, which is rejected.
        return body.encode("utf-8", "surrogatepass")
    if isinstance(body, (bytes, bytearray)):
        return bytes(body)
    raise WrongTypeError("the body must be a string or bytes")
