"""Values as callers give them, before the library reads them."""

from __future__ import annotations

from libspeech._errors import InvalidRequestError, WrongTypeError


def string(name: str, value: object) -> str:
    """A string that is valid Unicode."""
    if not isinstance(value, str):
        raise WrongTypeError(f"{name} must be a string")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        half = f"{name} has half a surrogate pair at character {error.start}"
        raise InvalidRequestError(half) from None
    return value


def optional_string(name: str, value: object) -> str | None:
    """The same, or None."""
    return None if value is None else string(name, value)


def flag(name: str, value: object) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise WrongTypeError(f"{name} must be True or False")
    return value


def count(name: str, value: object, low: int, high: int) -> int:
    """A whole number in a range."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise WrongTypeError(f"{name} must be a whole number")
    if not low <= value <= high:
        raise InvalidRequestError(f"{name} must be a whole number from {low} to {high}")
    return value


def optional_count(name: str, value: object, low: int, high: int) -> int | None:
    """The same, or None."""
    return None if value is None else count(name, value, low, high)
