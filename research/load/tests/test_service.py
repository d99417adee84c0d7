from __future__ import annotations

import pytest
from load.errors import LoadError
from load.service import peak_memory_mb, processor_ticks


def test_peak_memory_is_that_of_the_resident_set():
    assert peak_memory_mb("Name:\tx\nVmPeak:\t  900 kB\nVmHWM:\t    1000 kB\nVmRSS:\t    10 kB\n") == pytest.approx(
        1.024
    )
    with pytest.raises(LoadError):
        peak_memory_mb("Name:\tVmHWM\n")


def test_processor_time_is_found_after_any_name():
    fields = " ".join(str(number) for number in range(3, 53))
    assert processor_ticks(f"77 (a) b (c) {fields}\n") == 14 + 15
