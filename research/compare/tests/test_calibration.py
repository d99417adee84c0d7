from __future__ import annotations

import pytest
from compare.calibration import ProcessorTimes, calibrate, other_load


def test_other_load_leaves_out_the_process_itself():
    before, after = ProcessorTimes(busy=100.0, stolen=1.0), ProcessorTimes(busy=115.0, stolen=2.0)
    assert other_load(before, after, own_s=10.0, wall_s=10.0) == pytest.approx(0.6)
    assert other_load(before, after, own_s=16.5, wall_s=10.0) == 0.0, "ticks are coarse"
    assert other_load(None, after, own_s=1.0, wall_s=1.0) is None


def test_the_work_takes_time():
    assert calibrate() > 0.1
