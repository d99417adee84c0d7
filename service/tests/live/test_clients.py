"""Tests the documentation's clients of the live route, and jambonz.

The service has the fake model and `--jambonz`. `SPEECH_HTTP_URL` is its address, and `SPEECH_HTTP_KEY` a key.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect as connect_in_thread

ROOT = Path(__file__).resolve().parents[3]
SOCKET, KEY = os.environ["SPEECH_HTTP_URL"].replace("http", "ws", 1), os.environ["SPEECH_HTTP_KEY"]
PROGRAMS = {
    "python": [sys.executable, str(ROOT / "examples" / "python" / "live_client.py")],
    # Node 20 needs the option; newer versions ignore it.
    "node": ["node", "--no-warnings", "--experimental-websocket", str(ROOT / "examples" / "node" / "live.mjs")],
}
TEXT = "It cost $3.50. Dr. No paid it, and went home."


def run(language: str, *options: str, key: str = KEY) -> tuple[bytes, str]:
    """Runs a program, and returns its audio and its messages."""
    command = [*PROGRAMS[language], f"{SOCKET}/v1/speech/live", key, *options]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    return done.stdout, done.stderr.decode()


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_text_is_spoken(language: str) -> None:
    sound, said = run(language)
    assert re.search(r"characters'?: 45", said), said
    seconds = re.search(r"seconds'?: ([\d.]+)", said)
    assert seconds and len(sound) / 2 / 22050 == pytest.approx(float(seconds[1]), abs=0.001)


@pytest.mark.parametrize("language", PROGRAMS)
def test_an_interruption_says_what_was_heard(language: str) -> None:
    options = ["--interrupt", "1.5"] if language == "python" else ["1.5"]
    sound, said = run(language, *options)
    heard = said.strip()
    assert heard and TEXT.startswith(heard) and heard != TEXT
    assert len(sound) / 2 / 22050 >= 1.5


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_wrong_key_is_told_of(language: str) -> None:
    sound, said = run(language, key="sk_live_wrong")
    assert sound == b""
    assert "401" in said or "the socket failed" in said


def test_a_client_with_threads() -> None:
    headers = {"Authorization": f"Bearer {KEY}"}
    with connect_in_thread(f"{SOCKET}/v1/speech/live", additional_headers=headers) as socket:
        for message in [{"type": "start", "events": []}, {"type": "text", "text": TEXT, "finish": True}]:
            socket.send(json.dumps(message))
        sound, events = b"", [json.loads(socket.recv())]
        while events[-1]["type"] != "finished":
            said = socket.recv(timeout=20)
            if isinstance(said, bytes):
                sound += said
            else:
                events.append(json.loads(said))
    assert [event["type"] for event in events] == ["ready", "turn", "finished"]
    assert len(sound) / 2 / 22050 == pytest.approx(events[-1]["seconds"], abs=0.001)


async def jambonz(query: str, *messages: dict[str, Any], key: str = KEY) -> tuple[list[dict[str, Any]], bytes]:
    """The messages that jambonz receives for a text, until the socket is closed."""
    events, sound = [], b""
    headers = {"Authorization": f"Bearer {key}"}
    async with connect(f"{SOCKET}/v1/speech/jambonz?{query}", additional_headers=headers) as socket:
        for message in messages:
            await socket.send(json.dumps(message))
        try:
            while True:
                said = await asyncio.wait_for(socket.recv(), 2)
                if isinstance(said, bytes):
                    sound += said
                else:
                    events.append(json.loads(said))
        except (TimeoutError, ConnectionClosed):
            pass
    return events, sound


@pytest.mark.parametrize("sample_rate", [8000, 16000, 24000])
def test_jambonz_streams_a_text(sample_rate: int) -> None:
    stream = [{"type": "stream", "text": text} for text in ["Hello,", "how are you?", "I am well."]]
    query = f"voice=leo&language=en-US&sampleRate={sample_rate}"
    events, sound = asyncio.run(jambonz(query, *stream, {"type": "flush"}))
    assert events == [{"type": "connect", "data": {"sample_rate": sample_rate, "base64_encoding": False}}]
    assert 1 < len(sound) / 2 / sample_rate < 6


def test_jambonz_keeps_its_connection() -> None:
    keepalive = {"type": "keepalive"}
    stream = {"type": "stream", "text": TEXT}
    said = [keepalive, stream, keepalive, {"type": "flush"}, keepalive]
    events, sound = asyncio.run(jambonz("sampleRate=8000", *said))
    assert [event["type"] for event in events] == ["connect"]
    assert len(sound) / 16000 > 2


def test_jambonz_stops() -> None:
    stream = {"type": "stream", "text": TEXT * 20}
    events, sound = asyncio.run(jambonz("sampleRate=8000", stream, {"type": "stop"}))
    assert [event["type"] for event in events] == ["connect"]
    assert len(sound) / 16000 < 20


def test_what_jambonz_is_refused() -> None:
    events, _ = asyncio.run(jambonz("sampleRate=8000", {"type": "sing"}))
    assert events[-1] == {"type": "error", "error": "the type must be stream, flush, stop or keepalive"}
    for query, key, status in [
        ("voice=bob", KEY, 400),
        ("sampleRate=high", KEY, 400),
        ("sampleRate=8000", "sk_live_wrong", 401),
    ]:
        with pytest.raises(InvalidStatus, match=str(status)):
            asyncio.run(jambonz(query, key=key))


def test_the_page_of_telephones_names_what_there_is() -> None:
    page = (ROOT / "docs" / "telephone.md").read_text(encoding="utf-8")
    answer = re.search(r"respond `(.*)`", page)
    assert answer
    stream = ElementTree.fromstring(answer[1]).find("Connect/Stream")
    assert stream is not None
    url = stream.attrib["url"]
    assert url.startswith("wss://") and "?" not in url
    # The bridge must be started with the address that Twilio signs.
    assert f"twilio_bridge.py {url}\n" in page
    bridges = ROOT / "examples" / "python" / "telephone"
    for name, port in [("twilio", "8090"), ("asterisk", "8090"), ("audiosocket", "9092")]:
        program = (bridges / f"{name}_bridge.py").read_text(encoding="utf-8")
        assert port in program and f"127.0.0.1:{port}" in page
    for variable in ["SPEECH_URL", "SPEECH_KEY", "TWILIO_AUTH_TOKEN"]:
        assert f"{variable}=" in page
        assert any(variable in path.read_text(encoding="utf-8") for path in bridges.glob("*.py"))
