"""Tests OpenAI's routes with OpenAI's package, and with the requests of two programs that use them.

Needs a running service, started with `--openai` and an ffmpeg. `SPEECH_HTTP_URL` is its address, and
`SPEECH_HTTP_KEY` a key.
"""

from __future__ import annotations

import base64
import io
import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import openai
import pytest
import soundfile

URL, KEY = os.environ["SPEECH_HTTP_URL"] + "/v1", os.environ["SPEECH_HTTP_KEY"]
README = Path(__file__).resolve().parents[2] / "README.md"

RATE = 24_000
TEXT = "The kettle is on. Tea will be ready soon."
CONTENT_TYPES = {
    "mp3": "audio/mpeg",
    "opus": "audio/opus",
    "aac": "audio/aac",
    "flac": "audio/flac",
    "wav": "audio/wav",
    "pcm": "audio/pcm",
}
DELAY_S = 0.1
"""The seconds that the encoders of mp3 and aac add to the audio."""


@pytest.fixture
def client() -> openai.OpenAI:
    return openai.OpenAI(base_url=URL, api_key=KEY, max_retries=0)


def seconds(sound: bytes, form: str) -> float:
    """The duration of the decoded audio, which must have one channel at 24 kHz."""
    if form == "pcm":
        return len(sound) / 2 / RATE
    if form in ("aac", "flac"):
        # libsndfile does not read AAC, and reads FLAC only if the header has the length.
        command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-f", form, "-i", "pipe:0", "-f", "s16le", "pipe:1"]
        return seconds(subprocess.run(command, input=sound, check=True, capture_output=True).stdout, "pcm")
    with soundfile.SoundFile(io.BytesIO(sound)) as file:
        assert (file.channels, file.samplerate) == (1, RATE)
        # The header of a streamed wav has no length.
        return len(file.read(10 * RATE if form == "wav" else -1)) / RATE


def test_every_format_is_the_same_sound(client: openai.OpenAI) -> None:
    lengths = {}
    for form, content_type in CONTENT_TYPES.items():
        answer = client.audio.speech.create(model="tts-1", voice="alloy", input=TEXT, response_format=form)
        assert answer.response.headers["content-type"] == content_type
        lengths[form] = seconds(answer.read(), form)
    whole = lengths["pcm"]
    assert 1.5 < whole < 6
    for form in ("opus", "flac", "wav"):
        assert lengths[form] == pytest.approx(whole, abs=0.002), form
    for form in ("mp3", "aac"):
        assert whole - 0.002 < lengths[form] < whole + DELAY_S, form


def test_mp3_is_the_default_and_speed_is_heard(client: openai.OpenAI) -> None:
    answer = client.audio.speech.create(model="tts-1-hd", voice="onyx", input=TEXT)
    assert answer.response.headers["content-type"] == "audio/mpeg"
    normal = seconds(answer.read(), "mp3")
    fast = client.audio.speech.create(model="tts-1-hd", voice="onyx", input=TEXT, speed=1.5, response_format="pcm")
    assert seconds(fast.read(), "pcm") == pytest.approx(normal / 1.5, rel=0.15)


def test_the_answer_streams(client: openai.OpenAI) -> None:
    text = "This is one of several sentences. " * 6
    create = client.audio.speech.with_streaming_response.create
    with create(model="tts-1", voice="sage", input=text, response_format="wav") as answer:
        assert answer.headers["transfer-encoding"] == "chunked"
        assert answer.headers["x-characters"] == str(len(text))
        assert answer.request_id
        parts = list(answer.iter_bytes())
    assert len(parts) > 1
    assert parts[0].startswith(b"RIFF\xff\xff\xff\xffWAVE")
    assert seconds(b"".join(parts), "wav") > 5


def test_a_long_input_is_spoken_by_parts(client: openai.OpenAI) -> None:
    text = "Go on. " * 160
    create = client.audio.speech.with_streaming_response.create
    with create(model="libspeech", voice="aria", input=text, response_format="pcm") as answer:
        assert answer.headers["x-characters"] == str(len(text))
        assert len(next(answer.iter_bytes())) > RATE / 10


def test_hindi_is_told_by_its_letters(client: openai.OpenAI) -> None:
    def spoken(**more: Any) -> bytes:
        text, body = "नमस्ते दुनिया।", dict(more)
        answer = client.audio.speech.create(
            model="tts-1", voice="nova", input=text, response_format="pcm", extra_body=body
        )
        return answer.read()

    assert spoken() == spoken(language="hi-IN")


@pytest.mark.parametrize("form", ["pcm", "mp3"])
def test_events_have_the_same_sound(client: openai.OpenAI, form: str) -> None:
    request = {"model": "gpt-4o-mini-tts", "voice": "coral", "input": TEXT, "response_format": form}
    whole = client.audio.speech.create(**request).read()
    create = client.audio.speech.with_streaming_response.create
    with create(**request, stream_format="sse", instructions="Be cheerful.") as answer:
        assert answer.headers["content-type"] == "text/event-stream"
        lines = [line for line in answer.iter_lines() if line]
    events = [json.loads(line.removeprefix("data: ")) for line in lines]
    assert {event["type"] for event in events[:-1]} == {"speech.audio.delta"}
    assert b"".join(base64.b64decode(event["audio"]) for event in events[:-1]) == whole
    count = len(TEXT)
    usage = {"input_tokens": count, "output_tokens": 0, "total_tokens": count}
    assert events[-1] == {"type": "speech.audio.done", "usage": usage}


def test_a_voice_may_be_an_object(client: openai.OpenAI) -> None:
    def spoken(voice: Any) -> bytes:
        return client.audio.speech.create(model="tts-1", voice=voice, input="Hi.", response_format="pcm").read()

    assert spoken("cedar") == spoken({"id": "cedar"}) == spoken("john") != spoken("sofia")


def test_models_are_listed(client: openai.OpenAI) -> None:
    models = {model.id: model for model in client.models.list()}
    assert {"libspeech", "tts-1", "tts-1-hd", "gpt-4o-mini-tts"} <= set(models)
    assert client.models.retrieve("tts-1") == models["tts-1"]
    assert models["tts-1"].owned_by == "libspeech"


@pytest.mark.parametrize(
    ("wrong", "param", "code"),
    [
        ({"voice": "nobody"}, "voice", "invalid_value"),
        ({"voice": None}, "voice", "missing_required_parameter"),
        ({"voice": ["alloy"]}, "voice", "invalid_type"),
        ({"input": ""}, "input", "empty_string"),
        ({"input": "a" * 4097}, "input", "string_above_max_length"),
        ({"input": "a\0"}, "input", "invalid_value"),
        ({"input": None}, "input", "missing_required_parameter"),
        ({"speed": 0.2}, "speed", "decimal_below_min_value"),
        ({"speed": 4.1}, "speed", "decimal_above_max_value"),
        ({"speed": "fast"}, "speed", "invalid_type"),
        ({"response_format": "ogg"}, "response_format", "invalid_value"),
        ({"stream_format": "lines"}, "stream_format", "invalid_value"),
        ({"language": "fr-FR"}, "language", "invalid_value"),
    ],
)
def test_what_is_wrong_is_a_bad_request(client: openai.OpenAI, wrong: Mapping[str, Any], param: str, code: str) -> None:
    request = {"model": "tts-1", "voice": "alloy", "input": "Hi."}
    with pytest.raises(openai.BadRequestError) as caught:
        client.audio.speech.create(**request, extra_body=wrong)
    assert (caught.value.param, caught.value.code) == (param, code)
    assert caught.value.type == "invalid_request_error"
    assert f"'{param}'" in caught.value.message or "Supported values" in caught.value.message
    assert caught.value.request_id


def test_other_errors_are_those_of_the_package(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError) as missing:
        client.audio.speech.create(model="tts-9", voice="alloy", input="Hi.")
    assert (missing.value.param, missing.value.code) == ("model", "model_not_found")
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("whisper-1")
    stranger = client.with_options(api_key="sk_live_no")
    for ask in (stranger.models.list, lambda: stranger.audio.speech.create(model="tts-1", voice="ash", input="Hi.")):
        with pytest.raises(openai.AuthenticationError) as refused:
            ask()
        assert refused.value.code == "invalid_api_key"


def asked(path: str, body: Mapping[str, Any] | None = None, **headers: str) -> tuple[bytes, str]:
    """The response to a program without OpenAI's package."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data, headers)
    with urllib.request.urlopen(request) as answer:
        return answer.read(), answer.headers["content-type"]


def test_open_webui_is_answered() -> None:
    """The requests of Open WebUI 0.12.4: `_tts_openai` and `get_available_voices` in `routers/audio/__init__.py`.

    The text and the voice come from its page, and the model from its settings.
    """
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"}
    body = {"input": "Hello there.", "voice": "alloy", "model": "tts-1"}
    sound, content_type = asked("/audio/speech", body, **headers)
    assert content_type == "audio/mpeg"
    assert seconds(sound, "mp3") > 0.5
    # It requests the voices without a key.
    voices, _ = asked("/audio/voices")
    names = {voice["id"]: voice["name"] for voice in json.loads(voices).get("voices", [])}
    assert names == {"aria": "Aria", "jason": "Jason", "john": "John", "leo": "Leo", "sofia": "Sofia"}


@pytest.mark.parametrize("model", ["gpt-4o-mini-tts", "tts-1"])
def test_livekit_is_answered(model: str) -> None:
    """The request of livekit-plugins-openai 1.8.9 and its use of the response: `ChunkedStream._run` in `tts.py`."""
    client = openai.OpenAI(base_url=URL, api_key=KEY, max_retries=0)
    create = client.audio.speech.with_streaming_response.create
    request = create(
        input="Hello there.",
        model=model,
        voice="ash",
        response_format="mp3",
        speed=1.0,
        instructions=openai.omit,
        stream_format="audio" if model == "tts-1" else "sse",
    )
    sound, tokens = bytearray(), 0
    with request as stream:
        assert stream.request_id
        media_type = stream.headers.get("content-type", "").split(";")[0].strip().lower()
        if media_type != "text/event-stream":
            assert media_type == "audio/mpeg"
            sound += b"".join(stream.iter_bytes())
        for line in stream.iter_lines() if not sound else ():
            if not line.startswith("data: "):
                continue
            event = json.loads(line[6:])
            if event["type"] == "speech.audio.delta":
                sound += base64.b64decode(event.get("delta", "") or event.get("audio", ""))
            elif event["type"] == "speech.audio.done":
                tokens = event["usage"]["input_tokens"]
    assert tokens == (0 if model == "tts-1" else len("Hello there."))
    assert seconds(bytes(sound), "mp3") > 0.5


def test_the_lines_of_the_readme_work(tmp_path: Path) -> None:
    section = README.read_text(encoding="utf-8").split("## OpenAI's routes\n")[1].split("\n## ")[0]
    blocks = dict(re.findall(r"```(shell|python)\n(.*?)```", section, re.DOTALL))
    environment = {**os.environ, "OPENAI_BASE_URL": URL, "OPENAI_API_KEY": KEY}
    for command in (["sh", "-eu", "-c", blocks["shell"]], [sys.executable, "-c", blocks["python"]]):
        subprocess.run(command, cwd=tmp_path, env=environment, check=True)
    made = {file.name: seconds(file.read_bytes(), file.suffix[1:]) for file in tmp_path.iterdir()}
    assert set(made) == {"hello.mp3", "hello.opus"}
    assert min(made.values()) > 0.5
