"""The examples, the benchmark, and the snippets of the package's README, unchanged."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import wave
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any, get_args

import libspeech
import pytest
from support import LONG, joined, until

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples" / "python"
MOUTH = ROOT / "examples" / "mouth"
README = ROOT / "bindings" / "python" / "README.md"
ALL = {"agent", "batch", "play", "pronunciations", "server", "tiers", "whole", "wyoming_server"}
# `cargo xtask full` tests these, in examples/python/tests.
OF_FRAMEWORKS = {"live_socket", "livekit_plugin", "pipecat_service"}
# The tests of the service include this one.
OF_SERVICE = {"live_client"}

# A sound card that writes the audio to a file; in real time, if SLOW is set. pytest may run with Ctrl-C ignored: the
# handler restores the default, as for a program started by a user.
SOUND_CARD = """\
import os, signal, time

signal.signal(signal.SIGINT, signal.default_int_handler)


class RawOutputStream:
    def __init__(self, *, samplerate, channels, dtype):
        assert (channels, dtype) == (1, "int16")
        self.bytes_per_second = 2 * samplerate

    def __enter__(self):
        self.played = open("played.pcm", "wb", buffering=0)
        return self

    def __exit__(self, *error):
        self.played.close()

    def write(self, data):
        self.played.write(data)
        if "SLOW" in os.environ:
            time.sleep(len(data) / self.bytes_per_second)

    def abort(self):
        open("aborted", "w").close()
"""

# The example, with its internal state at /state.
WATCHED = """\
import asyncio

import server
from libspeech import Engine

app, pcm = server.app, server.pcm
streams = []
state = {"begun": 0, "cancelled": 0, "chunks": 0}


class Watched(Engine):
    def stream(self, *arguments):
        streams.append(super().stream(*arguments))
        return streams[-1]

    async def asynthesize(self, *arguments):
        state["begun"] += 1
        try:
            return await super().asynthesize(*arguments)
        except asyncio.CancelledError:
            state["cancelled"] += 1
            raise


async def counted(*arguments):
    async for part in pcm(*arguments):
        state["chunks"] += 1
        yield part


@app.get("/state")
async def watched():
    open_streams = sum(not stream.closed for stream in streams)
    return {**state, "open": open_streams, "sentences": sum(s.sentences for s in streams)}


server.Engine, server.pcm = Watched, counted
"""


def environment(**changes: str) -> dict[str, str]:
    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **changes}


def search_path(*folders: Path) -> str:
    """``PYTHONPATH`` with these folders first."""
    inherited = os.environ.get("PYTHONPATH")
    return os.pathsep.join([*map(str, folders), *([inherited] if inherited else [])])


def example(name: str, *arguments: str, cwd: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), *arguments]
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, timeout=120)


def output(run: subprocess.CompletedProcess[bytes]) -> str:
    """The standard output of a program that must succeed, with nothing on standard error."""
    assert (run.returncode, run.stderr) == (0, b""), run.stderr.decode()
    return run.stdout.decode()


def seconds(path: Path) -> float:
    with wave.open(str(path), "rb") as audio:
        assert (audio.getnchannels(), audio.getsampwidth(), audio.getframerate()) == (1, 2, 22_050)
        return audio.getnframes() / audio.getframerate()


@pytest.fixture
def with_fake_model(fake_model: Path) -> dict[str, str]:
    """The environment of a program that uses the fake model."""
    return environment(SPEECH_BUNDLE=str(fake_model))


def test_every_example_is_listed_and_tested() -> None:
    listing = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert {path.stem for path in EXAMPLES.glob("*.py")} == ALL | OF_FRAMEWORKS | OF_SERVICE
    assert [name for name in sorted(ALL | OF_FRAMEWORKS | OF_SERVICE) if name not in listing] == []


def test_whole(tmp_path: Path, with_fake_model: dict[str, str]) -> None:
    assert output(example("whole", cwd=tmp_path, env=with_fake_model)) == ""
    assert seconds(tmp_path / "hello.wav") > 0.25


def test_pronunciations(tmp_path: Path, with_fake_model: dict[str, str]) -> None:
    lines = output(example("pronunciations", cwd=tmp_path, env=with_fake_model)).splitlines()
    words = ["Siobhan's", "friend", "Nguyen", "runs", "kubectl"]
    assert [line.split(" s  ")[1] for line in lines[:-1]] == words
    assert "is not a phoneme symbol" in lines[-1]
    assert seconds(tmp_path / "names.wav") > 0.25


def test_tiers(tmp_path: Path) -> None:
    run = example("tiers", "ultra", "turbo", "--seconds", "90", cwd=tmp_path, env=environment())
    assert output(run).splitlines() == [
        "ultra       80 ms  0.000139 USD a second  (not here)",
        "turbo      320 ms  0.000100 USD a second",
        "standard   560 ms  0.000061 USD a second",
        "economy   1120 ms  0.000042 USD a second  (not here)",
        "while a person waits in mid-sentence: turbo, standard",
        'tier "ultra" is not available here',
        "90 s in turbo: 9000 micro-dollars",
    ]


def test_agent(tmp_path: Path, with_fake_model: dict[str, str], engine: libspeech.Engine) -> None:
    run = example("agent", cwd=tmp_path, env=with_fake_model)
    whole = engine.synthesize("It cost $3.50. Dr. No paid it, and went home.")
    assert (run.returncode, run.stderr) == (0, b"")
    # Whether a sentence begins before its end is known depends on when its pieces arrive.
    assert len(run.stdout) == pytest.approx(len(whole.pcm), rel=0.5)


def test_mouth(tmp_path: Path, with_fake_model: dict[str, str]) -> None:
    command = [sys.executable, "-W", "error", str(MOUTH / "make.py"), "Papa may be home.", "--voice", "leo"]
    run = subprocess.run(command, cwd=tmp_path, env=with_fake_model, capture_output=True, timeout=60)
    assert output(run) == ""
    events = json.loads((tmp_path / "visemes.json").read_text(encoding="utf-8"))
    assert [word["text"] for word in events["words"]] == ["Papa", "may", "be", "home"]
    assert events["visemes"][-1]["end"] == pytest.approx(seconds(tmp_path / "speech.wav"))
    page = (MOUTH / "index.html").read_text(encoding="utf-8")
    shapes = re.findall(r"^    (\w+): \[", page, re.MULTILINE)
    assert shapes == list(get_args(libspeech.VisemeName))


@pytest.mark.parametrize("tqdm", [True, False])
def test_batch(tmp_path: Path, with_fake_model: dict[str, str], tqdm: bool) -> None:
    rows = [
        ("id", "text", "voice"),
        ("first", "Hello.", "leo"),
        ("empty", "  ", "leo"),
        ("nobody", "Hello, to you.", "nobody"),
        ("no/where", "Hello, to you.", "leo"),
        ("last", "One more.", ""),
    ]
    with (tmp_path / "rows.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    env = dict(with_fake_model)
    if not tqdm:
        (tmp_path / "modules").mkdir()
        (tmp_path / "modules" / "tqdm.py").write_text("raise ImportError")
        env["PYTHONPATH"] = search_path(tmp_path / "modules")
    run = example("batch", "rows.csv", "out", "--at-once", "2", cwd=tmp_path, env=env)
    account = run.stderr.decode()
    assert run.returncode == 1, account
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["first.wav", "last.wav"]
    assert seconds(tmp_path / "out" / "last.wav") > 0.25
    assert ("5/5" in account) == tqdm
    assert "empty: text is only white space\n" in account
    assert 'nobody: unsupported voice "nobody"' in account
    assert "no/where: " in account


def sound_card(folder: Path, **changes: str) -> dict[str, str]:
    """The environment of a program with the simulated sound card."""
    (folder / "modules").mkdir()
    (folder / "modules" / "sounddevice.py").write_text(SOUND_CARD)
    return environment(PYTHONPATH=search_path(folder / "modules"), **changes)


def test_play(tmp_path: Path, fake_model: Path, engine: libspeech.Engine) -> None:
    env = sound_card(tmp_path, SPEECH_BUNDLE=str(fake_model))
    text = "First this, which is not short. Then that."
    assert output(example("play", text, "--voice", "leo", cwd=tmp_path, env=env)) == ""
    spoken = joined(engine.stream(text, voice="leo", latency="low"))
    assert (tmp_path / "played.pcm").read_bytes() == spoken


def test_play_is_interrupted(tmp_path: Path, fake_model: Path, engine: libspeech.Engine) -> None:
    env = sound_card(tmp_path, SPEECH_BUNDLE=str(fake_model), SLOW="1")
    played = tmp_path / "played.pcm"
    command = [sys.executable, str(EXAMPLES / "play.py"), LONG]
    with subprocess.Popen(command, cwd=tmp_path, env=env, stderr=subprocess.PIPE) as program:
        until(lambda: played.exists() and played.stat().st_size > 0, "nothing is played")
        program.send_signal(2)
        _, account = program.communicate(timeout=60)
    assert (program.returncode, account) == (130, b"")
    assert (tmp_path / "aborted").exists()
    assert played.stat().st_size < len(joined(engine.stream(LONG, latency="low")))


class Service:
    """The example, as uvicorn runs it."""

    def __init__(self, folder: Path) -> None:
        (folder / "watched.py").write_text(WATCHED)
        self._log = folder / "log"
        command = [sys.executable, "-m", "uvicorn", "watched:app", "--port", "0"]
        env = environment(PYTHONPATH=search_path(folder, EXAMPLES))
        with self._log.open("w") as log:
            self._process = subprocess.Popen(command, cwd=folder, env=env, stderr=log, stdout=log)

    def log(self) -> str:
        """Its log so far."""
        return self._log.read_text()

    def _started(self) -> bool:
        assert self._process.poll() is None, self.log()
        return "Uvicorn running on" in self.log()

    def connect(self) -> HTTPConnection:
        """A new connection."""
        until(self._started, "the service does not start", 60)
        port = re.findall(r"running on http://127.0.0.1:(\d+)", self.log())[0]
        return HTTPConnection("127.0.0.1", int(port), timeout=60)

    def request(self, method: str, path: str, body: object = None) -> tuple[HTTPResponse, bytes]:
        """The complete response to one request."""
        connection = self.connect()
        connection.request(method, path, None if body is None else json.dumps(body))
        response = connection.getresponse()
        answer = response.read()
        connection.close()
        return response, answer

    def state(self) -> dict[str, int]:
        """Its internal state."""
        state: dict[str, int] = json.loads(self.request("GET", "/state")[1])
        return state

    def stop(self) -> None:
        """Stop the service."""
        self._process.terminate()
        self._process.wait(60)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service(tmp_path_factory.mktemp("service"))
    yield service
    service.stop()
    assert "Finished server process" in service.log()
    assert "Traceback" not in service.log()


@pytest.mark.voices
def test_server_speaks(service: Service) -> None:
    text = "First this. Then that."
    answers = {}
    for format, kind in [("wav", "audio/wav"), ("pcm", "audio/L16")]:
        response, answers[format] = service.request("POST", "/v1/speech", {"text": text, "format": format})
        assert (response.status, response.headers["Content-Type"]) == (200, kind)
        assert response.headers["X-Characters"] == str(len(text))
        assert response.headers["X-Sample-Rate"] == "22050"
        assert len(response.headers["X-Request-Id"]) == 36
    assert answers["wav"][:4] == b"RIFF"
    assert answers["wav"][44:] == answers["pcm"]
    assert json.loads(service.request("GET", "/v1/speech/voices")[1])["default_voice"] == "aria"


@pytest.mark.voices
def test_server_refuses(service: Service) -> None:
    rows: list[tuple[str, str, Any, int, str]] = [
        ("POST", "/v1/speech", {"text": " "}, 400, "empty_text"),
        ("POST", "/v1/speech", {"text": "a" * 1001, "format": "pcm"}, 400, "text_too_long"),
        ("POST", "/v1/speech", {"text": "Hello.", "voice": "bob"}, 400, "invalid_request"),
        ("POST", "/v1/speech", [], 400, "invalid_request"),
        ("GET", "/v1/speech", None, 405, "method_not_allowed"),
        ("GET", "/v1/nothing", None, 404, "not_found"),
    ]
    for method, path, body, status, kind in rows:
        response, answer = service.request(method, path, body)
        error = json.loads(answer)["error"]
        assert (response.status, error["type"]) == (status, kind), answer
        assert sorted(error) == ["message", "request_id", "type"]


@pytest.mark.voices
def test_server_stops_for_a_client_that_leaves(service: Service) -> None:
    before = service.state()
    connection = service.connect()
    connection.request("POST", "/v1/speech", json.dumps({"text": LONG, "format": "pcm"}))
    assert connection.getresponse().read(1)
    connection.close()
    until(lambda: service.state()["open"] == 0, "the stream runs on")
    after = service.state()
    assert after["sentences"] - before["sentences"] == 13
    assert 0 < after["chunks"] - before["chunks"] < 13

    connection = service.connect()
    connection.request("POST", "/v1/speech", json.dumps({"text": LONG}))
    until(lambda: service.state()["begun"] > after["begun"], "it does not begin")
    connection.close()
    until(lambda: service.state()["cancelled"] == 1, "the synthesis runs on")


def test_benchmark(tmp_path: Path, fake_model: Path) -> None:
    program = ROOT / "bindings" / "python" / "benches" / "overhead.py"
    command = [sys.executable, str(program), "--bundle", str(fake_model), "--repeat", "2"]
    run = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, timeout=120)
    first, *lines, last = output(run).splitlines()
    assert first.startswith("1 threads, ")
    figures = r"core [\d.]+ ms; added -?\d+ µs \(median\), -?\d+ µs \(95 %\), [+-][\d.]+%"
    assert len(lines) == 5
    assert [line for line in lines if not re.fullmatch(rf"[\w ,]+: {figures}", line)] == []
    assert re.fullmatch(r"all calls: [+-][\d.]+% of the core's time", last)


def blocks(kind: str) -> list[str]:
    text = README.read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


@pytest.mark.voices
@pytest.mark.parametrize("block", [pytest.param(b, id=str(n)) for n, b in enumerate(blocks("python"), 1)])
def test_program_of_the_readme(block: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(block, encoding="utf-8")
    command = [sys.executable, "-W", "error", str(program)]
    output(subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120))
    for name in re.findall(r'save\("(.*?)"\)', block):
        assert seconds(tmp_path / name) > 0.5


@pytest.mark.voices
def test_commands_of_the_readme(tmp_path: Path) -> None:
    (tmp_path / "book.txt").write_text("A short book. It has two sentences.\n")
    programs = {
        "python": f'#!/bin/sh\nexec "{sys.executable}" "$@"\n',
        # Players that replace a sound card.
        "afplay": '#!/bin/sh\ncat "$1" > played.wav\n',
        "aplay": "#!/bin/sh\ncat > played.pcm\n",
    }
    (tmp_path / "bin").mkdir()
    for name, source in programs.items():
        (tmp_path / "bin" / name).write_text(source)
        (tmp_path / "bin" / name).chmod(0o755)
    env = environment(PATH=os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]]))
    (block,) = blocks("sh")
    run = subprocess.run(["sh", "-eu", "-c", block], cwd=tmp_path, env=env, capture_output=True, timeout=120)
    assert "aria" in output(run)
    assert seconds(tmp_path / "morning.wav") > 0.5
    assert (tmp_path / "played.pcm").stat().st_size > 44_100
    assert seconds(tmp_path / "played.wav") > 0.5


def test_every_block_is_of_a_kind_that_is_tested() -> None:
    text = README.read_text(encoding="utf-8")
    kinds = re.findall(r"^```(.*)$", text, re.MULTILINE)
    assert set(kinds[::2]) == {"console", "python", "sh"}
    assert set(kinds[1::2]) == {""}
    assert blocks("console") == ["$ pip install libspeech-sdk libspeech-sdk-voices\n"]
