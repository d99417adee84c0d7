"""The voices and the languages."""

from __future__ import annotations

import json
from typing import NamedTuple

from libspeech import _libspeech
from libspeech._choices import Language, VoiceId


class Voice(NamedTuple):
    """A voice. Each speaks every language.

    Attributes
    ----------
    id : str
        The identifier used in requests, such as ``"aria"``.
    name : str
        The display name, such as ``"Aria"``.
    """

    id: VoiceId
    name: str


class VoiceListing(NamedTuple):
    """The voices, the languages, and the limits of a request.

    Attributes
    ----------
    languages : tuple of str
        BCP 47 tags, such as ``"en-US"``.
    voices : tuple of Voice
        The voices.
    default_voice : str
        The voice of a request that names none.
    sample_rate : int
        The default sample rate of all audio, in hertz.
    max_characters : int
        The longest text of one request, in characters.
    """

    languages: tuple[Language, ...]
    voices: tuple[Voice, ...]
    default_voice: VoiceId
    sample_rate: int
    max_characters: int

    def to_json(self) -> str:
        """The listing as JSON, for a service's response."""
        return _libspeech.voices()


def voices() -> VoiceListing:
    """The voices, the languages and the limits. No voice bundle is needed.

    Examples
    --------
    >>> import libspeech
    >>> [voice.id for voice in libspeech.voices().voices]
    ['aria', 'jason', 'john', 'leo', 'sofia']
    """
    listing = json.loads(_libspeech.voices())
    return VoiceListing(
        tuple(listing["languages"]),
        tuple(Voice(voice["id"], voice["name"]) for voice in listing["voices"]),
        listing["default_voice"],
        listing["sample_rate"],
        listing["max_characters"],
    )
