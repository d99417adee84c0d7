from __future__ import annotations

import pytest
from load.errors import LoadError
from load.summary import Answer, Speed, Window, percentile


@pytest.mark.parametrize(
    ("percent", "expected"), [(0, 1.0), (1, 1.0), (50, 5.0), (51, 6.0), (95, 10.0), (99, 10.0), (100, 10.0)]
)
def test_a_percentile_is_one_of_the_values(percent, expected):
    values = [7.0, 1.0, 9.0, 3.0, 5.0, 2.0, 8.0, 4.0, 10.0, 6.0]
    assert percentile(values, percent) == expected
    assert percentile([2.5], percent) == 2.5


def test_only_what_was_complete_in_the_window_counts():
    answers = [
        Answer(asked=0.0, ended=9.9, first_audio=9.0, sound_bytes=10**6),
        Answer(asked=8.0, ended=10.0, first_audio=9.0, sound_bytes=44_100),
        Answer(asked=11.0, ended=12.0, first_audio=11.5, sound_bytes=88_200),
        Answer(asked=12.0, ended=12.1, first_audio=None, sound_bytes=0),
        Answer(asked=13.9, ended=14.0, first_audio=13.95, sound_bytes=10**6),
    ]
    speed = Speed.of(answers, Window(10.0, 14.0))
    assert (speed.answered, speed.overloaded) == (2, 1)
    assert speed.requests_per_s == pytest.approx(0.5)
    assert speed.sound_per_s == pytest.approx(0.75)
    assert speed.first_audio_ms == pytest.approx({"p50": 500.0, "p95": 1000.0, "p99": 1000.0, "p100": 1000.0})


def test_a_window_in_which_nothing_was_spoken_is_an_error():
    refused = Answer(asked=1.0, ended=1.1, first_audio=None, sound_bytes=0)
    with pytest.raises(LoadError, match="more --seconds"):
        Speed.of([refused], Window(0.0, 2.0))
