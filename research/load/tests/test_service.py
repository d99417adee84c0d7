from __future__ import annotations

import pytest
from load.errors import LoadError
from load.service import memory_mb, processor_ticks


def test_peak_memory_is_that_of_the_resident_set():
    status = "Name:\tx\nVmPeak:\t  900 kB\nVmHWM:\t    1000 kB\nVmRSS:\t    10 kB\n"
    assert memory_mb(status, "VmHWM") == pytest.approx(1.024)
    assert memory_mb(status, "VmRSS") == pytest.approx(0.01024)
    with pytest.raises(LoadError):
        memory_mb("Name:\tVmHWM\n", "VmHWM")


def test_processor_time_is_found_after_any_name():
    fields = " ".join(str(number) for number in range(3, 53))
    assert processor_ticks(f"77 (a) b (c) {fields}\n") == 14 + 15
