"""Checks of every response that schemathesis gets, for rules that the OpenAPI document cannot express."""

from __future__ import annotations

import json
import struct
import uuid
from typing import Any

import schemathesis
from schemathesis import CheckContext, DeserializationContext, HookContext, Response

Case = schemathesis.Case[Any]

ENCODINGS = {
    "pcm16": ("audio/L16", 1, 2),
    "float32": ("application/octet-stream", 3, 4),
    "mulaw": ("audio/PCMU", 7, 1),
    "alaw": ("audio/PCMA", 6, 1),
}
"""The content type of raw samples, the number of the encoding in a file, and the bytes of a sample."""

STATUSES = {
    "empty_text": 400,
    "text_too_long": 400,
    "invalid_request": 400,
    "unauthorized": 401,
    "method_not_allowed": 405,
    "unsupported_media_type": 415,
}
"""The errors that a generated request can cause."""


@schemathesis.deserializer("audio/wav", *(kind for kind, _, _ in ENCODINGS.values()))
def sound(_context: DeserializationContext, response: Response) -> str:
    """The samples as the document describes them: bytes, not text."""
    return response.content.decode("latin-1")


@schemathesis.deserializer("application/x-ndjson")
def lines(_context: DeserializationContext, response: Response) -> object:
    """The last line, which every response in lines has: the document describes a single line."""
    return json.loads(response.content.splitlines()[-1])


@schemathesis.hook
def filter_case(_context: HookContext, case: Case) -> bool:
    """Whether to send a case. Leaves out requests that the service rejects for reasons in the document's prose alone:
    low latency of a file, invalid SSML, unavailable qualities, invalid readings, unknown lexicons, and keys of earlier
    requests. The service's own tests check these."""
    if "Idempotency-Key" in (case.headers or {}):
        return False
    body = case.body
    if not isinstance(body, dict):
        return True
    if body.get("ssml") is True or body.get("quality") in ("fast", "light"):
        return False
    if body.get("pronunciations") or body.get("lexicons"):
        return False
    return not (body.get("latency") == "low" and body.get("format", "wav") == "wav")


@schemathesis.check
def named(_context: CheckContext, response: Response, _case: Case) -> None:
    """Every response has its own identifier."""
    uuid.UUID(header(response, "x-request-id"))


@schemathesis.check
def refused_in_the_envelope(_context: CheckContext, response: Response, _case: Case) -> None:
    """An error has a type and a message of the contract, and the identifier of the response."""
    if response.status_code < 400:
        return
    assert header(response, "content-type") == "application/json"
    error = response.json()["error"]
    assert STATUSES.get(error["type"]) == response.status_code, error
    assert error["message"]
    assert error["request_id"] == header(response, "x-request-id")
    if response.status_code == 401:
        assert header(response, "www-authenticate") == "Bearer"


@schemathesis.check
def spoken_as_asked(_context: CheckContext, response: Response, case: Case) -> None:
    """Speech has the requested format and the number of characters, and is complete."""
    if case.path != "/v1/speech" or response.status_code != 200:
        return
    assert isinstance(case.body, dict)
    rate, encoding = int(case.body.get("sample_rate", 22_050)), str(case.body.get("encoding", "pcm16"))
    is_file = case.body.get("format", "wav") == "wav"
    assert header(response, "content-type") == ("audio/wav" if is_file else ENCODINGS[encoding][0])
    assert header(response, "x-sample-rate") == str(rate)
    assert header(response, "x-characters") == str(len(str(case.body["text"])))
    assert header(response, "server-timing").startswith("first-audio;dur=")
    assert samples(is_file, rate, encoding, response.content) > 0


def header(response: Response, name: str) -> str:
    """The only value of a header."""
    values = response.headers.get(name, [])
    assert len(values) == 1, f"{name}: {values}"
    return str(values[0])


def samples(is_file: bool, rate: int, encoding: str, body: bytes) -> int:
    """The number of samples in a body, whose header is checked if it is a file."""
    _, code, size = ENCODINGS[encoding]
    if not is_file:
        assert len(body) % size == 0
        return len(body) // size
    assert body[:4] == b"RIFF" and body[8:16] == b"WAVEfmt "
    assert struct.unpack("<I", body[4:8]) == (len(body) - 8,)
    assert struct.unpack("<HHIIHH", body[20:36]) == (code, 1, rate, rate * size, size, 8 * size)
    header = 44 if encoding == "pcm16" else 58
    tag, length = struct.unpack("<4sI", body[header - 8 : header])
    assert tag == b"data" and len(body) == header + length + length % 2
    assert length % size == 0
    return int(length) // size
