"""The example of a Wyoming server, tested with the protocol's own client over TCP."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from libspeech import Engine
from support import LONG, TEXT
from wyoming.audio import AudioChunk, AudioStart
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.event import Event, Eventable
from wyoming.info import Describe, Info
from wyoming.ping import Ping, Pong
from wyoming.tts import (
    Synthesize,
    SynthesizeChunk,
    SynthesizeStart,
    SynthesizeStop,
    SynthesizeTextFormat,
    SynthesizeVoice,
)

SERVER = Path(__file__).resolve().parents[3] / "examples" / "python" / "wyoming_server.py"
T = TypeVar("T")


class Server:
    """The program, on a free port."""

    def __init__(self, *arguments: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.uri = f"tcp://127.0.0.1:{self.port}"
        warnings = ["-W", "error", "-W", "ignore::DeprecationWarning:wyoming.audio"]
        command = [sys.executable, *warnings, str(SERVER), "--uri", self.uri, *arguments]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr
        assert self.process.stderr.readline() == f"listening at {self.uri}\n"

    def stop(self) -> str:
        """Stop it like a service manager, and return its output."""
        self.process.terminate()
        printed = self.process.communicate(timeout=60)[1]
        assert self.process.returncode == 0, printed
        return printed

    def run(self, talk: Callable[[AsyncTcpClient], Awaitable[T]]) -> T:
        """Run a client's conversation on a new connection."""

        async def connected() -> T:
            for _ in range(500):
                try:
                    async with AsyncTcpClient("127.0.0.1", self.port, read_timeout=60) as client:
                        return await talk(client)
                except ConnectionRefusedError:
                    await asyncio.sleep(0.01)
            raise AssertionError("nothing listens")

        return asyncio.run(connected())

    def events(self, *requests: Eventable | Event, last: str) -> list[Event]:
        """The responses to some requests, up to the first of this type or the end of the connection."""

        async def talk(client: AsyncTcpClient) -> list[Event]:
            for request in requests:
                await client.write_event(request if isinstance(request, Event) else request.event())
            return await answers(client, last)

        return self.run(talk)


@pytest.fixture(scope="module")
def server(fake_model: Path) -> Iterator[Server]:
    server = Server("--bundle", str(fake_model), "--voice", "leo")
    yield server
    assert server.stop() == ""


async def answers(client: AsyncTcpClient, last: str) -> list[Event]:
    events = []
    while event := await client.read_event():
        events.append(event)
        if event.type == last:
            break
    return events


def types(events: list[Event]) -> list[str]:
    """The types in order; consecutive equal types count once."""
    return [event.type for place, event in enumerate(events) if place == 0 or events[place - 1].type != event.type]


def pcm(events: list[Event]) -> bytes:
    chunks = [AudioChunk.from_event(event) for event in events if AudioChunk.is_type(event.type)]
    assert {(chunk.rate, chunk.width, chunk.channels) for chunk in chunks} <= {(22_050, 2, 1)}
    return b"".join(chunk.audio for chunk in chunks)


def test_what_it_offers(server: Server) -> None:
    event = server.events(Describe(), last="info")[-1]
    (program,) = Info.from_event(event).tts
    assert program.installed
    assert program.supports_synthesize_streaming
    assert program.version
    names = {voice.name: voice.languages for voice in program.voices}
    assert len(names) == len(program.voices) == 10
    assert names["en-US-aria"] == ["en-US"]
    assert names["hi-IN-sofia"] == ["hi-IN"]
    assert {voice.description for voice in program.voices} >= {"Aria (English)", "Sofia (Hindi)"}
    for artifact in (program, *program.voices):
        assert artifact.attribution.name
        assert artifact.attribution.url.startswith("https://")
    assert Pong.from_event(server.events(Ping(text="1"), last="pong")[-1]).text == "1"


CHOICES: list[tuple[Any, str, str]] = [
    (None, "en-US", "leo"),
    (SynthesizeVoice(), "en-US", "leo"),
    (SynthesizeVoice("hi-IN-sofia"), "hi-IN", "sofia"),
    (SynthesizeVoice("en-US-john"), "en-US", "john"),
    (SynthesizeVoice("jason", speaker="jason"), "en-US", "jason"),
    (SynthesizeVoice(language="hi-IN"), "hi-IN", "leo"),
]


@pytest.mark.parametrize(("voice", "language", "name"), CHOICES)
def test_a_text(server: Server, engine: Engine, voice: Any, language: Any, name: Any) -> None:
    events = server.events(Synthesize("एक, दो three. And more.", voice), last="audio-stop")
    assert types(events) == ["audio-start", "audio-chunk", "audio-stop"]
    start = AudioStart.from_event(events[0])
    assert (start.rate, start.width, start.channels) == (22_050, 2, 1)
    with engine.stream_long("एक, दो three. And more.", language=language, voice=name, latency="low") as stream:
        assert pcm(events) == b"".join(chunk.pcm for chunk in stream)


def test_a_document_of_ssml(server: Server, engine: Engine) -> None:
    document = '<speak>One. <break time="700ms"/> Two.</speak>'
    request = Synthesize(document, text_format=SynthesizeTextFormat.SSML)
    spoken = pcm(server.events(request, last="audio-stop"))
    assert spoken == engine.synthesize(document, voice="leo", ssml=True).pcm


def test_a_text_in_pieces(server: Server) -> None:
    text = "It cost $3.50. Dr. No paid it, and went home."
    pieces = [SynthesizeChunk(text[place : place + 3]) for place in range(0, len(text), 3)]
    voice = SynthesizeVoice("en-US-john")
    # Home Assistant also sends the whole text.
    requests = [SynthesizeStart(voice), *pieces, Synthesize(text, voice), SynthesizeStop()]
    events = server.events(*requests, last="synthesize-stopped")
    assert types(events) == ["audio-start", "audio-chunk", "audio-stop", "synthesize-stopped"]
    whole = pcm(server.events(Synthesize(text, voice), last="audio-stop"))
    # Whether a sentence begins before its end is known depends on when its pieces arrive.
    assert len(pcm(events)) == pytest.approx(len(whole), rel=0.5)


def test_a_sentence_is_spoken_before_the_next_one_has_arrived(server: Server) -> None:
    async def talk(client: AsyncTcpClient) -> list[str]:
        await client.write_event(SynthesizeStart().event())
        await client.write_event(SynthesizeChunk("This is the first sentence. And").event())
        events = await answers(client, "audio-chunk")
        await client.write_event(SynthesizeChunk(" that is all.").event())
        await client.write_event(SynthesizeStop().event())
        return types(events + await answers(client, "synthesize-stopped"))

    assert server.run(talk) == ["audio-start", "audio-chunk", "audio-stop", "synthesize-stopped"]


def test_several_on_one_connection_come_in_their_order(server: Server) -> None:
    async def talk(client: AsyncTcpClient) -> tuple[list[Event], ...]:
        live = [SynthesizeStart(), SynthesizeChunk("Third."), SynthesizeStop()]
        for request in [Synthesize(TEXT), Synthesize("Second."), *live]:
            await client.write_event(request.event())
        ends = ("audio-stop", "audio-stop", "synthesize-stopped")
        return tuple([await answers(client, end) for end in ends])

    first, second, third = server.run(talk)
    assert len(pcm(first)) > len(pcm(second)) > 0
    assert types(third) == ["audio-start", "audio-chunk", "audio-stop", "synthesize-stopped"]
    assert pcm(second) == pcm(server.events(Synthesize("Second."), last="audio-stop"))


def test_nothing_in_pieces(server: Server) -> None:
    events = server.events(SynthesizeStart(), SynthesizeStop(), last="synthesize-stopped")
    assert types(events) == ["audio-start", "audio-stop", "synthesize-stopped"]


REFUSALS: dict[str, tuple[list[Any], str, str]] = {
    "an empty text": ([Synthesize("")], "empty_text", "text is empty"),
    "white space": ([Synthesize(" \n")], "empty_text", "only white space"),
    "a voice": ([Synthesize("a", SynthesizeVoice("bob"))], "invalid_request", "unsupported voice 'bob'"),
    "a voice of a language": ([Synthesize("a", SynthesizeVoice("fr-FR-aria"))], "invalid_request", "unsupported voice"),
    "a language": ([Synthesize("a", SynthesizeVoice(language="fr"))], "invalid_request", 'unsupported language "fr"'),
    "a voice of pieces": ([SynthesizeStart(SynthesizeVoice("bob"))], "invalid_request", "unsupported voice 'bob'"),
    "a wrong document": (
        [Synthesize("<speak>", text_format=SynthesizeTextFormat.SSML)],
        "invalid_request",
        "line 1",
    ),
    "a document in pieces": ([SynthesizeStart(text_format=SynthesizeTextFormat.SSML)], "invalid_request", "SSML"),
    "two texts in pieces": ([SynthesizeStart(), SynthesizeStart()], "invalid_request", "before the last one"),
    "a NUL": ([SynthesizeStart(), SynthesizeChunk("a\0b")], "invalid_request", "NUL"),
    "no text": ([Event("synthesize")], "invalid_request", "'synthesize' is missing"),
    "a text of another type": ([Event("synthesize", {"text": 3})], "invalid_request", "text"),
    "a voice of another type": ([Event("synthesize", {"text": "a", "voice": 5})], "invalid_request", "another type"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_what_it_refuses(server: Server, case: str) -> None:
    requests, code, message = REFUSALS[case]
    events = server.events(*requests, last="none")  # to the end of the connection
    error = Error.from_event(events[-1])
    assert error.code == code
    assert message in error.text
    assert types(events) in (["error"], ["audio-start", "error"])


@pytest.mark.voices
def test_it_stops_for_a_client_that_leaves() -> None:
    server = Server()

    async def leave(client: AsyncTcpClient) -> None:
        await client.write_event(Synthesize(LONG * 20).event())
        await answers(client, "audio-chunk")

    def busy() -> float:
        """The processor time of the server, in seconds."""
        fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    server.run(leave)
    time.sleep(1)
    before = busy()
    time.sleep(2)
    assert busy() - before < 0.2, "the computation runs on"
    assert server.stop() == ""


def test_an_unknown_voice_of_its_own(fake_model: Path) -> None:
    command = [sys.executable, str(SERVER), "--voice", "bob", "--bundle", str(fake_model)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert run.returncode == 1
    assert run.stderr == "invalid_request: unsupported voice 'bob'; use aria, jason, john, leo, sofia\n"
