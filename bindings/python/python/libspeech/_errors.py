"""The errors: one root, and a class for each kind of the library's table."""

from __future__ import annotations

import json

from libspeech import _libspeech


class SpeechError(Exception):
    """What went wrong, as far as a caller can act on it.

    Every failure of the library is one of its subclasses. ``str(error)`` is the message for people; the text that was
    to be spoken is never whole in it.

    Attributes
    ----------
    type : str
        The machine-readable type, such as ``"text_too_long"``.
    retryable : bool
        Whether the same request may succeed later.
    http_status : int or None
        The status that a service answers with; None for what never reaches one.
    request_id : str
        The identifier of the request that failed, a UUID.

    Examples
    --------
    >>> import libspeech
    >>> try:
    ...     libspeech.Request("").validate()
    ... except libspeech.SpeechError as error:
    ...     print(error.type, error.http_status, error)
    empty_text 400 text is empty
    """

    type: str = "internal"
    retryable: bool = False
    http_status: int | None = 500

    def __init__(self, message: str, *, request_id: str | None = None) -> None:
        super().__init__(message)
        self.request_id: str = _libspeech.request_id() if request_id is None else request_id

    @property
    def message(self) -> str:
        """The message for people."""
        return str(self.args[0])

    def to_json(self) -> str:
        """The error as a service sends it: an object ``error`` with ``type``, ``message`` and ``request_id``."""
        body = {"type": self.type, "message": self.message, "request_id": self.request_id}
        return json.dumps({"error": body}, ensure_ascii=False, separators=(",", ":"))


class EmptyTextError(SpeechError, ValueError):
    """The text is empty or only white space."""

    type: str = "empty_text"


class TextTooLongError(SpeechError, ValueError):
    """The text has more than :data:`MAX_CHARACTERS` characters; :func:`split_text` cuts it."""

    type: str = "text_too_long"


class InvalidRequestError(SpeechError, ValueError):
    """An unsupported language, voice or option, or a malformed request.

    For a value of the wrong Python type it is a :class:`TypeError` too.
    """

    type: str = "invalid_request"


class WrongTypeError(InvalidRequestError, TypeError):
    """A value of the wrong Python type."""


class InvalidTierError(SpeechError, ValueError):
    """A latency tier that is unknown, or that this deployment cannot serve."""

    type: str = "invalid_tier"


class UnauthorizedError(SpeechError):
    """A missing or wrong API key. Services raise it; the library does not."""

    type: str = "unauthorized"


class NotFoundError(SpeechError):
    """No such resource. Services raise it; the library does not."""

    type: str = "not_found"


class MethodNotAllowedError(SpeechError):
    """The resource does not answer to this method. Services raise it; the library does not."""

    type: str = "method_not_allowed"


class RequestTooLargeError(SpeechError):
    """The body of the request is over the limit. Services raise it; the library does not."""

    type: str = "request_too_large"


class UnsupportedMediaTypeError(SpeechError):
    """The body of the request is of a type that is not read. Services raise it; the library does not."""

    type: str = "unsupported_media_type"


class OverloadedError(SpeechError):
    """Too much is asked for at once: try again later. Services raise it; the library does not."""

    type: str = "overloaded"


class ModelError(SpeechError):
    """The voice bundle is missing, damaged or of the wrong version."""

    type: str = "model_error"


class InternalError(SpeechError):
    """Anything else that is our fault."""

    type: str = "internal"


class CancelledError(SpeechError):
    """The synthesis was stopped: by closing its engine or stream, or because the interpreter ends."""

    type: str = "cancelled"


_KINDS: dict[str, type[SpeechError]] = {kind.type: kind for kind in SpeechError.__subclasses__()}
for _type, _retryable, _http_status in _libspeech.ERROR_KINDS:
    _KINDS[_type].retryable = _retryable
    _KINDS[_type].http_status = _http_status


def of_core(type_: str, message: str, request_id: str) -> SpeechError:
    """The exception for an error of the core."""
    return _KINDS[type_](message, request_id=request_id)


_libspeech.raise_by(of_core)
