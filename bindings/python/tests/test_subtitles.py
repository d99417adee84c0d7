"""Subtitles and events of the command line program in Rust: real parsers restore any text unchanged."""

from __future__ import annotations

import html
import json
import subprocess
from pathlib import Path
from typing import Any

import pysubs2
import pytest
import webvtt
from support import texts, variable

#: Inserted between characters that would be markup. It is invisible.
WORD_JOINER = "\u2060"


def one_line(text: str) -> str:
    """A text in the form of a cue: white space and unprintable characters become one space."""
    return " ".join("".join(c if c.isprintable() or c in "\u202e\u202c\ufeff" else " " for c in text).split())


def say(folder: Path, text: str, *options: str) -> list[dict[str, Any]]:
    """Speak a text with the fake model, and return the events."""
    voices = ["--bundle", str(variable("SPEECH_FAKE_MODEL")), "--threads", "1"]
    files = ["-o", "a.wav", "--events", "a.jsonl"]
    command = [str(variable("SPEECH_PROGRAM")), "say", "--no-pauses", *voices, *files, *options, "--", text]
    subprocess.run(command, check=True, cwd=folder, timeout=60)
    lines = (folder / "a.jsonl").read_text(encoding="utf-8").split("\n")
    assert lines.pop() == ""
    return [json.loads(line) for line in lines]


def spans(events: list[dict[str, Any]], text: str, kind: str) -> list[str]:
    """The text spans of the events of a kind."""
    found = [event["span"] for event in events if event["event"] == kind]
    shown = [one_line(text.encode()[start:end].decode()) for start, end in found]
    return [one for one in shown if one]


def shown(subtitles: webvtt.WebVTT) -> list[str]:
    """The text of the cues. The parser drops tags, but leaves references, which are those of HTML."""
    return [html.unescape(caption.text) for caption in subtitles.captions]


@pytest.mark.parametrize("by", ["sentence", "word"])
@pytest.mark.parametrize("text", texts("hostile_texts"))
def test_web_vtt(tmp_path: Path, text: str, by: str) -> None:
    events = say(tmp_path, text, "--subtitles", "a.vtt", "--subtitles-by", by)
    subtitles = webvtt.read(str(tmp_path / "a.vtt"))
    assert shown(subtitles) == spans(events, text, by)
    assert all(caption.start_in_seconds <= caption.end_in_seconds for caption in subtitles.captions)
    written = (tmp_path / "a.vtt").read_text(encoding="utf-8")
    assert written.count("-->") == len(subtitles.captions)
    assert "<" not in written


@pytest.mark.parametrize("by", ["sentence", "word"])
@pytest.mark.parametrize("text", texts("hostile_texts"))
def test_sub_rip(tmp_path: Path, text: str, by: str) -> None:
    events = say(tmp_path, text, "--subtitles", "a.srt", "--subtitles-by", by)
    expected = spans(events, text, by)
    file = tmp_path / "a.srt"
    cues = webvtt.from_srt(str(file)).captions
    assert [cue.raw_text.replace(WORD_JOINER, "") for cue in cues] == expected
    # The parser drops HTML tags.
    lines = pysubs2.load(str(file), encoding="utf-8", format_="srt")
    assert [line.text.replace(WORD_JOINER, "") for line in lines] == expected
    if "{" not in text:
        # Text in braces is outside the guarantees of the documentation.
        assert [line.plaintext.replace(WORD_JOINER, "") for line in lines] == expected
    assert file.read_text(encoding="utf-8").count("-->") == len(cues)


@pytest.mark.parametrize("text", texts("hostile_texts"))
def test_events(tmp_path: Path, text: str) -> None:
    words = [event for event in say(tmp_path, text) if event["event"] == "word"]
    assert words
    for word in words:
        start, end = word["span"]
        assert word["text"] == text.encode()[start:end].decode()


def test_ssml(tmp_path: Path) -> None:
    document = "<speak>Tom &amp; <emphasis>Jerry</emphasis>, <sub alias='x &lt; y'>&lt;b&gt;</sub>.</speak>"
    say(tmp_path, document, "--ssml", "--subtitles", "a.vtt")
    assert shown(webvtt.read(str(tmp_path / "a.vtt"))) == ["Tom & Jerry, <b>."]
    say(tmp_path, document, "--ssml", "--subtitles", "a.srt")
    (cue,) = webvtt.from_srt(str(tmp_path / "a.srt")).captions
    assert cue.raw_text.replace(WORD_JOINER, "") == "Tom & Jerry, <b>."
