"""The latency tiers of the audio-to-text side: price, lookahead and availability."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from libspeech import _checks, _libspeech
from libspeech._choices import UseCase
from libspeech._errors import InvalidRequestError, WrongTypeError

#: Left and right, in encoder frames of 80 ms.
Context = tuple[int, int]

_ROWS: dict[str, tuple[Context, int, int]] = {
    name: (context, rate, latency) for name, context, rate, latency in _libspeech.TIERS
}

_BILLION = 10**9


class Tier(StrEnum):
    """A latency tier: how much audio the encoder waits for before it commits to text. A shorter wait costs more.

    ``ultra`` or ``turbo`` when a person waits in mid-sentence, ``turbo`` when a person waits for a whole utterance,
    ``economy`` when nothing waits, ``standard`` otherwise. A tier is a string too: ``Tier.TURBO == "turbo"``.

    Examples
    --------
    >>> import libspeech
    >>> libspeech.Tier.TURBO.latency_ms, libspeech.Tier.TURBO.charge(60)
    (320, 6000)
    """

    ULTRA = "ultra"
    TURBO = "turbo"
    STANDARD = "standard"
    ECONOMY = "economy"

    @property
    def att_context_size(self) -> Context:
        """The encoder's attention context in frames of 80 ms: left, right."""
        return _ROWS[self.value][0]

    @property
    def rate_micros(self) -> int:
        """The price of a second of audio, in millionths of a US dollar, before any rebate."""
        return _ROWS[self.value][1]

    @property
    def latency_ms(self) -> int:
        """The lookahead in milliseconds; network time and the client's frame length add to it."""
        return _ROWS[self.value][2]

    @property
    def lookahead(self) -> float:
        """The lookahead in seconds."""
        return self.latency_ms / 1000

    def charge(self, seconds: int | float | Fraction | Decimal | timedelta) -> int:
        """The price of a duration of audio, in millionths of a US dollar, before any rebate.

        Exact, and rounded up once, at the end. So charge a recording as a whole, not as the sum of its parts.

        Parameters
        ----------
        seconds : int, float, Fraction, Decimal or timedelta
            The duration in seconds, rounded to nanoseconds. :meth:`charge_samples` is exact.

        Raises
        ------
        InvalidRequestError
            For a negative duration, and for a value that is not a number.

        Examples
        --------
        >>> import libspeech
        >>> libspeech.Tier.STANDARD.charge(3600), libspeech.Tier.ULTRA.charge(0.01)
        (219600, 2)
        """
        whole, nanoseconds = divmod(_nanoseconds(seconds), _BILLION)
        return _libspeech.charge(self.value, whole, nanoseconds)

    def charge_samples(self, samples: int, sample_rate: int) -> int:
        """As :meth:`charge`, for a number of samples at a sample rate in hertz."""
        samples = _checks.count("samples", samples, 0, 2**64 - 1)
        return _libspeech.charge_samples(self.value, samples, _checks.count("sample_rate", sample_rate, 1, 2**32 - 1))


class TierEntry(NamedTuple):
    """An entry of a catalog.

    Attributes
    ----------
    tier : Tier
        The tier.
    rate_micros : int
        The price in millionths of a US dollar per second of audio.
    rate_usd_per_second : float
        The price in US dollars per second of audio.
    latency_ms : int
        The lookahead in milliseconds.
    available : bool
        Whether this deployment can run the tier.
    """

    tier: Tier
    rate_micros: int
    rate_usd_per_second: float
    latency_ms: int
    available: bool


class TierCatalogue:
    """The tiers, and which of them one deployment can run.

    Attributes
    ----------
    tiers : tuple of TierEntry
        Every tier, from the least latency to the most.
    default : Tier
        The tier for no particular use case.
    """

    def __init__(self, contexts: list[Context]) -> None:
        self._contexts = contexts
        catalogue = json.loads(self.to_json())
        self.tiers: tuple[TierEntry, ...] = tuple(
            TierEntry(**{**entry, "tier": Tier(entry["tier"])}) for entry in catalogue["tiers"]
        )
        self.default: Tier = Tier(catalogue["default"])

    def resolve(self, name: str) -> Tier:
        """The tier with this name, never another one.

        Raises
        ------
        InvalidTierError
            If the tier does not exist, or this deployment cannot run it. The message names the tier.

        Examples
        --------
        >>> import libspeech
        >>> libspeech.tiers(available=[(70, 6)]).resolve("ultra")
        Traceback (most recent call last):
            ...
        libspeech.InvalidTierError: tier "ultra" is not available here
        """
        name = name.value if isinstance(name, Tier) else _checks.string("tier", name)
        return Tier(_libspeech.resolve_tier(self._contexts, name))

    def ranked_for(self, use_case: UseCase) -> list[Tier]:
        """The available tiers, the most suitable for a use case first, from which a client chooses in advance.

        Parameters
        ----------
        use_case : str
            The use: ``"mid_sentence"`` (captions, a voice agent), ``"whole_utterance"`` (dictation),
            ``"nothing_waits"`` (archives), ``"other"``.
        """
        names = _libspeech.rank_tiers(self._contexts, _checks.string("use_case", use_case))
        return [Tier(name) for name in names]

    def to_json(self) -> str:
        """The catalog as JSON, for a service's response."""
        return _libspeech.tiers(self._contexts)

    def __eq__(self, other: object) -> bool:
        return self.tiers == other.tiers if isinstance(other, TierCatalogue) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.tiers)

    def __repr__(self) -> str:
        available = ", ".join(entry.tier for entry in self.tiers if entry.available)
        return f"<TierCatalogue: {available or 'none available'}>"


def tiers(available: Iterable[Context] | None = None) -> TierCatalogue:
    """The catalog of latency tiers.

    Parameters
    ----------
    available : iterable of (int, int), optional
        The attention contexts, left and right, that this deployment can run. By default those of every tier.

    Raises
    ------
    InvalidRequestError
        For a context that is not a pair of integers.

    Examples
    --------
    >>> import libspeech
    >>> catalogue = libspeech.tiers(available=[(70, 3), (70, 6)])
    >>> [str(entry.tier) for entry in catalogue.tiers if entry.available]
    ['turbo', 'standard']
    """
    if available is None:
        return TierCatalogue([tier.att_context_size for tier in Tier])
    return TierCatalogue([_context(context) for context in _iterable(available)])


def _iterable(available: object) -> Iterable[object]:
    if isinstance(available, Iterable) and not isinstance(available, (str, bytes)):
        return available
    raise WrongTypeError("available must be pairs of integers")


def _context(context: object) -> Context:
    if not isinstance(context, (tuple, list)) or len(context) != 2:
        raise WrongTypeError("a context is a pair of integers, left and right")
    left, right = (_checks.count("a context", size, 0, 2**32 - 1) for size in context)
    return left, right


def _nanoseconds(seconds: object) -> int:
    if isinstance(seconds, timedelta):
        exact = Fraction(seconds // timedelta(microseconds=1), 10**6)
    elif isinstance(seconds, (int, float, Decimal, Fraction)) and not isinstance(seconds, bool):
        exact = _exact(seconds)
    else:
        raise WrongTypeError("seconds must be a number or a timedelta")
    nanoseconds = round(exact * _BILLION)
    if not 0 <= nanoseconds < 2**64 * _BILLION:
        raise InvalidRequestError("seconds must not be negative, nor over 2**64")
    return nanoseconds


def _exact(seconds: int | float | Decimal | Fraction) -> Fraction:
    try:
        return Fraction(seconds)
    except (ValueError, OverflowError):
        raise InvalidRequestError("seconds must be a finite number") from None
