"""``python -m libspeech`` and the command ``libspeech``: their output and their errors."""

from __future__ import annotations

import errno
import importlib.metadata
import io
import json
import os
import pty
import resource
import signal
import subprocess
import sys
import time
import wave
from pathlib import Path
from textwrap import dedent

import libspeech
import pytest
from conftest import CommandLine
from libspeech import MAX_CHARACTERS, Engine, Language, VoiceId, _cli_say
from support import LONG, TEXT, running_reference, variable


def pcm_of(wav: bytes) -> bytes:
    with wave.open(io.BytesIO(wav)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 22050)
        pcm: bytes = file.readframes(file.getnframes())
        return pcm


@pytest.fixture
def say(command_line: CommandLine, fake_model: Path) -> CommandLine:
    """Run ``say`` with the fake model."""

    def say(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return command_line("say", "--bundle", str(fake_model), "--threads", "1", *arguments, stdin=stdin)

    return say


def test_a_rate_and_an_encoding(say: CommandLine, engine: Engine) -> None:
    audio = engine.synthesize(TEXT, sample_rate=8000, encoding="mulaw")
    options = ("--sample-rate", "8000", "--encoding", "mulaw")
    assert say(TEXT, *options, "--format", "pcm").stdout == audio.data
    assert say(TEXT, *options).stdout == audio.wav
    refused = say(TEXT, "--sample-rate", "11025")
    assert refused.returncode == 1
    assert b"sample_rate is 11025; it must be 8000, 16000, 22050, 24000, 44100 or 48000" in refused.stderr


def installed_command(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run the command ``libspeech`` like the script installed by the wheel."""
    (entry,) = [e for e in importlib.metadata.distribution("libspeech-sdk").entry_points if e.name == "libspeech"]
    assert entry.group == "console_scripts"
    monkeypatch.setattr(sys, "argv", ["/usr/bin/libspeech", *arguments])
    status: int = entry.load()()
    return status


def test_the_installed_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert installed_command(monkeypatch, "voices", "--json") == 0
    assert json.loads(capsys.readouterr().out) == json.loads(libspeech.voices().to_json())
    with pytest.raises(SystemExit, match="2"):
        installed_command(monkeypatch, "nonsense")
    assert capsys.readouterr().err.startswith("usage: libspeech [-h]")


def test_the_script_of_the_command(fake_model: Path, tmp_path: Path) -> None:
    files = importlib.metadata.files("libspeech-sdk") or []
    scripts = [Path(str(file.locate())) for file in files if file.name == "libspeech" and file.parent.name == "bin"]
    assert scripts, "the wheel installs no command"
    output = tmp_path / "a.wav"
    command = [str(scripts[0]), "say", "Hello.", "-o", str(output), "--bundle", str(fake_model), "--threads", "1"]
    done = subprocess.run(command, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(pcm_of(output.read_bytes())) > 0


def test_say(say: CommandLine, engine: Engine, tmp_path: Path) -> None:
    run = say(TEXT, "-o", "a.wav", "--voice", "leo", "--language", "hi-IN")
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")
    assert (tmp_path / "a.wav").read_bytes() == engine.synthesize(TEXT, language="hi-IN", voice="leo").wav


@pytest.mark.parametrize("output", [[], ["-o", "-"], ["--output", "-"]])
def test_to_standard_output(say: CommandLine, engine: Engine, output: list[str]) -> None:
    run = say(TEXT, *output)
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout == engine.synthesize(TEXT).wav


def test_as_pcm(say: CommandLine, engine: Engine) -> None:
    assert say(TEXT, "--format", "pcm").stdout == engine.synthesize(TEXT).pcm
    early = say(TEXT, "--format", "pcm", "--latency", "low")
    assert (early.returncode, early.stderr) == (0, b"")
    assert len(early.stdout) > 22_050


def test_of_a_quality(say: CommandLine, engine: Engine) -> None:
    assert say(TEXT, "--quality", "light").stdout == engine.synthesize(TEXT, quality="light").wav


def test_from_standard_input(say: CommandLine, engine: Engine) -> None:
    run = say(stdin="नमस्ते 😀.\n".encode())
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout == engine.synthesize("नमस्ते 😀.").wav


def test_from_a_file(say: CommandLine, engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_bytes("We won ❤️.\r\n".encode())
    run = say("--file", "text.txt", "--read-emoji")
    assert run.stdout == engine.synthesize("We won ❤️.", read_emoji=True).wav
    assert say("-f", "-", stdin=b"One.\n").stdout == engine.synthesize("One.").wav


@pytest.mark.parametrize(
    ("text", "message"),
    [(b"a", b"text_too_long"), ("क".encode(), b"text_too_long"), (b"\0", b"NUL")],
)
@pytest.mark.parametrize("arguments", [[], ["--ssml"], ["-f", "-"]])
def test_an_endless_text(arguments: list[str], text: bytes, message: bytes) -> None:
    command = [sys.executable, "-m", "libspeech", "say", *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin
    assert process.stdout
    assert process.stderr
    # One character over the limit is enough: the input stays open.
    process.stdin.write(text * (MAX_CHARACTERS + 1))
    process.stdin.flush()
    assert process.wait(60) == 1
    assert message in process.stderr.read()
    for pipe in (process.stdin, process.stdout, process.stderr):
        pipe.close()


def test_the_limit_is_that_of_the_text(say: CommandLine) -> None:
    text = "क" * MAX_CHARACTERS
    for end in ("", "\n", "\r\n"):
        assert say(stdin=(text + end).encode()).returncode == 0
    assert b"text_too_long" in say(stdin=(text + "\n\n").encode()).stderr


def test_rate_pitch_volume_and_pauses(say: CommandLine, engine: Engine) -> None:
    text = "One. [pause 300ms] Two."
    run = say(text, "--rate", "1.5", "--pitch", "-2", "--volume=-3.5")
    assert run.stdout == engine.synthesize(text, rate=1.5, pitch=-2, volume=-3.5).wav
    assert say(text, "--no-pauses").stdout == engine.synthesize(text, read_pauses=False).wav


@pytest.fixture
def players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with a single folder, which has no player yet."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path / "bin"


def add_player(folder: Path, name: str, script: str) -> None:
    """Add a player that replaces one with a sound card: its last argument is the file."""
    (folder / name).write_text(f"#!/bin/sh\nfor file; do :; done\n{script}\n")
    (folder / name).chmod(0o755)


@pytest.mark.parametrize("name", ["aplay", "paplay", "pw-play", "ffplay", "afplay"])
def test_it_plays(say: CommandLine, engine: Engine, players: Path, tmp_path: Path, name: str) -> None:
    add_player(players, name, '/bin/cat < "$file" > played.wav; echo noise')
    run = say(TEXT, "--play")
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")
    assert (tmp_path / "played.wav").read_bytes() == engine.synthesize(TEXT).wav


def test_it_plays_and_writes(say: CommandLine, engine: Engine, players: Path, tmp_path: Path) -> None:
    add_player(players, "aplay", '/bin/cat < "$file" > played.wav')
    run = say(TEXT, "--play", "-o", "a.pcm", "--format", "pcm")
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")
    assert (tmp_path / "played.wav").read_bytes() == engine.synthesize(TEXT).wav
    assert (tmp_path / "a.pcm").read_bytes() == engine.synthesize(TEXT).pcm


def test_where_nothing_plays(say: CommandLine, players: Path) -> None:
    run = say(TEXT, "--play")
    assert (run.returncode, run.stdout) == (1, b"")
    assert run.stderr.startswith(b"error: no player was found: install one of ")
    add_player(players, "aplay", "exit 3")
    run = say(TEXT, "--play")
    assert (run.returncode, run.stdout) == (1, b"")
    assert b"aplay could not play: it ended with status 3" in run.stderr


REFUSALS: dict[str, tuple[list[str], bytes, str]] = {
    "a voice": (["a", "--voice", "none"], b"", 'unsupported voice "none"'),
    "a language": (["a", "--language", "en"], b"", 'unsupported language "en"'),
    "a format": (["a", "--format", "mp3"], b"", 'unsupported format "mp3"'),
    "a latency": (["a", "--latency", "no"], b"", 'unsupported latency "no"'),
    "a quality": (["a", "--quality", "no"], b"", 'unsupported quality "no"'),
    "a quality that the bundle lacks": (["a", "--voice", "leo", "--quality", "fast"], b"", "it has full"),
    "a rate": (["a", "--rate", "3"], b"", "rate is 3; it must be a number from 0.5 to 2"),
    "low latency of a file": (["a", "--latency", "low"], b"", "latency low is for streams"),
    "a text that is empty": ([""], b"", "text is empty"),
    "an input that is empty": ([], b"\n", "text is"),
    "a text that is long": (["a" * 1001], b"", "text has 1001 characters; the limit is 1000"),
    "an input that is no text": ([], b"\xff\xfe", "UTF-8"),
    "a file that is not there": (["--file", "none.txt"], b"", "none.txt"),
    "a folder that is not there": (["a", "-o", "none/a.wav"], b"", "none/a.wav"),
    "a bundle that is not there": (["a", "--bundle", "none"], b"", "none"),
    "threads": (["a", "--threads", "0"], b"", "threads must be an integer from 1 to 256"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refusal(say: CommandLine, tmp_path: Path, name: str) -> None:
    arguments, stdin, message = REFUSALS[name]
    run = say(*arguments, stdin=stdin)
    errors = run.stderr.decode()
    assert run.returncode == 1, errors
    assert message in errors
    assert "error" in errors
    assert "Traceback" not in errors
    assert len(errors.splitlines()) == 1
    assert run.stdout == b""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["sing"],
        ["say", "a", "--file", "b"],
        ["say", "--threads", "many", "a"],
        ["say", "--tempo", "2", "a"],
        ["say", "--zqxmarker"],
        ["say", "--rate", "fast", "a"],
        ["tiers", "--available", "70"],
        ["voices", "aria"],
    ],
)
def test_wrong_usage(command_line: CommandLine, arguments: list[str]) -> None:
    run = command_line(*arguments)
    assert run.returncode == 2
    assert run.stdout == b""
    assert b"usage: python -m libspeech" in run.stderr
    assert b"zqxmarker" not in run.stderr
    assert b"Traceback" not in run.stderr


def test_help_and_version(command_line: CommandLine) -> None:
    helped = command_line("--help").stdout.decode()
    assert all(command in helped for command in ("say", "voices", "tiers", "fetch"))
    assert b"--voice" in command_line("say", "--help").stdout
    assert libspeech.__version__ in command_line("--version").stdout.decode()


def program(*arguments: str) -> bytes:
    """The standard output of the command line program written in Rust."""
    return subprocess.run(
        [str(variable("SPEECH_PROGRAM")), *arguments], check=True, capture_output=True, timeout=120
    ).stdout


def test_the_listings_are_those_of_the_other_program(command_line: CommandLine) -> None:
    assert json.loads(command_line("voices", "--json").stdout) == json.loads(program("voices", "--json"))
    assert command_line("voices", "--json").stdout == program("voices", "--json")
    assert command_line("tiers", "--json").stdout == program("tiers", "--json")
    some = command_line("tiers", "--json", "--available", "70,6", "70,13").stdout
    assert some == program("tiers", "--json", "--contexts", "70,6", "--contexts", "70,13")


def test_the_listings_for_people(command_line: CommandLine) -> None:
    voices = command_line("voices").stdout.decode()
    assert all(voice.id in voices for voice in libspeech.voices().voices)
    tiers = command_line("tiers", "--available", "70,6").stdout.decode()
    rows = {line.split()[0]: line for line in tiers.splitlines()}
    assert {"ultra", "turbo", "standard", "economy"} <= set(rows)
    assert "yes" in rows["standard"]
    assert "0.000061" in rows["standard"]
    assert "560" in rows["standard"]
    assert "no" in rows["ultra"]


def test_a_pipe_that_is_closed(fake_model: Path) -> None:
    command = [sys.executable, "-m", "libspeech", "say", LONG, "--format", "pcm", "--bundle", str(fake_model)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout
    assert process.stderr
    assert len(process.stdout.read(1000)) == 1000
    process.stdout.close()
    assert process.wait(60) in (0, 1)
    assert process.stderr.read() == b""
    process.stderr.close()


def on_a_terminal(command: list[str]) -> tuple[int, str]:
    """Run a program with a terminal as its standard error; return its status and the terminal output."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    seen = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        seen += part
    os.close(ours)
    return process.wait(60), seen.decode()


def test_progress_is_for_terminals(fake_model: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "libspeech", "say", TEXT, "--bundle", str(fake_model)]
    status, seen = on_a_terminal([*command, "-o", str(tmp_path / "a.wav")])
    assert status == 0
    assert "0/3" in seen
    assert "3/3" in seen
    assert seen.split("\r")[-1].strip() == ""
    assert pcm_of((tmp_path / "a.wav").read_bytes())


@pytest.mark.voices
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
@pytest.mark.parametrize("kind", ["wav", "pcm"])
def test_ctrl_c(tmp_path: Path, kind: str, stop: signal.Signals) -> None:
    command = [sys.executable, "-m", "libspeech", "say", LONG, "--threads", "1", "--format", kind, "-o", "a"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(stop, signal.SIG_DFL)
    )
    time.sleep(1.5)
    assert process.poll() is None
    with running_reference(LONG) as is_running:
        process.send_signal(stop)
        errors = process.communicate(timeout=60)[1]
        assert is_running()
    assert process.returncode in (130, -signal.SIGINT)
    assert b"Traceback" not in errors
    assert list(tmp_path.iterdir()) == []


def test_every_signal_that_ends_a_program_ends_it_as_ctrl_c_does() -> None:
    check = """
    import signal
    from libspeech import _cli
    names = "SIGALRM SIGHUP SIGPROF SIGQUIT SIGTERM SIGUSR1 SIGUSR2 SIGVTALRM SIGXCPU".split()
    # A shell makes background programs ignore some of them.
    for name in names:
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    _cli._end_as_for_ctrl_c()
    print([name for name in names if signal.getsignal(getattr(signal, name)) is not signal.default_int_handler])
    """
    done = subprocess.run([sys.executable, "-c", dedent(check)], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize("kind", ["wav", "pcm"])
def test_a_file_over_the_limit_of_its_size_is_an_error(fake_model: Path, tmp_path: Path, kind: str) -> None:
    options = ["--bundle", str(fake_model), "--format", kind, "-o", "a"]
    command = [sys.executable, "-m", "libspeech", "say", TEXT, *options]
    limit = (1024, 1024)
    done = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit),
    )
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: ")
    assert b"Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError, SystemExit])
def test_what_is_not_whole_leaves_no_file(tmp_path: Path, stop: type[BaseException]) -> None:
    (tmp_path / "there").write_bytes(b"before")
    for name in ("there", "new"):
        with pytest.raises(stop), _cli_say._opened(tmp_path / name) as output:
            output.write(b"some of it")
            raise stop
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
    assert (tmp_path / "there").read_bytes() == b"before"


def test_what_is_written(say: CommandLine, engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"before")
    (tmp_path / "there").chmod(0o640)
    (tmp_path / "link").symlink_to("there")
    pcm = engine.synthesize(TEXT).pcm
    for output in ("link", "new"):
        assert say(TEXT, "--format", "pcm", "-o", output).returncode == 0
    assert say(TEXT, "--format", "pcm", "-o", "/dev/stdout").stdout == pcm
    assert (tmp_path / "there").read_bytes() == (tmp_path / "new").read_bytes() == pcm
    assert (tmp_path / "there").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "new", "there"]


def test_the_text_is_not_replaced(say: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "book").write_text(TEXT)
    (tmp_path / "link").symlink_to("book")
    for output in ("book", "./book", "link"):
        done = say("-f", "book", "-o", output)
        assert (done.returncode, b"is also the text file" in done.stderr) == (1, True)
    assert (tmp_path / "book").read_text() == TEXT


def test_a_file_that_cannot_be_replaced_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: Path, target: Path) -> Path:
        raise OSError(errno.EBUSY, "it is mounted", str(self))

    monkeypatch.setattr(Path, "replace", fails)
    (tmp_path / "there").write_bytes(b"before and more")
    with _cli_say._opened(tmp_path / "there") as output:
        output.write(b"after")
    assert (tmp_path / "there").read_bytes() == b"after"
    with pytest.raises(OSError, match="it is mounted"), _cli_say._opened(tmp_path / "new") as output:
        output.write(b"after")
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


#: Texts, languages and voices: both languages, and every voice.
SPOKEN: list[tuple[str, Language, VoiceId]] = [
    ("It is 10:30.", "en-US", "aria"),
    ("I paid $5.", "en-US", "john"),
    ("Read this.", "en-US", "jason"),
    ("₹5 लाख।", "hi-IN", "sofia"),
    ("files upload करो।", "hi-IN", "leo"),
]


@pytest.mark.voices
@pytest.mark.parametrize(("text", "language", "voice"), SPOKEN, ids=[row[2] for row in SPOKEN])
def test_the_bytes_are_those_of_the_other_program(
    voices_engine: Engine, command_line: CommandLine, text: str, language: Language, voice: VoiceId
) -> None:
    bundle = ["--bundle", str(variable("SPEECH_REFERENCE_BUNDLE"))]
    spoken = ["say", text, "--language", language, "--voice", voice]
    wav = program(*spoken, *bundle, "--threads", "1")
    pcm = program(*spoken, *bundle, "--threads", "2", "--format", "pcm")
    assert pcm_of(wav) == pcm
    audio = voices_engine.synthesize(text, language=language, voice=voice)
    assert (audio.wav, audio.pcm) == (wav, pcm)
    with voices_engine.stream(text, language=language, voice=voice) as stream:
        assert b"".join(chunk.pcm for chunk in stream) == pcm
    assert command_line(*spoken, "--threads", "1").stdout == wav


@pytest.mark.voices
def test_one_thread_gives_the_same_bytes(voices_engine: Engine) -> None:
    text, language, voice = SPOKEN[0]
    with Engine(threads=1) as one:
        pcm = one.synthesize(text, language=language, voice=voice).pcm
    assert pcm == voices_engine.synthesize(text, language=language, voice=voice).pcm
