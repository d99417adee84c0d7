from __future__ import annotations

import pytest
from compare.table import NOT_QUIET
from load.table import markdown
from load.texts import read


@pytest.fixture
def result():
    """Makes a result of one row."""

    def make(other_load=0.02):
        waits = {"p50": 120.4, "p95": 180.0, "p99": 1250.0, "p100": 1300.0}
        speed = {
            "answered": 200,
            "overloaded": 3,
            "requests_per_s": 6.667,
            "sound_per_s": 25.25,
            "first_audio_ms": waits,
        }
        level = {"clients": 8, "speed": speed, "peak_memory_mb": 401.7, "other_load": other_load}
        return {
            "machine": "a machine",
            "version": "speech-http 1.0",
            "seconds": 30.0,
            "idle": 0,
            "levels": [level],
            "live": [],
        }

    return make


def test_a_row_has_all_figures(result):
    row = markdown(result()).splitlines()[-1]
    assert row == "| 8 | 6.67 | 120 ms | 180 ms | 1250 ms | 1300 ms | 3 | 25.2 s | 402 MB |"


def test_callers_have_a_table_of_their_own(result):
    waits = {"p50": 420.4, "p95": 500.0, "p99": 900.0, "p100": 950.0}
    figures = {"gaps_ms": 12.3, "refused": 1, "threads": 9, "idle_sessions": 500, "idle_mb": 8.25}
    level = {"callers": 16, "turns": 90, "first_audio_ms": waits, "peak_memory_mb": 300.2, "other_load": 0.0, **figures}
    row = markdown({**result(), "live": [level]}).splitlines()[-1]
    assert row == ("| 16 | 90 | 420 ms | 500 ms | 900 ms | 950 ms | 12 ms | 1 | 9 | 300 MB | 500 | 8.2 MB |")
    assert NOT_QUIET in markdown({**result(), "live": [{**level, "other_load": 0.5}]})


def test_idle_connections_are_said(result):
    assert "idle" not in markdown(result())
    assert "200 answers, beside 1000 idle connections." in markdown({**result(), "idle": 1000})


def test_a_busy_machine_is_said(result):
    assert NOT_QUIET not in markdown(result())
    assert NOT_QUIET in markdown(result(other_load=0.5))


def test_the_texts_are_short_and_in_both_languages():
    texts = read()
    assert all(40 <= len(text["text"]) <= 120 for text in texts), [len(text["text"]) for text in texts]
    for key, count in (("language", 2), ("voice", 5), ("text", len(texts))):
        assert len({text[key] for text in texts}) == count
