"""Selects the points of the plot from a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .configurations import CONFIGURATIONS, LOW_LATENCY, SENTENCE, Configuration, by_name
from .summary import Spread


@dataclass(frozen=True)
class Point:
    """A configuration: its speed relative to real time over the rounds, and its mean score with standard error."""

    configuration: Configuration
    speed: Spread
    score: float
    error: float


def points(result: Mapping[str, Any]) -> list[Point]:
    """The points, with the fewest threads: all of our configurations that differ on this machine, except the one for
    early first audio, and the fastest of each other engine."""
    threads = min(result["settings"]["threads"])
    found = []
    for row in result["summary"]["engines"]:
        quality = result["quality"].get(row["configuration"])
        if row["threads"] == threads and row["configuration"] != LOW_LATENCY and quality is not None:
            factor = next(text["rtf"] for text in row["texts"] if text["name"] == SENTENCE)
            speed = Spread(1 / factor["median"], 1 / factor["high"], 1 / factor["low"])
            point = Point(by_name(row["configuration"]), speed, quality["mean"], quality["standard_error"])
            found.append(point)
    order = [configuration.name for configuration in CONFIGURATIONS]
    found.sort(key=lambda point: order.index(point.configuration.name))
    shown: dict[object, Point] = {}
    for point in found:
        key = _ran(result, point.configuration) if point.configuration.ours else point.configuration.engine
        if key not in shown or (not point.configuration.ours and point.speed.median > shown[key].speed.median):
            shown[key] = point
    return list(shown.values())


def _ran(result: Mapping[str, Any], configuration: Configuration) -> tuple[str, ...]:
    """The kernels, the precision and the quality that one of our configurations ran with: a processor without AVX-512
    runs the same with and without a limit to AVX2."""
    reports = (p["report"] for p in result["processes"] if p["configuration"] == configuration.name)
    report = next(reports)
    return report.get("kernels", configuration.name), report.get("precision", ""), report.get("quality", "")
