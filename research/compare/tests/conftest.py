from __future__ import annotations

import pytest


@pytest.fixture
def process():
    """Makes the measurements of one process, for two texts."""

    def make(
        configuration, threads, round, factors, first=(500.0, 2000.0), calibration=(10.0, 10.0), other=0.0, cpu=1.0
    ):
        texts = [
            {"name": name, "audio_s": 2.0, "wall_s": 2.0 * factor, "rtf": factor, "first_audio_ms": ms}
            for name, factor, ms in zip(("short", "middle"), factors, first, strict=True)
        ]
        return {
            "round": round,
            "configuration": configuration,
            "threads": threads,
            "report": {"load_ms": 700.0, "peak_rss_mb": 400.0, "texts": texts},
            "wall_s": 10.0,
            "cpu_s": 10.0 * cpu,
            "calibration_ms": list(calibration),
            "other_load": other,
        }

    return make


@pytest.fixture
def served():
    """Makes the measurements of simultaneous sessions."""

    def make(configuration, sessions, round, sound, memory=300.0, other=0.0):
        return {
            "round": round,
            "configuration": configuration,
            "sessions": sessions,
            "sound_s": sound,
            "wall_s": 2.0,
            "peak_rss_mb": memory,
            "calibration_ms": [10.0, 10.0],
            "other_load": other,
        }

    return make
