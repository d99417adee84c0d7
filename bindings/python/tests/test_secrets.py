"""No error and no output contains any part of the caller's text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import libspeech
import pytest
from conftest import CommandLine
from libspeech import Engine, ServiceRequest, SpeechError
from support import cases, variable

SECRET = "ZQXMARKER"


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and all underlying errors, shown or not."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def told(error: BaseException) -> str:
    """The whole content of an error."""
    return "\n".join(f"{one} {one!r} {one.args!r} {vars(one)!r}" for one in chain(error)).upper()


def refusals(rows: Sequence[tuple[str, Callable[[], object], str | None]]) -> list[str]:
    failures = []
    for name, call, expected in rows:
        found, told_by = None, ""
        try:
            call()
        except SpeechError as error:
            found, told_by = error.type, told(error)
        if found != expected or SECRET in told_by:
            failures.append(f"{name}: {found}, not {expected}: {told_by}")
    return failures


def body(row: dict[str, Any]) -> str:
    text: str = row["json"]
    return text.replace("@1000", "Ten chars. " * 91)


def test_requests(engine: Engine) -> None:
    def speak(json: str | bytes) -> None:
        request = ServiceRequest.from_json(json)
        list(engine.stream(request.text, **request.options))

    rows = [
        (row["name"], partial(speak, json), row.get("error"))
        for row in cases("secrets")
        for json in (body(row), body(row).encode())
    ]
    assert refusals(rows) == []


def test_pronunciations() -> None:
    def load(words: str, reading: str) -> None:
        Engine(variable("SPEECH_FAKE_MODEL"), pronunciations={words: reading}).close()

    rows = [
        (row["name"], partial(load, row["words"], row["reading"]), "invalid_request")
        for row in cases("secret_pronunciations")
    ]
    assert refusals(rows) == []


def test_arguments(engine: Engine) -> None:
    arguments: dict[str, Any] = {
        "half a surrogate pair": f"{SECRET}\udc80",
        "a NUL": f"{SECRET}\0",
        "a list": [SECRET],
        "bytes": SECRET.encode(),
    }
    live = engine.live()
    calls: dict[str, Callable[[Any], object]] = {
        "synthesize": engine.synthesize,
        "stream": engine.stream,
        "stream_long": engine.stream_long,
        "push": live.push,
        "Segmenter": libspeech.Segmenter().push,
        "split_text": libspeech.split_text,
        "from_json": ServiceRequest.from_json,
    }
    rows = [
        (f"{name} of {kind}", partial(call, value), "invalid_request")
        for name, call in calls.items()
        for kind, value in arguments.items()
    ]
    assert refusals(rows) == []
    live.close()


@pytest.mark.parametrize(
    "arguments",
    [
        ["say", "--ssml", f"<speak><{SECRET}/></speak>"],
        ["say", f"[a](/{SECRET}/)"],
        ["say", SECRET, SECRET],
        ["say", f"{SECRET} " * 200],
        *(
            value
            for far in (f"{'1' * 40}{SECRET}", f"{'it is ' * 7}{SECRET}", "'" * 40 + SECRET)
            for value in (
                ["say", "--rate", far],
                ["say", f"--threads={far}"],
                ["say", f"--ssml={far}"],
                ["say", f"--re={far.replace(' ', '')}"],
                ["say", "a", "--voice", far],
                ["tiers", "--available", far],
            )
        ),
    ],
)
def test_the_command_line(command_line: CommandLine, arguments: list[str]) -> None:
    run = command_line(*arguments, "-o", "a.wav")
    assert run.returncode in (1, 2)
    assert SECRET.encode() not in run.stderr.upper() + run.stdout.upper()


@pytest.mark.parametrize("text", [SECRET.encode() + b"\xff", SECRET.encode() + b"\0", SECRET.encode() * 200])
def test_standard_input(command_line: CommandLine, text: bytes) -> None:
    run = command_line("say", "-o", "a.wav", stdin=text)
    assert run.returncode == 1
    assert SECRET.encode() not in run.stderr.upper() + run.stdout.upper()
