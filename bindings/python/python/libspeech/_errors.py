"""The errors: one root, and a class for each kind in the library's table."""

from __future__ import annotations

import json
from pathlib import Path

from libspeech import _libspeech

#: Whether a retry may succeed, and the HTTP status, by type.
_KINDS: dict[str, tuple[bool, int | None]] = {type_: (retry, status) for type_, retry, status in _libspeech.ERROR_KINDS}

#: The class of each type.
_CLASSES: dict[str, type[SpeechError]] = {}

#: Messages that replace the core's, by detail: the core does not know how Python packages are installed.
_MESSAGES = {
    "bundle_not_found": (
        "no voice bundle: run `pip install libspeech-sdk-voices` or `python -m libspeech fetch`,"
        " pass the directory of a bundle, or set SPEECH_BUNDLE"
    )
}


class SpeechError(Exception):
    """The root of all errors of the library.

    A service defines its own errors as subclasses. A subclass whose ``type`` is one of the library's gets the
    properties of that type.

    ``str(error)`` is the message for people. It contains no part of the text.

    Attributes
    ----------
    type : str
        The machine-readable type, such as ``"text_too_long"``.
    retryable : bool
        Whether the same request may succeed later.
    http_status : int or None
        The HTTP status for a service's response; None for errors that never reach HTTP.
    request_id : str
        The identifier of the failed request, a UUID.
    detail : str or None
        The exact cause, where a program may want to know it: ``"bundle_not_found"``, ``"file_missing"``,
        ``"file_damaged"``, ``"file_unreadable"``, ``"bundle_too_old"``, ``"bundle_too_new"``, ``"incompatible_model"``,
        ``"unsupported_backend"``, ``"latency_needs_stream"``, ``"quality_not_in_bundle"``. Later versions may add
        others.
    path : Path or None
        The file of the voice bundle at fault.
    advice : str or None
        Advice for the user, as a key: ``"install_voices"``, ``"check_bundle_path"``, ``"reinstall_voices"``,
        ``"update_voices"``, ``"update_library"``, ``"split_text"``, ``"use_stream"``. Later versions may add others.

    Examples
    --------
    >>> import libspeech
    >>> try:
    ...     libspeech.validate("")
    ... except libspeech.SpeechError as error:
    ...     print(error.type, error.http_status, error)
    empty_text 400 text is empty
    """

    type: str = "internal"
    retryable: bool = False
    http_status: int | None = 500

    def __init_subclass__(cls, **kwargs: object) -> None:
        """Takes the properties of the type from the core's table."""
        super().__init_subclass__(**kwargs)
        if cls.type in _KINDS:
            cls.retryable, cls.http_status = _KINDS[cls.type]
            _CLASSES.setdefault(cls.type, cls)

    def __init__(
        self,
        message: str,
        *,
        request_id: str | None = None,
        detail: str | None = None,
        path: Path | None = None,
        advice: str | None = None,
    ) -> None:
        super().__init__(message)
        self.request_id: str = _libspeech.request_id() if request_id is None else request_id
        self.detail = detail
        self.path = path
        self.advice = advice

    @property
    def message(self) -> str:
        """The message for people."""
        return str(self.args[0])

    def to_json(self) -> str:
        """The error as JSON for a service's response: its type, message and request identifier."""
        body = {"type": self.type, "message": self.message, "request_id": self.request_id}
        return json.dumps({"error": body}, ensure_ascii=False, separators=(",", ":"))


class EmptyTextError(SpeechError, ValueError):
    """The text is empty or only whitespace."""

    type: str = "empty_text"


class TextTooLongError(SpeechError, ValueError):
    """The text has more than :data:`MAX_CHARACTERS` characters; :func:`split_text` splits it."""

    type: str = "text_too_long"


class InvalidRequestError(SpeechError, ValueError):
    """An unsupported language, voice or option, or a malformed request.

    A value of the wrong Python type is also a :class:`TypeError`.
    """

    type: str = "invalid_request"


class WrongTypeError(InvalidRequestError, TypeError):
    """A value of the wrong Python type."""


class InvalidTierError(SpeechError, ValueError):
    """A latency tier that does not exist, or that this deployment cannot serve."""

    type: str = "invalid_tier"


class ModelError(SpeechError):
    """The voice bundle is missing, damaged or of the wrong version."""

    type: str = "model_error"


class InternalError(SpeechError):
    """A failure of the library itself."""

    type: str = "internal"


class CancelledError(SpeechError):
    """The synthesis was cancelled: its engine or stream was closed, or the interpreter is shutting down."""

    type: str = "cancelled"


def _from_core(
    type_: str, message: str, request_id: str, detail: str | None, path: str | None, advice: str | None
) -> SpeechError:
    """The exception for an error of the core."""
    return _CLASSES[type_](
        message if detail is None else _MESSAGES.get(detail, message),
        request_id=request_id,
        detail=detail,
        path=None if path is None else Path(path),
        advice=advice,
    )


def from_core(type_: str, message: str) -> SpeechError:
    """The exception for an error of a stored result."""
    return _CLASSES[type_](message)


_libspeech.set_exception_factory(_from_core)
