"""The order and the errors of a run, with a shell script in place of the program."""

from __future__ import annotations

import json

import pytest
from compare.configurations import TEXTS, by_name
from compare.errors import CompareError
from compare.inputs import Inputs
from compare.run import Comparison, Settings, require_limited

OURS = [by_name(name) for name in ("speech-fp32", "speech-bf16", "speech-avx2")]

PROGRAM = """#!/bin/sh
case "$*" in
--version) echo "speech 0.1.0" ;;
*--help) echo "--precision <P> --kernels <K>" ;;
*bf16*) echo "error: no AMX" >&2; exit 1 ;;
*) kernels=auto; case "$*" in *avx2*) kernels=avx2 ;; esac
   echo "$*" >>{log}; BEFORE; sed "s/KERNELS/$kernels/" {report} ;;
esac
"""


@pytest.fixture
def comparison(tmp_path, monkeypatch):
    """Makes a comparison of our configurations; `before` is what the program does before it answers."""

    monkeypatch.setattr("compare.run.calibrate", lambda: 10.0)

    def make(before=":"):
        texts = [{**entry, "audio_s": 2.0, "wall_s": 0.4, "rtf": 0.2, "first_audio_ms": 100.0} for entry in TEXTS]
        report = {"load_ms": 1.0, "peak_rss_mb": None, "precision": "fp32", "kernels": "KERNELS", "texts": texts}
        (tmp_path / "report.json").write_text(json.dumps(report), encoding="utf-8")
        script = PROGRAM.replace("BEFORE", before).format(log=tmp_path / "log", report=tmp_path / "report.json")
        program = tmp_path / "speech"
        program.write_text(script, encoding="utf-8")
        program.chmod(0o755)
        settings = Settings([1, 2], rounds=4, runs=1, configurations=OURS)
        return Comparison(program, Inputs(tmp_path), settings, lambda line: None)

    return make


def test_every_round_runs_everything_in_another_order(comparison, tmp_path):
    running = comparison()
    for index in range(4):
        running.round(index)
    calls = (tmp_path / "log").read_text(encoding="utf-8").splitlines()
    rounds = [calls[start : start + 4] for start in range(0, 16, 4)]
    assert len(calls) == 16 and all(sorted(calls) == sorted(rounds[0]) for calls in rounds)
    assert len({tuple(calls) for calls in rounds}) > 1
    result = running.result()
    assert result["unavailable"] == {"speech-bf16": "not on this processor: no AMX"}
    assert {row["configuration"] for row in result["summary"]["engines"]} == {"speech-fp32", "speech-avx2"}
    assert all(process["report"]["peak_rss_mb"] > 0 for process in result["processes"])


def test_more_threads_than_asked_for_are_an_error():
    configuration = by_name("piper")
    require_limited(configuration, 1, 1.05)
    require_limited(configuration, 2, 1.9)
    with pytest.raises(CompareError, match="Piper, medium used 1.90 processors where 1 thread"):
        require_limited(configuration, 1, 1.9)


def test_a_crash_ends_the_comparison(comparison):
    with pytest.raises(CompareError, match="failed: exit status -9"):
        comparison("kill -9 $$").round(0)
