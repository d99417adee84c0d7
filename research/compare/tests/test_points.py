from __future__ import annotations

import pytest
from compare.configurations import TEXTS
from compare.points import points
from compare.quality import summary


@pytest.fixture
def result():
    """A result with the sentence's real-time factor in each configuration, and the kernels that ours ran with."""

    def make(factors, kernels, threads=1):
        spread = {name: {"median": f, "low": f / 2, "high": f * 2} for name, f in factors.items()}
        other = {"median": 9.0, "low": 9.0, "high": 9.0}

        def texts(name):
            return [{"name": t["name"], "rtf": spread[name] if t["name"] == "middle" else other} for t in TEXTS]

        def report(name):
            precision = "int16" if "int16" in name else "fp32"
            quality = "light" if "light" in name else "auto"
            return {"kernels": kernels[name], "precision": precision, "quality": quality} if name in kernels else {}

        return {
            "settings": {"threads": [threads, 8]},
            "summary": {
                "engines": [
                    {"configuration": name, "threads": count, "texts": texts(name)}
                    for count in (8, threads)
                    for name in factors
                ]
            },
            "processes": [{"configuration": name, "report": report(name)} for name in factors],
            "quality": {name: summary([4.0, 4.2]) for name in factors},
        }

    return make


def test_the_faster_graph_of_each_other_engine_and_all_of_ours(result):
    factors = {
        "sherpa-onnx-fp32": 0.5,
        "sherpa-onnx-int8": 0.8,
        "kokoro-onnx": 0.4,
        "kokoro-onnx-fp32": 0.6,
        "speech-low": 0.2,
        "speech-int16": 0.125,
        "speech-fp32": 0.2,
        "speech-avx2": 0.25,
        "speech-light": 0.01,
    }
    kernels = {"speech-fp32": "avx512", "speech-int16": "avx512", "speech-avx2": "avx2", "speech-light": "avx512"}
    shown = points(result(factors, kernels))
    assert [point.configuration.name for point in shown] == [
        "speech-fp32",
        "speech-int16",
        "speech-avx2",
        "speech-light",
        "kokoro-onnx",
        "sherpa-onnx-fp32",
    ]
    assert (shown[1].speed.low, shown[1].speed.median, shown[1].speed.high) == (4.0, 8.0, 16.0)
    assert (shown[1].score, shown[1].error) == pytest.approx((4.1, 0.1))


def test_what_runs_the_same_is_shown_once(result):
    factors = {"speech-fp32": 0.2, "speech-int16": 0.1, "speech-avx2": 0.2, "speech-avx2-int16": 0.1}
    shown = points(result(factors, dict.fromkeys(factors, "avx2")))
    assert [point.configuration.name for point in shown] == ["speech-fp32", "speech-int16"]


def test_what_was_not_judged_is_not_shown(result):
    given = result({"speech-fp32": 0.2, "piper": 0.1}, {"speech-fp32": "avx2"})
    del given["quality"]["piper"]
    assert [point.configuration.name for point in points(given)] == ["speech-fp32"]
