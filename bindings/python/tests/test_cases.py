"""The table of cases, which has the same results in every language."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any, cast

import libspeech
from libspeech import Audio, Engine, RequestOptions, ServiceRequest, SpeechError, Tier
from support import cases

Asked = tuple[str, str]


def asked(body: str | bytes) -> Asked:
    """The text and the options of a request in JSON, in any notation."""
    request = ServiceRequest.from_json(body)
    return request.text, json.dumps(request.options)


@cache
def synthesized(engine: Engine, request: Asked) -> Audio:
    """The speech of a request, computed once."""
    text, options = request
    return engine.synthesize(text, **cast(RequestOptions, json.loads(options)))


@cache
def streamed_bytes(engine: Engine, request: Asked) -> tuple[int, int, bytes]:
    """The same for a stream: its characters, its diagnostics, its bytes."""
    text, options = request
    stream = engine.stream(text, **cast(RequestOptions, json.loads(options)))
    return stream.characters, len(stream.diagnostics), b"".join(chunk.data for chunk in stream)


def body(case: dict[str, Any]) -> str:
    """The body of a request with its long texts filled in."""
    text = "Ten chars. " * 200
    template: str = case["json"]
    return template.replace("@1000", text[:1000]).replace("@1001", text[:1001])


def refusal(error: SpeechError) -> dict[str, Any]:
    return {"error": error.type, "message": error.message}


def spoken(engine: Engine, sent: str | bytes) -> dict[str, Any]:
    try:
        audio = synthesized(engine, asked(sent))
    except SpeechError as error:
        return refusal(error)
    assert audio.duration > 0
    return {"characters": audio.characters, "skipped": len(audio.diagnostics)}


def streamed(engine: Engine, sent: str | bytes) -> dict[str, Any]:
    try:
        request = asked(sent)
        characters, skipped, data = streamed_bytes(engine, request)
    except SpeechError as error:
        return refusal(error)
    assert '"latency": "low"' in request[1] or data == synthesized(engine, request).data
    return {"characters": characters, "skipped": skipped}


def expected(case: dict[str, Any]) -> dict[str, Any]:
    if "error" in case:
        return {"error": case["error"], "message": case["message"]}
    return {"characters": case["characters"], "skipped": case.get("skipped", 0)}


def is_for_streams(case: dict[str, Any]) -> bool:
    """Whether a request is refused only because it is not streamed."""
    return bool(case["name"] == "low latency of a file")


def differences(engine: Engine) -> Iterator[str]:
    rows = [(case, spoken) for case in cases("requests")]
    rows += [(case, streamed) for case in cases("requests") if not is_for_streams(case)]
    rows += [(case, streamed) for case in cases("streams")]
    assert any(is_for_streams(case) for case, _ in rows)
    for case, run in rows:
        for sent in (body(case), body(case).encode()):
            result = run(engine, sent)
            if result != expected(case):
                yield f"{case['name']}, {run.__name__}: {result}, not {expected(case)}"


def test_requests(engine: Engine) -> None:
    failures = list(differences(engine))
    assert not failures, "\n".join(failures)


def test_splits() -> None:
    rows = [(libspeech.split_text(row["text"], row["max_characters"]), row) for row in cases("splits")]
    failures = [f"{row}: {parts}" for parts, row in rows if parts != row["parts"]]
    assert not failures, "\n".join(failures)


def resolved(row: dict[str, Any]) -> tuple[str | None, str | None]:
    try:
        contexts = [(left, right) for left, right in row["contexts"]]
        return libspeech.tiers(contexts).resolve(row["name"]).value, None
    except SpeechError as error:
        return None, error.type if row["name"] in error.message else error.message


def test_tiers() -> None:
    rows = [(resolved(row), row) for row in cases("tiers")]
    failures = [f"{row}: {got}" for got, row in rows if got != (row.get("tier"), row.get("error"))]
    assert not failures, "\n".join(failures)


def test_charges() -> None:
    failures = []
    for row in cases("charges"):
        exact = Fraction(row["nanoseconds"], 1_000_000_000)
        decimal = Decimal(row["nanoseconds"]).scaleb(-9)
        charges = [Tier(row["tier"]).charge(seconds) for seconds in (exact, decimal, float(exact))]
        if charges != [row["micros"]] * 3:
            failures.append(f"{row}: {charges}")
    assert not failures, "\n".join(failures)
