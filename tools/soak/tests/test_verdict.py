"""Distinguishes leaks from noise."""

from __future__ import annotations

from collections.abc import Callable

from soak.history import Sample
from soak.verdict import judge


def samples(
    resident_mb: Callable[[int], float] = lambda i: 100.0,
    descriptors: Callable[[int], int] = lambda i: 10,
    threads: Callable[[int], int] = lambda i: 4,
) -> list[Sample]:
    """Samples over ten minutes."""
    return [Sample(1, i / 12, resident_mb(i), descriptors(i), threads(i), 3, 200.0) for i in range(120)]


def faults(**values: Callable[[int], float]) -> list[str]:
    verdict = judge(samples(**values))  # type: ignore[arg-type]
    assert verdict is not None
    return verdict.faults()


def test_what_stays_as_it_is_has_no_fault() -> None:
    assert faults() == []


def test_noise_and_the_warm_up_are_none() -> None:
    assert faults(resident_mb=lambda i: min(i, 30) * 5 + i * 7 % 11) == []
    assert faults(descriptors=lambda i: 10 + i * 7 % 5, threads=lambda i: 4 + i % 3) == []


def test_a_leak_is_found() -> None:
    [fault] = faults(resident_mb=lambda i: 100 + i * 0.2)
    assert fault.startswith("memory grew from 1")
    assert faults(descriptors=lambda i: 10 + i // 50 + i % 2) == ["descriptors grew from 10 to 11"]
    assert faults(threads=lambda i: 4 + i // 40) == ["threads grew from 5 to 6"]


def test_a_few_samples_tell_nothing() -> None:
    assert judge(samples()[:5]) is None
