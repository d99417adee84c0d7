"""Batches: results, resuming, interruption, errors, and the folder of the command."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import wave
from pathlib import Path
from typing import Any

import libspeech
import pytest
from conftest import Run, Start
from libspeech import Engine, _cluster, batch
from support import clean, variable

ROWS: list[dict[str, Any]] = [
    {"id": "hello", "text": "Hello, 😀 you. And you.", "voice": "leo", "rate": 1.5},
    {"id": "empty", "text": " "},
    {"id": "again", "text": "Hello, 😀 you. And you.", "voice": "leo", "rate": 1.5},
    {"id": "hindi", "text": "नमस्ते। एक।", "language": "hi-IN", "pronunciations": {"एक": "/eːk/"}},
]


def test_rows_are_spoken_and_found_again(engine: Engine, tmp_path: Path) -> None:
    with batch.speak(engine, ROWS, tmp_path / "out") as run:
        rows = {row.id: row for row in run}
        assert (run.progress.rows, run.progress.all, run.progress.left) == (4, 4, 0)
        assert run.progress.spoken == 3
        assert run.progress.seconds > 0
    assert run.closed
    report = run.report
    assert report is not None
    assert (report.rows, report.done, report.failed, report.spoken) == (4, 3, {"empty_text": 1}, 3)
    assert isinstance(rows["empty"].error, libspeech.EmptyTextError)
    assert rows["empty"].sound is None
    sound = rows["hello"].sound
    assert sound is not None
    assert rows["again"].sound == sound
    audio = engine.synthesize(ROWS[0]["text"], voice="leo", rate=1.5)
    with wave.open(str(sound.path)) as file:
        assert file.readframes(file.getnframes()) == audio.pcm
    assert [word.span for word in sound.words] == [word.span for word in audio.words]
    assert [ROWS[0]["text"][span] for span in sound.skipped] == ["😀"]
    again = batch.speak(engine, ROWS, tmp_path / "out")
    assert {row.id: (row.key, row.sound) for row in again} == {id_: (row.key, row.sound) for id_, row in rows.items()}
    assert again.report is not None
    assert (again.report.spoken, again.report.digest) == (0, report.digest)
    # A run that found everything cannot estimate the time of a row.
    assert (again.progress.rows, again.progress.spoken, again.progress.left) == (4, 0, None)
    checked, damage = batch.check(tmp_path / "out")
    assert (checked.digest, damage) == (report.digest, [])
    sound.path.write_bytes(sound.path.read_bytes()[:-1] + b"x")
    assert {row.id for row in batch.check(tmp_path / "out")[1]} == {"hello", "again"}
    list(batch.speak(engine, ROWS, tmp_path / "out", verify=True))
    assert batch.check(tmp_path / "out") == (checked, [])


def test_a_table_in_a_file_and_flac(engine: Engine, tmp_path: Path) -> None:
    table = tmp_path / "rows.csv"
    table.write_text("id,text\n1,One.\n2,Two.\n")
    rows = list(batch.speak(engine, table, tmp_path / "out", format="flac", sample_rate=8000, shard=(0, 1)))
    assert sorted(row.id for row in rows) == ["1", "2"]
    for row in rows:
        assert row.sound is not None
        assert row.sound.path.read_bytes()[:4] == b"fLaC"


@pytest.mark.parametrize("module", ["ray", "spark"])
def test_a_missing_extra_is_named(run: Run, module: str) -> None:
    ended = run(
        """
        import importlib
        sys.modules["ray"] = sys.modules["pyspark"] = None
        try:
            importlib.import_module(f"libspeech.{sys.argv[1]}")
        except ImportError as error:
            print(error)
        """,
        module,
    )
    assert clean(ended) == f"libspeech.{module} needs more packages: pip install 'libspeech-sdk[{module}]'\n"


def test_the_options_of_a_cluster_are_those_of_an_engine_and_of_a_batch() -> None:
    known = inspect.signature(Engine).parameters.keys() | inspect.signature(batch.speak).parameters.keys()
    assert known > _cluster.Options.__optional_keys__


@pytest.mark.voices
def test_the_folder_is_that_of_the_command(tmp_path: Path) -> None:
    table = tmp_path / "rows.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    with Engine(threads=1) as engine:
        list(batch.speak(engine, ROWS, tmp_path / "python"))
    bundle: list[str | Path] = ["--bundle", variable("SPEECH_REFERENCE_BUNDLE")]
    command: list[str | Path] = [variable("SPEECH_PROGRAM"), "batch", table, "-o", tmp_path / "command"]
    command += ["--accept-failures", *bundle]
    subprocess.run(command, check=True, capture_output=True)

    def files(name: str) -> dict[Path, bytes]:
        folder = tmp_path / name
        return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    assert files("python") == files("command")


def test_what_is_wrong_is_an_error_of_the_first_step(engine: Engine, tmp_path: Path) -> None:
    row = {"id": "1", "text": "One."}
    list(batch.speak(engine, [row], tmp_path / "out"))
    cases: list[tuple[list[dict[str, Any]], dict[str, Any], str]] = [
        ([{**row, "voise": "leo"}], {}, "unknown field `voise`"),
        ([row, {**row, "text": "Two."}], {}, "two different requests"),
        ([{"id": "", "text": "x"}], {}, "id is empty"),
        ([row], {"encoding": "mulaw"}, "encoding"),
        ([row], {"sample_rate": 11025}, "sample rate"),
        ([row], {"format": "ogg"}, "wav or flac"),
        ([row], {"format": "flac", "encoding": "mulaw"}, "pcm16"),
        ([row], {"shard": (2, 2)}, "shard"),
    ]
    for rows, options, problem in cases:
        with pytest.raises(libspeech.InvalidRequestError, match=problem):
            next(batch.speak(engine, rows, tmp_path / "out", **options))
    with pytest.raises(libspeech.InternalError):
        next(batch.speak(engine, tmp_path / "missing.jsonl", tmp_path / "out"))
    with pytest.raises(libspeech.InvalidRequestError, match="not the output folder of a batch"):
        batch.check(tmp_path)
    for bad in ([1], [{"id": "1", "text": b"x"}]):
        with pytest.raises(libspeech.WrongTypeError):
            batch.speak(engine, bad, tmp_path / "out")  # type: ignore[arg-type]


def test_closing_it_ends_it_and_the_next_run_goes_on(engine: Engine, tmp_path: Path) -> None:
    rows = [{"id": str(number), "text": f"Row {number}."} for number in range(400)]
    with batch.speak(engine, rows, tmp_path / "out") as run:
        first = next(run)
        assert first.sound is not None
    assert run.closed
    assert run.report is None
    assert next(run, None) is None
    last = batch.speak(engine, rows, tmp_path / "out")
    assert {row.id for row in last} == {row["id"] for row in rows}
    assert last.report is not None
    assert last.report.done == 400
    assert last.report.spoken < 400


def test_closing_the_engine_ends_it(fake_model: Path, tmp_path: Path) -> None:
    rows = [{"id": str(number), "text": f"Row {number}. " * 20} for number in range(400)]
    engine = Engine(fake_model, threads=1)
    run = batch.speak(engine, rows, tmp_path / "out")
    next(run)
    engine.close()
    with pytest.raises(libspeech.CancelledError):
        list(run)


@pytest.mark.skipif(os.name == "nt", reason="sends SIGINT")
def test_ctrl_c_ends_it_and_nothing_is_half(start: Start, fake_model: Path, tmp_path: Path) -> None:
    program = start(
        """
        from libspeech import batch
        rows = [{"id": str(number), "text": f"Row {number}. " * 50} for number in range(4000)]
        try:
            for row in batch.speak(libspeech.Engine(FAKE_MODEL, threads=1), rows, sys.argv[1]):
                print(row.id, flush=True)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """,
        str(tmp_path / "out"),
    )
    assert program.stdout is not None
    program.stdout.readline()
    program.send_signal(2)
    output, errors = program.communicate(timeout=60)
    assert output.endswith("interrupted\n"), errors
    assert program.returncode == 0
    assert not [path for path in (tmp_path / "out").rglob("*.partial")]
