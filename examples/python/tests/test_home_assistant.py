"""The Wyoming server inside Home Assistant, added through its user interface flow."""

from __future__ import annotations

import io
import socket
import subprocess
import sys
import wave
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from homeassistant.components import tts
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.setup import async_setup_component
from pytest_socket import enable_socket

SERVER = Path(__file__).resolve().parents[1] / "wyoming_server.py"
ENTITY = "tts.libspeech"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port of a server with the real voices."""
    enable_socket()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    command = [sys.executable, str(SERVER), "--uri", f"tcp://127.0.0.1:{port}"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr
        assert server.stderr.readline().startswith("listening at")
        yield port
        server.terminate()
        assert "Traceback" not in server.communicate(timeout=60)[1]


@pytest.fixture
async def home(
    hass: HomeAssistant,
    port: int,
    socket_enabled: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> HomeAssistant:
    """A Home Assistant with the server added as in Settings, Devices & services, Add integration, Wyoming Protocol."""
    monkeypatch.setattr(tts, "_init_tts_cache_dir", lambda hass, folder: str(tmp_path))
    for component in ("homeassistant", "media_source", "ffmpeg", "tts"):
        assert await async_setup_component(hass, component, {})
    form = await hass.config_entries.flow.async_init("wyoming", context={"source": "user"})
    assert form["type"] is FlowResultType.FORM
    entry = await hass.config_entries.flow.async_configure(form["flow_id"], {"host": "127.0.0.1", "port": port})
    assert entry["type"] is FlowResultType.CREATE_ENTRY
    assert entry["title"] == "libspeech"
    await hass.async_block_till_done()
    return hass


def audio_of(home: HomeAssistant, language: str, **options: str) -> tts.ResultStream:
    """The audio for a media player, without the usual conversion to mp3."""
    wav = {tts.ATTR_PREFERRED_FORMAT: "wav", **options}
    return tts.async_create_stream(home, ENTITY, language=language, options=wav)


async def seconds(stream: tts.ResultStream) -> float:
    """The duration of the wav for a player. A streamed header has no length."""
    data = b"".join([part async for part in stream.async_stream_result()])
    with wave.open(io.BytesIO(data)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 22_050)
    return (len(data) - 44) / 2 / 22_050


async def test_languages_and_voices(home: HomeAssistant) -> None:
    state = home.states.get(ENTITY)
    assert state is not None
    engine = tts.get_engine_instance(home, ENTITY)
    assert isinstance(engine, tts.TextToSpeechEntity)
    assert sorted(engine.supported_languages) == ["en-US", "hi-IN"]
    assert engine.async_supports_streaming_input()
    voices = engine.async_get_supported_voices("hi-IN")
    assert voices
    assert (voices[0].voice_id, voices[0].name) == ("hi-IN-aria", "Aria (Hindi)")
    assert len(voices) == 5


@pytest.mark.parametrize(
    ("text", "language", "options"),
    [
        ("The front door is open.", "en-US", {}),
        ("The front door is open.", "en-US", {"voice": "en-US-leo"}),
        ("सामने का दरवाज़ा खुला है।", "hi-IN", {"voice": "hi-IN-sofia"}),
    ],
)
async def test_a_message(home: HomeAssistant, text: str, language: str, options: dict[str, str]) -> None:
    stream = audio_of(home, language, **options)
    stream.async_set_message(text)
    assert 1 < await seconds(stream) < 5


async def test_an_answer_of_a_language_model(home: HomeAssistant) -> None:
    async def answer() -> AsyncIterator[str]:
        for piece in ["It is 2", "1.5 degrees in the kit", "chen. The win", "dow is closed."]:
            yield piece

    stream = audio_of(home, "en-US", voice="en-US-john")
    stream.async_set_message_stream(answer())
    assert 3 < await seconds(stream) < 9


async def test_a_voice_that_it_does_not_have(home: HomeAssistant) -> None:
    engine = tts.get_engine_instance(home, ENTITY)
    assert isinstance(engine, tts.TextToSpeechEntity)
    # Versions up to 2026.2 ignore an error and wait for the end of the connection; later ones raise it.
    kind, audio = await engine.async_get_tts_audio("Hello.", "en-US", {"voice": "bob"})
    assert (kind, audio) == (None, None)
