"""Tests another engine's process on jobs, with a voice that outputs a constant."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from compare.drivers import protocol
from compare.quality import read_wav


class Hum:
    """Ten samples per letter, in two pieces."""

    rate = 100

    def __init__(self, job):
        self.spoken = job["options"]["spoken"]

    def speak(self, text, heard):
        self.spoken.append(text)
        for _ in range(2):
            heard(np.full(5 * len(text), 0.5))


@pytest.fixture
def done(monkeypatch, capsys):
    """Does a job; returns the report, the lines before it, and the spoken texts."""

    def do(lines=1, **job):
        spoken = []
        texts = [{"name": "a", "text": "abcd"}, {"name": "b", "text": "ab"}]
        given = json.dumps({"threads": 1, "runs": 3, "texts": texts, "options": {}, **job})
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{given}\n" * lines))
        protocol.serve(lambda job: Hum({"options": {"spoken": spoken}}), ["pytest"])
        *before, report = capsys.readouterr().out.split("\n")
        return json.loads(report), before, spoken

    return do


def test_a_text_is_spoken_once_more_than_it_is_timed(done):
    report, _, spoken = done(task="measure")
    assert spoken == ["abcd"] * 4 + ["ab"] * 4
    assert [(text["name"], text["audio_s"]) for text in report["texts"]] == [("a", 0.4), ("b", 0.2)]
    assert report["versions"] == {"pytest": pytest.__version__} and report["load_ms"] >= 0
    for text in report["texts"]:
        assert 0 <= text["first_audio_ms"] <= text["wall_s"] * 1e3


def test_a_session_says_when_it_is_ready_and_counts_what_comes_after(done):
    report, before, spoken = done(task="serve", lines=2)
    assert before == ["ready"]
    assert spoken == ["abcd"] * 4
    assert report["sound_s"] == pytest.approx(3 * 0.4)
    assert report["start"] <= report["end"]


def test_a_recording_has_all_pieces(done, tmp_path):
    done(task="record", to=str(tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.wav", "b.wav"]
    samples, rate = read_wav(tmp_path / "b.wav")
    assert rate == 100 and samples == pytest.approx(np.full(20, 0.5), abs=1e-4)
