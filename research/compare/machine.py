"""Describes the machine in general terms: the processor family and its instruction sets, nothing identifying."""

from __future__ import annotations

import os
import platform
from pathlib import Path

FAMILIES = ("AMD EPYC", "AMD Ryzen", "Intel Xeon", "Intel Core", "Apple M", "Neoverse")

FEATURES = {
    "AVX2": {"avx2", "fma"},
    "AVX-512": {"avx512f", "avx512bw", "avx512vl"},
    "AVX-512 VNNI": {"avx512_vnni"},
    "AVX-512 BF16": {"avx512_bf16"},
    "AMX BF16": {"amx_tile", "amx_bf16"},
    "NEON": {"asimd"},
    "BF16": {"asimd", "bf16"},
}
"""Instruction sets by the kernel's names for their flags."""


def describe() -> str:
    """One line for the table and the plot."""
    return describe_cpu(_cpuinfo(), platform.machine(), usable_processors())


def describe_cpu(cpuinfo: str, architecture: str, processors: int) -> str:
    """The line from the text of `/proc/cpuinfo`, which may be empty."""
    fields = dict(_fields(cpuinfo))
    model = fields.get("model name", "").replace("(R)", "").replace("(TM)", "")
    family = next((name for name in FAMILIES if name in model), "")
    flags = set(fields.get("flags", fields.get("Features", "")).split())
    features = [name for name, needed in FEATURES.items() if needed <= flags]
    cores = "1 processor core" if processors == 1 else f"{processors} processor cores"
    return ", ".join(
        part for part in (f"{family} ({architecture})" if family else architecture, *features, cores) if part
    )


def _fields(cpuinfo: str) -> list[tuple[str, str]]:
    first = cpuinfo.split("\n\n")[0]
    pairs = (line.split(":", 1) for line in first.splitlines() if ":" in line)
    return [(key.strip(), value.strip()) for key, value in pairs]


def _cpuinfo() -> str:
    try:
        return Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return ""


def usable_processors() -> int:
    """The number of processors that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
