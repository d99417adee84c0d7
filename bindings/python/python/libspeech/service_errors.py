"""The errors that only services raise.

The library raises none of them. An application that offers speech over a network raises them, so that its refusals look
like those of the library: ``error.to_json()`` is the body, and ``error.http_status`` the status.

>>> from libspeech.service_errors import OverloadedError
>>> error = OverloadedError("too many requests at once")
>>> error.type, error.http_status, error.retryable
('overloaded', 503, True)
"""

from __future__ import annotations

from libspeech._errors import SpeechError

__all__ = [
    "MethodNotAllowedError",
    "NotFoundError",
    "OverloadedError",
    "RequestTooLargeError",
    "UnauthorizedError",
    "UnsupportedMediaTypeError",
]


class UnauthorizedError(SpeechError):
    """A missing or wrong API key."""

    type: str = "unauthorized"


class NotFoundError(SpeechError):
    """No such resource."""

    type: str = "not_found"


class MethodNotAllowedError(SpeechError):
    """The resource does not support the method."""

    type: str = "method_not_allowed"


class RequestTooLargeError(SpeechError):
    """The body of the request is over the limit."""

    type: str = "request_too_large"


class UnsupportedMediaTypeError(SpeechError):
    """The body of the request is of a type that is not supported."""

    type: str = "unsupported_media_type"


class OverloadedError(SpeechError):
    """Too many requests at once: try again later."""

    type: str = "overloaded"
