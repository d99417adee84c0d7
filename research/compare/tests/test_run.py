"""The order and the errors of a run, with a shell script instead of the program."""

from __future__ import annotations

import json

import pytest
from compare.configurations import JUDGED, SENTENCE, TEXTS, by_name
from compare.errors import CompareError
from compare.inputs import Inputs
from compare.quality import read_wav
from compare.run import Comparison, Settings, require_limited

OURS = [by_name(name) for name in ("speech-fp32", "speech-bf16", "speech-avx2")]

PROGRAM = """#!/bin/sh
case "$*" in
--version) echo "speech 0.1.0" ;;
*--help) echo "--precision <P> --kernels <K>" ;;
*bf16*) echo "error: no AMX" >&2; exit 1 ;;
say*) printf '\\000\\100\\000\\300' ;;
*) kernels=auto; case "$*" in *avx2*) kernels=avx2 ;; esac
   echo "$*" >>{log}; BEFORE
   case "$*" in *--sessions*) report={sessions} ;; *) report={report} ;; esac
   sed "s/KERNELS/$kernels/" $report ;;
esac
"""


@pytest.fixture
def comparison(tmp_path, monkeypatch):
    """Makes a comparison of our configurations; `before` is a command that the program runs before it answers."""

    monkeypatch.setattr("compare.run.calibrate", lambda: 10.0)

    def make(before=":"):
        texts = [{**entry, "audio_s": 2.0, "wall_s": 0.4, "rtf": 0.2, "first_audio_ms": 100.0} for entry in TEXTS]
        report = {"load_ms": 1.0, "peak_rss_mb": None, "precision": "fp32", "kernels": "KERNELS", "texts": texts}
        (tmp_path / "report.json").write_text(json.dumps(report), encoding="utf-8")
        sentence = next(entry["text"] for entry in TEXTS if entry["name"] == SENTENCE)
        sessions = {**report, "texts": [], "sessions": 2, "text": sentence, "sound_s": 12.0, "wall_s": 3.0}
        (tmp_path / "sessions.json").write_text(json.dumps(sessions), encoding="utf-8")
        files = {name: tmp_path / f"{name}.json" for name in ("report", "sessions")}
        script = PROGRAM.replace("BEFORE", before).format(log=tmp_path / "log", **files)
        program = tmp_path / "speech"
        program.write_text(script, encoding="utf-8")
        program.chmod(0o755)
        settings = Settings([1, 2], [2], rounds=4, runs=1, configurations=OURS)
        return Comparison(program, Inputs(tmp_path), settings, lambda line: None)

    return make


def test_every_round_runs_everything_in_another_order(comparison, tmp_path):
    running = comparison()
    for index in range(4):
        running.round(index)
    calls = (tmp_path / "log").read_text(encoding="utf-8").splitlines()
    rounds = [calls[start : start + 5] for start in range(0, 20, 5)]
    assert len(calls) == 20 and all(sorted(calls) == sorted(rounds[0]) for calls in rounds)
    assert len({tuple(calls) for calls in rounds}) > 1
    result = running.result()
    assert result["unavailable"] == {"speech-bf16": "not on this processor: no AMX"}
    assert {row["configuration"] for row in result["summary"]["engines"]} == {"speech-fp32", "speech-avx2"}
    assert all(process["report"]["peak_rss_mb"] > 0 for process in result["processes"])


def test_sessions_are_of_one_thread_each(comparison, tmp_path):
    running = comparison()
    running.round(0)
    calls = (tmp_path / "log").read_text(encoding="utf-8").splitlines()
    assert [call for call in calls if "--sessions" in call] == [
        "bench --json --threads 1 --sessions 2 --runs 2 --precision fp32"
    ]
    [row] = running.result()["summary"]["sessions"]
    assert (row["configuration"], row["sessions"], row["sound_a_second"]["median"]) == ("speech-fp32", 2, 4.0)


def test_every_configuration_that_ran_is_recorded(comparison, tmp_path):
    running = comparison()
    running.round(0)
    running.record(tmp_path / "recordings")
    assert {path.name for path in (tmp_path / "recordings").iterdir()} == {"speech-fp32", "speech-avx2"}
    for name in ("speech-fp32", "speech-avx2"):
        written = sorted(path.stem for path in (tmp_path / "recordings" / name).iterdir())
        assert written == sorted(entry["name"] for entry in JUDGED)
    samples, rate = read_wav(tmp_path / "recordings" / "speech-avx2" / "kept-01.wav")
    assert samples.tolist() == pytest.approx([0.5, -0.5], abs=1e-4) and rate == 22_050


def test_more_threads_than_asked_for_are_an_error():
    configuration = by_name("piper")
    require_limited(configuration, 1, 1.05)
    require_limited(configuration, 2, 1.9)
    with pytest.raises(CompareError, match="Piper, medium used 1.90 processors where 1 thread"):
        require_limited(configuration, 1, 1.9)


def test_a_crash_ends_the_comparison(comparison):
    with pytest.raises(CompareError, match="failed: exit status -9"):
        comparison("kill -9 $$").round(0)
