from __future__ import annotations

import numpy as np
import pytest
from compare import quality
from compare.configurations import JUDGED, TEXTS
from compare.drivers.protocol import write_wav
from compare.errors import CompareError


def test_the_texts_are_the_timed_ones_and_sentences_without_figures():
    assert JUDGED[: len(TEXTS)] == TEXTS
    assert len(JUDGED) == len(TEXTS) + 32
    assert len({entry["name"] for entry in JUDGED}) == len(JUDGED)
    assert [entry["text"] for entry in JUDGED if any(c.isdigit() for c in entry["text"])] == []


def test_the_error_is_that_of_the_mean():
    found = quality.summary([4.0, 4.2, 4.4, 4.6])
    assert found["mean"] == pytest.approx(4.3)
    assert found["standard_error"] == pytest.approx(0.2581989 / 2)


def test_a_recording_is_read_as_it_was_written(tmp_path):
    samples = np.array([0.0, 0.25, -0.5, 1.5, -1.5])
    write_wav(tmp_path / "a.wav", samples, 24_000)
    read, rate = quality.read_wav(tmp_path / "a.wav")
    assert rate == 24_000 and read.dtype == np.float32
    assert read == pytest.approx(np.clip(samples, -1, 1), abs=1e-4)


def test_a_missing_recording_is_an_error(tmp_path):
    (tmp_path / "piper").mkdir()
    with pytest.raises(CompareError, match="no recording .*piper/short.wav"):
        quality.judge(tmp_path)
