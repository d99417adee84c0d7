"""Callers on the live route: each receives an answer from a language model, then speaks for as long itself."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
from compare.calibration import ProcessorTimes, other_load

from .errors import LoadError
from .player import Player
from .service import Service, running
from .summary import PERCENTILES, percentile
from .texts import Text

TOKENS_PER_S = 30
"""The simulated output of a language model: most tokens are a word."""

SETTLE_S = 2.0
"""The wait after opening sessions, so that the process's memory settles."""


@dataclass(frozen=True)
class Turn:
    """The timing of one answer, in seconds."""

    first_audio: float
    """From its first token."""
    gaps: float


@dataclass
class Callers:
    """Several simultaneous sessions, each of which speaks repeatedly until the time is over."""

    service: Service
    texts: Sequence[Text]
    seconds: float
    turns: list[Turn] = field(default_factory=list)
    refused: int = 0

    async def call(self, session: aiohttp.ClientSession, index: int) -> None:
        """One caller."""
        ends = time.perf_counter() + self.seconds
        # Callers do not all start at once.
        await asyncio.sleep(index % 16 / 8)
        async with session.ws_connect("/v1/speech/live") as socket:
            await socket.send_json({"type": "start"})
            while time.perf_counter() < ends:
                text = self.texts[index % len(self.texts)]
                player = Player()
                began = time.perf_counter()
                settings = {"type": "settings", "language": text["language"], "voice": text["voice"]}
                await socket.send_json(settings)
                writing = asyncio.create_task(_write(socket, text["text"]))
                was_spoken = await _hear(socket, player)
                await writing
                if was_spoken and player.begun is not None:
                    self.turns.append(Turn(player.begun - began, player.gaps))
                else:
                    self.refused += 1
                # The caller hears the rest, and then speaks for as long.
                heard = max(0.0, player.ends - time.perf_counter())
                await asyncio.sleep(heard + max(0.0, player.ends - (player.begun or player.ends)))
                index += 1
            await socket.send_json({"type": "close"})


async def _write(socket: aiohttp.ClientWebSocketResponse, text: str) -> None:
    for token in re.findall(r"\s*\S+", text):
        await socket.send_json({"type": "text", "text": token})
        await asyncio.sleep(1 / TOKENS_PER_S)
    await socket.send_json({"type": "finish"})


async def _hear(socket: aiohttp.ClientWebSocketResponse, player: Player) -> bool:
    """Plays a turn; returns whether it was spoken to its end."""
    async for message in socket:
        if message.type is aiohttp.WSMsgType.BINARY:
            player.take(time.perf_counter(), len(message.data))
            continue
        event = json.loads(message.data)
        if event["type"] == "finished":
            return True
        if event["type"] == "error":
            if event["error"]["type"] != "overloaded" or "turn" not in event:
                raise LoadError(f"a turn failed: {event['error']}")
            return False
    raise LoadError("a session was closed")


async def measure_live(
    program: Path, bundle: Path | None, texts: Sequence[Text], callers: int, seconds: float, idle: int
) -> dict[str, Any]:
    """Starts the service and measures some callers, next to idle sessions."""
    sessions = str(callers + idle)
    options = ["--live-sessions", sessions, "--live-sessions-per-account", sessions]
    async with running(program, bundle, options) as service:
        headers = {"Authorization": f"Bearer {service.key}"}
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(service.address, headers=headers, connector=connector) as session:
            before = service.memory_mb()
            idle_sockets = [await session.ws_connect("/v1/speech/live") for _ in range(idle)]
            for socket in idle_sockets:
                await socket.send_json({"type": "start"})
                await socket.receive()
            await asyncio.sleep(SETTLE_S if idle else 0)
            idle_mb = service.memory_mb() - before
            crowd = Callers(service, texts, seconds)
            wall, own, times = time.perf_counter(), time.process_time(), ProcessorTimes.now()
            at_start = service.processor_s()
            await asyncio.gather(*(crowd.call(session, index) for index in range(callers)))
            wall, own = time.perf_counter() - wall, time.process_time() - own
            used = service.processor_s() - at_start
            threads, peak = service.threads(), service.peak_memory_mb()
            load = other_load(times, ProcessorTimes.now(), used + own, wall)
            await asyncio.gather(*(socket.close() for socket in idle_sockets))
    if not crowd.turns:
        raise LoadError("nothing was spoken in the time that counts: give more --seconds")
    waits = [turn.first_audio * 1e3 for turn in crowd.turns]
    return {
        "callers": callers,
        "turns": len(crowd.turns),
        "refused": crowd.refused,
        "first_audio_ms": {f"p{percent}": percentile(waits, percent) for percent in PERCENTILES},
        "gaps_ms": sum(turn.gaps for turn in crowd.turns) / len(crowd.turns) * 1e3,
        "idle_sessions": idle,
        "idle_mb": idle_mb,
        "threads": threads,
        "peak_memory_mb": peak,
        "processors": {"service": used / wall, "clients": own / wall},
        "other_load": load,
    }
