"""Checks the callers' arguments before they are passed to the native module."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import cast, get_args

from libspeech._choices import Encoding
from libspeech._errors import InvalidRequestError, WrongTypeError


def string(name: str, value: object) -> str:
    """A string that is valid Unicode."""
    if not isinstance(value, str):
        raise WrongTypeError(f"{name} must be a string")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        place = error.start
    else:
        return value
    # Raise it outside the `except` block: the caught exception holds the text, and would become the context.
    raise InvalidRequestError(f"{name} has a lone surrogate at character {place}")


def optional_string(name: str, value: object) -> str | None:
    """A string that is valid Unicode, or None."""
    return None if value is None else string(name, value)


def encoding(name: str, value: object) -> Encoding:
    """An encoding."""
    if string(name, value) not in get_args(Encoding):
        raise InvalidRequestError(f"unsupported {name}; use {', '.join(get_args(Encoding))}")
    return cast(Encoding, value)


def sample_rate(name: str, value: object) -> int:
    """A sample rate. The core checks whether it is supported."""
    return count(name, value, 1, 2**32 - 1)


def pronunciations(name: str, value: object) -> list[tuple[str, str]]:
    """Words and their readings."""
    if not isinstance(value, Mapping):
        raise WrongTypeError(f"{name} must be a mapping of strings to strings")
    return [
        (string("the words of a pronunciation", words), string("a pronunciation", reading))
        for words, reading in value.items()
    ]


def flag(name: str, value: object) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise WrongTypeError(f"{name} must be True or False")
    return value


def optional_flag(name: str, value: object) -> bool | None:
    """True, False or None."""
    return None if value is None else flag(name, value)


def number(name: str, value: object) -> float:
    """A number, including NumPy numbers and fractions."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise WrongTypeError(f"{name} must be a number")
    try:
        return float(value)
    except OverflowError:
        return -math.inf if value < 0 else math.inf


def count(name: str, value: object, low: int, high: int) -> int:
    """An integer in a range."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise WrongTypeError(f"{name} must be an integer")
    if not low <= value <= high:
        raise InvalidRequestError(f"{name} must be an integer from {low} to {high}")
    return value


def optional_count(name: str, value: object, low: int, high: int) -> int | None:
    """An integer in a range, or None."""
    return None if value is None else count(name, value, low, high)
