"""Long texts, texts that arrive in pieces, and requests."""

from __future__ import annotations

import json
import sys
from typing import Any

import libspeech
import pytest
from libspeech import Engine, InvalidRequestError, RequestOptions, Segmenter, ServiceRequest, WrongTypeError, split_text

TEXT = "Dr. Smith paid $3.50. 😀 He left!\n\nनमस्ते दुनिया। यह अंत है। And 🎉 so on"


def test_parts_are_in_order_and_fit() -> None:
    book = "It was a bright cold day in April, and the clocks were striking thirteen. " * 60
    parts = split_text(book)
    assert len(parts) == 5
    assert all(0 < len(part) <= libspeech.MAX_CHARACTERS for part in parts)
    assert " ".join(parts) == book.strip()


def test_parts_count_characters() -> None:
    assert split_text("😀" * 10, 4) == ["😀" * 4, "😀" * 4, "😀" * 2]
    assert split_text("a b", sys.maxsize) == ["a b"]
    assert split_text("") == []


def test_every_part_is_a_request(engine: Engine) -> None:
    parts = split_text("One sentence. And another one, which is longer. " * 3, 30)
    assert len(parts) > 3
    for part in parts:
        assert engine.synthesize(part).characters == len(part)


def segments(pieces: list[str]) -> list[libspeech.Segment]:
    segmenter = Segmenter()
    decided = [segment for piece in pieces for segment in segmenter.push(piece)]
    return decided + segmenter.finish()


def test_sentences_are_the_same_however_they_arrive() -> None:
    whole = segments([TEXT])
    assert segments(list(TEXT)) == whole
    for size in (2, 3, 7):
        assert segments([TEXT[at : at + size] for at in range(0, len(TEXT), size)]) == whole
    for cut in range(len(TEXT)):
        assert segments([TEXT[:cut], "", TEXT[cut:]]) == whole


def test_where_sentences_are(engine: Engine) -> None:
    found = segments(list(TEXT))
    assert [TEXT[segment.span] for segment in found] == [segment.text for segment in found]
    assert [segment.text for segment in found if segment.ends_paragraph][:1] == ["He left!"]
    spoken = [TEXT[chunk.span] for chunk in engine.stream(TEXT)]
    assert [segment.text for segment in found] == spoken


def test_a_sentence_comes_when_it_is_decided() -> None:
    segmenter = Segmenter()
    assert segmenter.push("Dr") == segmenter.push(". No paid $3") == []
    (first,) = segmenter.push(".50. He")
    assert first == ("Dr. No paid $3.50.", slice(0, 18), False)
    assert segmenter.push(" left") == []
    assert [segment.text for segment in segmenter.finish()] == ["He left"]
    assert segmenter.finish() == []


def test_after_the_end_another_text_begins() -> None:
    segmenter = Segmenter()
    for _ in range(2):
        segmenter.push("😀 One. Two")
        assert [segment.span for segment in segmenter.finish()][-1].stop == 10


@pytest.mark.parametrize("kind", [str, str.encode, lambda body: bytearray(body.encode())])
def test_a_request_from_json(kind: Any) -> None:
    body = '{"text": "नमस्ते।", "language": "hi-IN", "latency": "low", "format": "pcm", "mood": [7]}'
    request = ServiceRequest.from_json(kind(body))
    assert request == ("नमस्ते।", "pcm", {"language": "hi-IN", "latency": "low"})
    assert ServiceRequest.from_json(kind('{"text": "a"}')) == ("a", "wav", {})
    body = '{"text": "a", "rate": 2, "pitch": -1.5, "volume": 3, "ssml": true, "read_pauses": false, "quality": "fast"}'
    options = {"rate": 2, "pitch": -1.5, "volume": 3, "ssml": True, "read_pauses": False, "quality": "fast"}
    assert ServiceRequest.from_json(kind(body)).options == options
    body = '{"text": "a", "sample_rate": 8000, "encoding": "mulaw"}'
    assert ServiceRequest.from_json(kind(body)).options == {"sample_rate": 8000, "encoding": "mulaw"}
    escaped = '{"text": "caf\\u00e9 \\ud83d\\ude00\\u0000"}'
    request = ServiceRequest.from_json(kind(escaped))
    assert request.text == "café 😀\0"
    with pytest.raises(InvalidRequestError, match="text has a NUL character at byte 10"):
        libspeech.validate(request.text)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("", "the body is empty"),
        ("{", "the body is not valid JSON: see line 1, column 1"),
        ('{"text": 5, "text": "a"}', "text is given twice"),
        (b'{"text": "\xff"}', "the body is not valid JSON"),
        ('{"text": NaN}', "the body is not valid JSON"),
        ('{"text": "a"} {}', "the body is not valid JSON"),
        ("[" * 10_000, "the body is not"),
        ('"text"', "the body is not a JSON object"),
        ("{}", "text is missing"),
        ('{"text": 3}', "text must be a string"),
        ('{"text": "a", "format": false}', "format must be a string"),
        (b"\xff\xfe{\x00}\x00", "the body is not valid JSON"),
    ],
)
def test_json_that_is_refused(body: Any, message: str) -> None:
    with pytest.raises(InvalidRequestError, match=message):
        ServiceRequest.from_json(body)


def test_none_is_the_null_of_json() -> None:
    for name in ("text", *RequestOptions.__annotations__):
        values: dict[str, Any] = {"text": "a", name: None}
        with pytest.raises(WrongTypeError, match=f"{name} must be"):
            libspeech.validate(**values)
    for name in ("text", "format", *(RequestOptions.__annotations__.keys() - {"lexicons"})):
        with pytest.raises(InvalidRequestError, match=f"{name} must be"):
            ServiceRequest.from_json(json.dumps({"text": "a", name: None}))


def test_a_request_that_is_checked() -> None:
    libspeech.validate("Hello.", voice="leo", latency="low", rate=2)
    with pytest.raises(libspeech.EmptyTextError):
        libspeech.validate(" ")
    with pytest.raises(InvalidRequestError, match="rate is 3"):
        libspeech.validate("a", rate=3)


def test_low_latency_is_for_streams(engine: Engine) -> None:
    with engine.stream("Hello.", latency="low") as stream:
        assert stream.characters == 6
    with pytest.raises(InvalidRequestError, match="latency low is for streams") as caught:
        engine.synthesize("Hello.", latency="low")
    assert (caught.value.detail, caught.value.advice) == ("latency_needs_stream", "use_stream")
