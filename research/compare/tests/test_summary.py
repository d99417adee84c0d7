from __future__ import annotations

import pytest
from compare.summary import Spread, engines, noise, ratios, sessions, summarize


def test_a_spread_is_the_median_and_the_range():
    spread = Spread.of([3.0, 1.0, 2.0, 10.0])
    assert (spread.median, spread.low, spread.high) == (2.5, 1.0, 10.0)
    assert spread.relative == pytest.approx(3.6)


def test_only_processes_of_the_same_round_are_divided(process):
    # The machine takes twice as long in the second round: the ratio of the medians would be 6 / 3 by coincidence.
    processes = [
        process("ours", 1, 0, (0.2, 0.2)),
        process("theirs", 1, 1, (1.6, 2.0)),
        process("ours", 1, 1, (0.4, 0.4)),
        process("theirs", 1, 0, (0.6, 0.6)),
        process("theirs", 1, 2, (9.0, 9.0)),  # Ours is missing in this round.
    ]
    short, middle = ratios(processes, "theirs", "ours", "rtf")
    assert (short["threads"], short["text"]) == (1, "short")
    assert (short["low"], short["median"], short["high"]) == pytest.approx((3.0, 3.5, 4.0))
    assert (middle["low"], middle["median"], middle["high"]) == pytest.approx((3.0, 4.0, 5.0))


def test_numbers_of_threads_are_not_mixed(process):
    processes = [
        process("ours", 1, 0, (0.2, 0.2)),
        process("ours", 2, 0, (0.1, 0.1)),
        process("theirs", 1, 0, (0.6, 0.6)),
        process("theirs", 2, 0, (0.5, 0.5)),
    ]
    found = {(row["threads"], row["text"]): row["median"] for row in ratios(processes, "theirs", "ours", "rtf")}
    expected = {(1, "short"): 3.0, (1, "middle"): 3.0, (2, "short"): 5.0, (2, "middle"): 5.0}
    assert found == pytest.approx(expected)


def test_a_row_for_each_engine_and_number_of_threads(process):
    processes = [
        process("b", 1, 0, (0.2, 0.4)),
        process("a", 2, 0, (0.1, 0.1), cpu=1.8),
        process("b", 1, 1, (0.3, 0.6)),
        process("a", 2, 1, (0.1, 0.1), cpu=2.0),
        process("b", 1, 2, (0.8, 0.5)),
    ]
    first, second = engines(processes)
    assert (first["configuration"], first["threads"]) == ("b", 1)
    assert (second["configuration"], second["threads"]) == ("a", 2)
    assert [text["rtf"]["median"] for text in first["texts"]] == [0.3, 0.5]
    assert first["texts"][0]["rtf"] == {"median": 0.3, "low": 0.2, "high": 0.8}
    assert second["threads_used"] == pytest.approx({"median": 1.9, "low": 1.8, "high": 2.0})


def test_noise_is_that_of_the_machine_and_of_the_least_steady_engine(process):
    processes = [
        process("a", 1, 0, (0.2, 0.4), calibration=(10.0, 11.0), other=0.5),
        process("a", 1, 1, (0.3, 0.4), calibration=(10.0, 15.0), other=0.0),
        process("b", 1, 0, (1.0, 1.0), calibration=(9.0, 10.0), other=0.1),
    ]
    found = noise(processes)
    assert found["calibration_ms"] == {"median": 10.0, "low": 9.0, "high": 15.0}
    assert found["largest_range"] == pytest.approx(0.1 / 0.25)
    assert found["other_load"] == {"median": 0.1, "low": 0.0, "high": 0.5}


def test_a_row_for_each_configuration_and_number_of_sessions(served):
    everything = [
        served("theirs", 2, 0, 8.0),
        served("ours", 4, 0, 40.0, memory=400.0),
        served("ours", 4, 1, 50.0, memory=500.0),
        served("ours", 1, 0, 10.0),
    ]
    rows = sessions(everything, ["ours", "theirs"])
    assert [(row["configuration"], row["sessions"]) for row in rows] == [("ours", 1), ("ours", 4), ("theirs", 2)]
    assert rows[1]["sound_a_second"] == {"median": 22.5, "low": 20.0, "high": 25.0}
    assert rows[1]["peak_rss_mb"]["median"] == 450.0


def test_the_noise_while_sessions_ran_counts(process, served):
    found = noise([process("a", 1, 0, (0.2, 0.4))], [served("a", 2, 0, 8.0, other=0.9)])
    assert found["other_load"]["high"] == 0.9


def test_a_system_that_does_not_tell_has_no_other_load(process):
    assert noise([process("a", 1, 0, (0.2, 0.4), other=None)])["other_load"] is None


def test_first_audio_is_compared_with_our_default(process):
    processes = [
        process("exact", 2, 0, (0.2, 0.2), first=(300.0, 1000.0)),
        process("low", 2, 0, (0.2, 0.2), first=(100.0, 200.0)),
        process("theirs", 2, 0, (0.4, 0.8)),
    ]
    summary = summarize(processes, [], ["exact"], ["theirs"], "low")
    assert [row["median"] for row in summary["sooner"]] == pytest.approx([3.0, 5.0])
    assert [(row["ours"], row["theirs"], row["median"]) for row in summary["faster"]] == [
        ("exact", "theirs", pytest.approx(2.0)),
        ("exact", "theirs", pytest.approx(4.0)),
    ]
