"""What the contract says and the OpenAPI document cannot: checks of every answer that schemathesis gets."""

from __future__ import annotations

import io
import json
import uuid
import wave
from typing import Any

import schemathesis
from schemathesis import CheckContext, DeserializationContext, HookContext, Response

Case = schemathesis.Case[Any]

SAMPLE_RATE = 22_050

CONTENT_TYPES = {"wav": "audio/wav", "pcm": "audio/L16"}

STATUSES = {
    "empty_text": 400,
    "text_too_long": 400,
    "invalid_request": 400,
    "unauthorized": 401,
    "method_not_allowed": 405,
    "unsupported_media_type": 415,
}
"""The refusals that a generated request can meet."""


@schemathesis.deserializer("audio/wav", "audio/L16")
def sound(_context: DeserializationContext, response: Response) -> str:
    """The samples, as the document describes them: bytes that are no text."""
    return response.content.decode("latin-1")


@schemathesis.deserializer("application/x-ndjson")
def lines(_context: DeserializationContext, response: Response) -> object:
    """The line that every answer in lines has, the last: the document describes one line."""
    return json.loads(response.content.splitlines()[-1])


@schemathesis.hook
def filter_case(_context: HookContext, case: Case) -> bool:
    """Leaves out low latency of a file, SSML of a text that is none, and qualities that the bundle may lack: they are refused,
    which the document says in words and the service's tests check."""
    body = case.body
    if not isinstance(body, dict):
        return True
    if body.get("ssml") is True or body.get("quality") in ("fast", "light"):
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
    kind = str(case.body.get("format", "wav"))
    assert header(response, "content-type") == CONTENT_TYPES[kind]
    assert header(response, "x-sample-rate") == str(SAMPLE_RATE)
    assert header(response, "x-characters") == str(len(str(case.body["text"])))
    assert header(response, "server-timing").startswith("first-audio;dur=")
    assert samples(kind, response.content) > 0


def header(response: Response, name: str) -> str:
    """The only value of a header."""
    values = response.headers.get(name, [])
    assert len(values) == 1, f"{name}: {values}"
    return str(values[0])


def samples(kind: str, body: bytes) -> int:
    """How many there are."""
    if kind == "pcm":
        assert len(body) % 2 == 0
        return len(body) // 2
    with wave.open(io.BytesIO(body)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, SAMPLE_RATE)
        count: int = file.getnframes()
        assert len(file.readframes(count)) == 2 * count
        return count
