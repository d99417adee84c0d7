"""Measures one row of the table: a number of simultaneous clients."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from compare.calibration import ProcessorTimes, other_load

from .clients import Crowd
from .idle import idle
from .service import running
from .summary import Speed
from .texts import Text


async def measure(
    program: Path, bundle: Path | None, texts: Sequence[Text], clients: int, seconds: float, idle_connections: int
) -> dict[str, Any]:
    """Starts the service and measures it. Each row has a new process, so that the memory is that of the row."""
    async with running(program, bundle) as service, idle(service.address, idle_connections):
        wall, own, before = time.perf_counter(), time.process_time(), ProcessorTimes.now()
        at_start = service.processor_s()
        answers, window = await Crowd(service, texts, clients, seconds).run()
        wall, own = time.perf_counter() - wall, time.process_time() - own
        used = service.processor_s() - at_start
        return {
            "clients": clients,
            "speed": asdict(Speed.of(answers, window)),
            "peak_memory_mb": service.peak_memory_mb(),
            "processors": {"service": used / wall, "clients": own / wall},
            "other_load": other_load(before, ProcessorTimes.now(), used + own, wall),
        }
