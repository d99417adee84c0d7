from __future__ import annotations

import pytest
from compare.quality import summary
from compare.summary import summarize
from compare.table import NOT_QUIET, markdown, number


@pytest.fixture
def result(process, served):
    processes = [
        process("speech-fp32", 1, 0, (0.25, 0.2), first=(300.0, 1000.0)),
        process("speech-low", 1, 0, (0.25, 0.2), first=(150.0, 250.0)),
        process("kokoro-onnx", 1, 0, (0.75, 0.5), first=(700.0, 2600.0)),
        process("speech-fp32", 1, 1, (0.25, 0.2), first=(300.0, 1000.0)),
        process("speech-low", 1, 1, (0.25, 0.2), first=(150.0, 250.0)),
        process("kokoro-onnx", 1, 1, (1.0, 0.6), first=(900.0, 3000.0)),
    ]
    sessions = [
        served("speech-fp32", 1, 0, 10.0),
        served("speech-fp32", 4, 0, 30.0, memory=500.0),
        served("kokoro-onnx", 1, 0, 3.0),
        served("kokoro-onnx", 4, 0, 5.0, memory=4000.0),
    ]
    return {
        "machine": "A processor, 2 cores",
        "settings": {"threads": [1], "rounds": 2, "runs": 3},
        "versions": {"libspeech": "0.1.0"},
        "unavailable": {"speech-bf16": "not on this processor: no AMX"},
        "summary": summarize(processes, sessions, ["speech-fp32"], ["kokoro-onnx"], "speech-low"),
        "quality": {"speech-fp32": summary([4.0, 4.5, 4.4]), "kokoro-onnx": summary([4.0, 4.2, 4.1])},
    }


def test_the_rows(result):
    lines = markdown(result).splitlines()
    expected = [
        "A processor, 2 cores. Rounds: 2, runs of a text in each: 3; medians over the rounds. libspeech 0.1.0.",
        "### One thread",
        "|  | real-time factor, short | real-time factor, middle | first audio, short | first audio, middle |",
        "| libspeech, fp32 | 0.250 | 0.200 | 0.30 s | 1.00 s |",
        "| libspeech, bf16 | not on this processor: no AMX |  |  |  |",
        "| kokoro-onnx, int8 | 0.875 | 0.550 | 0.80 s | 2.80 s |",
        "| kokoro-onnx, int8 | 2.00 s | 2.00 s | 0.70 s | 400 MB | 1.00 | 29% |",
        "| libspeech, fp32 | short | 3.50 (3.00 to 4.00) |",
        "| libspeech, fp32 | middle | 2.75 (2.50 to 3.00) |",
        "| libspeech, fp32, low latency | 2.00 (2.00 to 2.00) | 4.00 (4.00 to 4.00) |",
        "|  | 1 session | 4 sessions | memory, 4 sessions |",
        "| libspeech, fp32 | 5.00 (5.00 to 5.00) | 15.0 (15.0 to 15.0) | 500 MB |",
        "| kokoro-onnx, int8 | 1.50 (1.50 to 1.50) | 2.50 (2.50 to 2.50) | 4000 MB |",
        "### Predicted listening score (Distill-MOS, 1 to 5) over 3 recordings",
        "| libspeech, fp32 | 4.30 | 0.15 | 4.00 |",
        "| kokoro-onnx, int8 | 4.10 | 0.06 | 4.00 |",
    ]
    assert [line for line in expected if line not in lines] == []


def test_every_row_has_a_cell_for_each_column(result):
    tables = [block.splitlines() for block in markdown(result).split("\n\n") if block.startswith("|")]
    assert len(tables) == 6
    assert [lines for lines in tables if len({line.count("|") for line in lines}) != 1] == []


def test_what_was_not_measured_has_no_table(result):
    del result["quality"]
    result["summary"]["sessions"] = []
    assert "Distill-MOS" not in markdown(result) and "session" not in markdown(result)


def test_a_busy_machine_is_said_to_be_busy(result):
    assert NOT_QUIET not in markdown(result)
    result["summary"]["noise"]["other_load"] = {"median": 0.5, "low": 0.0, "high": 1.0}
    assert markdown(result).rstrip().endswith(NOT_QUIET)


def test_numbers_have_three_digits():
    cases = {0.0894: "0.089", 0.617: "0.617", 1.234: "1.23", 12.34: "12.3", 123.4: "123"}
    assert {value: number(value) for value in cases} == cases
