"""What the contract says and the OpenAPI document cannot: checks of every answer that schemathesis gets."""

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
"""The refusals that a generated request can meet."""


@schemathesis.deserializer("audio/wav", *(kind for kind, _, _ in ENCODINGS.values()))
def sound(_context: DeserializationContext, response: Response) -> str:
    """The samples, as the document describes them: bytes that are no text."""
    return response.content.decode("latin-1")


@schemathesis.deserializer("application/x-ndjson")
def lines(_context: DeserializationContext, response: Response) -> object:
    """The line that every answer in lines has, the last: the document describes one line."""
    return json.loads(response.content.splitlines()[-1])


@schemathesis.hook
def filter_case(_context: HookContext, case: Case) -> bool:
    """Leaves out low latency of a file, SSML of a text that is none, qualities that the bundle may lack, readings that are
    none, lexicons that are not there, and keys that another request may have had: they are refused, which the document says in
    words and the service's tests check."""
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
    """Every answer has an identifier of its own."""
    uuid.UUID(header(response, "x-request-id"))


@schemathesis.check
def refused_in_the_envelope(_context: CheckContext, response: Response, _case: Case) -> None:
    """A refusal says what went wrong, in the words of the contract, under the identifier of the answer."""
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
    """Speech is in the format that was asked for, counts the characters, and is whole."""
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
    """How many there are."""
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
