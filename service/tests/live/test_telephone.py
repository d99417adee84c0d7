"""Tests the telephone bridges between a running service and simulations of Twilio and Asterisk.

The service has the fake model. `SPEECH_HTTP_URL` is its address, and `SPEECH_HTTP_KEY` a key. `CALLS` is the number of
calls through Twilio.
"""

from __future__ import annotations

import asyncio
import functools
import json
import os
import random
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from peers import AsteriskPeer, AudioSocketPeer, Ear, Peer, TwilioPeer
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import serve
from websockets.exceptions import InvalidStatus

BRIDGES = Path(__file__).resolve().parents[3] / "examples" / "python" / "telephone"
sys.path.insert(0, str(BRIDGES))
import asterisk_bridge  # noqa: E402
import audiosocket_bridge  # noqa: E402
import phone_call  # noqa: E402
import twilio_bridge  # noqa: E402

CALLS = int(os.environ.get("CALLS", "24"))
#: The concurrent calls through a bridge.
AT_ONCE = 24
#: One call connects at a time, so that each socket of the service belongs to a known call.
connected = asyncio.Semaphore(1)


class Recorded(ClientConnection):
    """A socket of the service that records the received messages."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.events: list[dict[str, Any]] = []

    async def recv(self, decode: bool | None = None) -> Any:
        """Receives a message."""
        message = await super().recv(decode)
        if isinstance(message, str):
            self.events.append(json.loads(message) | {"at": asyncio.get_running_loop().time()})
        return message

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The events of a type."""
        return [event for event in self.events if event["type"] == kind]


@pytest.fixture
def sockets(monkeypatch: pytest.MonkeyPatch) -> list[Recorded]:
    """The sockets of the service that the bridges open, in order."""
    opened: list[Recorded] = []

    class Remembered(Recorded):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            opened.append(self)

    monkeypatch.setenv("SPEECH_URL", os.environ["SPEECH_HTTP_URL"].replace("http", "ws", 1) + "/v1/speech/live")
    monkeypatch.setenv("SPEECH_KEY", os.environ["SPEECH_HTTP_KEY"])
    monkeypatch.setattr(phone_call, "connect", functools.partial(connect, create_connection=Remembered))
    return opened


@asynccontextmanager
async def twilio() -> AsyncIterator[Callable[[], Peer]]:
    """The bridge to Twilio, and its callers."""
    async with serve(twilio_bridge.handle, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        yield lambda: TwilioPeer(f"ws://127.0.0.1:{port}/twilio")


@asynccontextmanager
async def asterisk() -> AsyncIterator[Callable[[], Peer]]:
    """The bridge to chan_websocket, and its callers."""
    async with serve(asterisk_bridge.handle, "127.0.0.1", 0, subprotocols=asterisk_bridge.PROTOCOLS) as server:
        port = server.sockets[0].getsockname()[1]
        yield lambda: AsteriskPeer(f"ws://127.0.0.1:{port}/media")


@asynccontextmanager
async def audiosocket() -> AsyncIterator[Callable[[], Peer]]:
    """The bridge to AudioSocket, and its callers."""
    async with await asyncio.start_server(audiosocket_bridge.handle, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        yield lambda: AudioSocketPeer(port)


def talker(peer: Peer, chance: random.Random) -> Callable[[], Awaitable[None]]:
    """A caller who interrupts three times at random moments, and waits for the response in between."""

    async def talk() -> None:
        for _ in range(3):
            await asyncio.sleep(chance.uniform(0.2, 3.0))
            peer.mouth.talk(chance.uniform(0.2, 0.6))
            await asyncio.sleep(1.2)

    return talk


def check(ear: Ear, socket: Recorded) -> int:
    """Compares the heard audio with the service's reports, and returns the number of interruptions."""
    assert socket.of("error") == []
    assert max(ear.gaps, default=0.0) <= 0.02 + ear.lateness, ear.gaps
    assert ear.late == [], "sound was played after it was cut"
    heard = {turn.turn: turn.seconds for turn in ear.turns}
    for event in socket.of("interrupted"):
        words = [word for piece in socket.of("words") if piece["turn"] == event["turn"] for word in piece["words"]]
        seconds = heard.get(event["turn"], 0.0)
        # If the clock of the call is late, the bridge learns late how much was played.
        least, most = (sum(word["end"] <= seconds + late for word in words) for late in (-ear.lateness, ear.lateness))
        by_service = sum(word["bytes"][1] <= event["heard"]["bytes"] for word in words)
        assert least - 1 <= by_service <= most + 1, (event, seconds, words)
        assert event["by"] == "client"
        assert event["played"] == pytest.approx(seconds, abs=0.25 + ear.lateness)
    return len(socket.of("interrupted"))


async def calls_through(bridge: Any, calls: int, sockets: list[Recorded]) -> None:
    """Makes calls, some concurrently."""
    chance, interruptions, heard = random.Random(7), 0, 0

    async def call(make: Callable[[], Peer]) -> None:
        nonlocal interruptions, heard
        peer, before = make(), len(sockets)
        if isinstance(peer, AudioSocketPeer):
            peer.turn = lambda: itemgetter("turn", "at")(sockets[before].of("turn")[-1])
        calling = asyncio.create_task(peer.call(talker(peer, chance)))
        while len(sockets) == before and not calling.done():
            await asyncio.sleep(0.001)
        connected.release()
        await calling
        interruptions += check(peer.ear, sockets[before])
        heard += len(peer.ear.turns)

    async with bridge() as make:
        for first in range(0, calls, AT_ONCE):
            tasks = []
            for _ in range(min(AT_ONCE, calls - first)):
                await connected.acquire()
                tasks.append(asyncio.create_task(call(make)))
            await asyncio.gather(*tasks)
    print(f"{bridge.__name__}: {calls} calls, {interruptions} interruptions, {heard} turns that were heard")
    # A caller who interrupts gets a response.
    assert interruptions > calls and heard > calls


def test_calls_with_random_interruptions(sockets: list[Recorded]) -> None:
    async def run() -> None:
        calls = {twilio: CALLS, asterisk: 6, audiosocket: 6}
        await asyncio.gather(*(calls_through(bridge, count, sockets) for bridge, count in calls.items()))

    asyncio.run(run())


@pytest.mark.parametrize("moment", [0.1, 0.25, 0.4])
def test_one_answer_is_spoken_at_a_time(sockets: list[Recorded], moment: float) -> None:
    """The caller speaks before the first response begins, and while it is generated."""
    names, complete, marks = iter(["one", "two"]), [], []

    async def bot(_: list[phone_call.Message]) -> AsyncIterator[str]:
        name = next(names)
        await asyncio.sleep(0.2)
        for _ in range(20):
            yield f"{name} "
            await asyncio.sleep(0.02)
        complete.append(name)

    class Line:
        async def play(self, sound: bytes, mark: str) -> None:
            marks.append(mark.split()[0])
            call.reached(mark)

        async def clear(self) -> None:
            pass

    call = phone_call.Call(Line(), bot, "mulaw")

    async def run() -> None:
        running = asyncio.create_task(call.run())
        while not sockets or not sockets[0].of("ready"):
            await asyncio.sleep(0.001)
        await asyncio.sleep(moment)
        for is_speech in [True] * phone_call.TALKING + [False] * phone_call.SILENT:
            await call.hear(is_speech)
        while not call.history or "two" not in call.history[-1]["content"]:
            await asyncio.sleep(0.001)
        running.cancel()

    asyncio.run(asyncio.wait_for(run(), 20))
    assert complete == ["two"]
    assert call.history[-1]["content"] == "two " * 20
    assert marks == sorted(marks), "sound of the first answer came after that of the second"
    assert [event["turn"] for event in sockets[0].of("finished")] == ["2"]
    assert all("one" in message["content"] for message in call.history[:-1])


def test_twilio_must_have_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uses the example of Twilio's documentation, where the signature also covers the parameters."""
    parameters = "CallSidCA1234567890ABCDECaller+12349013030Digits1234From+12349013030To+18005551212"
    signed = "https://mycompany.com/myapp.php?foo=1&bar=2" + parameters
    monkeypatch.setenv("TWILIO_AUTH_TOKEN", "12345")
    right = "0/KCTR6DLpKmkAf8muzZqo1nDgQ="
    for signature in [right, right.replace("0", "1"), ""]:
        assert twilio_bridge.is_signed(signed, signature) is (signature == right)


def test_the_program_answers_signed_calls_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "wss://bridge.example/twilio"
    monkeypatch.setenv("TWILIO_AUTH_TOKEN", "12345")

    async def run() -> None:
        arguments = [sys.executable, str(BRIDGES / "twilio_bridge.py"), url, "--port", "0"]
        environment = os.environ | {"SPEECH_URL": "ws://127.0.0.1:9", "SPEECH_KEY": "none"}
        program = await asyncio.create_subprocess_exec(*arguments, stdout=asyncio.subprocess.PIPE, env=environment)
        try:
            assert program.stdout
            address = (await program.stdout.readline()).decode().split()[-1]
            with pytest.raises(InvalidStatus, match="403"):
                await connect(address)
            signature = twilio_bridge.signature(url)
            async with connect(address, additional_headers={"X-Twilio-Signature": signature}) as socket:
                await socket.send(json.dumps({"event": "start", "streamSid": "MZ1"}))
                await socket.wait_closed()  # there is no service
        finally:
            program.kill()
            await program.wait()

    asyncio.run(run())
