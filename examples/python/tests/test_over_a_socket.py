"""Pipecat and LiveKit Agents over WebSockets of the service: with our classes, and with their classes for Cartesia.

The service has the real voices and `--cartesia`. `SPEECH_HTTP_URL` is its address, and `SPEECH_HTTP_KEY` its API key.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from libspeech import SAMPLE_RATE
from livekit.agents import APIError, APIStatusError, tts
from livekit.agents.types import APIConnectOptions, TimedString
from livekit.plugins import cartesia
from pipecat.frames.frames import ErrorFrame, InterruptionFrame, TTSAudioRawFrame, TTSTextFrame
from pipecat.services.cartesia.tts import CartesiaTTSService
from pipecat.services.tts_service import TTSService

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from livekit_plugin import TTS
from pipecat_service import LibspeechTTSService
from test_pipecat import ANSWER, LONG, Session

URL, KEY = os.environ["SPEECH_HTTP_URL"], os.environ["SPEECH_HTTP_KEY"]
SOCKET = URL.replace("http", "ws", 1)


def ours(**settings: Any) -> TTSService:
    """Our service for Pipecat."""
    chosen = LibspeechTTSService.Settings(voice="leo", **settings)
    return LibspeechTTSService(url=f"{SOCKET}/v1/speech/live", api_key=KEY, settings=chosen)


def theirs(**settings: Any) -> TTSService:
    """Pipecat's service for Cartesia."""
    chosen = CartesiaTTSService.Settings(voice="leo", **settings)
    return CartesiaTTSService(url=f"{SOCKET}/tts/websocket", api_key=KEY, sample_rate=SAMPLE_RATE, settings=chosen)


@pytest.mark.parametrize("service", [ours, theirs])
def test_an_answer_in_pipecat(service: Any) -> None:
    async def talk(session: Session) -> None:
        await session.answer(ANSWER)
        await session.until_said(ANSWER)

    session = Session(service)
    session.run(talk)
    assert session.watch.of(ErrorFrame) == []
    pcm = b"".join(frame.audio for frame in session.watch.of(TTSAudioRawFrame))
    assert 4 < len(pcm) / 2 / SAMPLE_RATE < 12
    words = session.watch.of(TTSTextFrame)
    assert " ".join(word.text for word in words) == ANSWER
    assert [word.pts for word in words] == sorted(word.pts for word in words)


@pytest.mark.parametrize("service", [ours, theirs])
def test_an_interruption_in_pipecat(service: Any) -> None:
    async def talk(session: Session) -> None:
        await session.answer(LONG * 3, size=40, end=False)
        await session.until(lambda: session.speaker.played != b"", "nothing is played")
        await asyncio.sleep(2)
        await session.worker.queue_frame(InterruptionFrame())
        await asyncio.sleep(0.5)
        await session.answer("Yes?")
        await session.until(lambda: session.said().endswith(" | Yes?"), "the next answer is not said")

    session = Session(service)
    session.run(talk)
    heard, answer = session.said().split(" | ")
    assert answer == "Yes?" and heard and LONG.startswith(heard)


def test_what_our_service_refuses_in_pipecat() -> None:
    async def talk(session: Session) -> None:
        await session.answer("Hello.")
        await session.until(lambda: session.watch.of(ErrorFrame) != [], "there is no error")

    session = Session(lambda: ours(rate=9.0))
    session.run(talk)
    assert "invalid_request: rate is 9" in session.watch.of(ErrorFrame)[0].error


async def spoken(speaker: tts.TTS[Any], text: str) -> tuple[bytes, list[TimedString]]:
    """The audio and the words of a text pushed in pieces."""
    stream = speaker.stream(conn_options=APIConnectOptions(max_retry=0))
    for at in range(0, len(text), 5):
        stream.push_text(text[at : at + 5])
    stream.end_input()
    return await collected(stream)


async def collected(stream: AsyncIterable[tts.SynthesizedAudio]) -> tuple[bytes, list[TimedString]]:
    """All audio of a stream."""
    pcm, words = b"", []
    async for audio in stream:
        pcm += bytes(audio.frame.data)
        words += audio.frame.userdata.get("lk.timed_transcripts", [])
    return pcm, words


def our_plugin(session: aiohttp.ClientSession, voice: Any = "leo") -> tts.TTS[Any]:
    """Our plugin for LiveKit."""
    return TTS(url=f"{SOCKET}/v1/speech/live", api_key=KEY, voice=voice)


def their_plugin(session: aiohttp.ClientSession, voice: Any = "leo") -> tts.TTS[Any]:
    """LiveKit's plugin for Cartesia."""
    return cartesia.TTS(base_url=URL, api_key=KEY, voice=voice, sample_rate=SAMPLE_RATE, http_session=session)


@pytest.mark.parametrize("plugin", [our_plugin, their_plugin])
def test_a_text_in_livekit(plugin: Any) -> None:
    async def run() -> tuple[bytes, list[TimedString]]:
        async with aiohttp.ClientSession() as session, plugin(session) as speaker:
            await spoken(speaker, "Hello.")
            return await spoken(speaker, ANSWER)

    pcm, words = asyncio.run(run())
    assert 4 < len(pcm) / 2 / SAMPLE_RATE < 12
    assert "".join(words).strip() == ANSWER
    times = [word.start_time for word in words if isinstance(word.start_time, float)]
    assert len(times) > 15 and times == sorted(times)


@pytest.mark.parametrize(("plugin", "error"), [(our_plugin, APIStatusError), (their_plugin, APIError)])
def test_what_is_refused_in_livekit(plugin: Any, error: type[Exception]) -> None:
    async def run() -> None:
        async with aiohttp.ClientSession() as session, plugin(session, voice="bob") as speaker:
            await spoken(speaker, "Hello.")

    with pytest.raises(error, match=r'unsupported voice \\?"bob'):
        asyncio.run(run())
