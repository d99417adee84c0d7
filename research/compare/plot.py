"""Plots the result: how fast each engine speaks one sentence on one thread, and its predicted quality.

The background is opaque white, so that the plot is readable on light and dark pages. Colors are those of Okabe and Ito,
each with its own marker, so that they are distinguishable with color blindness and in gray.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Annotation, Text
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from matplotlib.transforms import Bbox

from .points import Point, points
from .summary import Spread
from .table import number

INK, FAINT = "#222222", "#6b6b6b"
TICKS = (0.5, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300)

PLACES = [
    (x, y, horizontal, vertical)
    for distance in (9, 20, 34, 50, 70)
    for x, y, horizontal, vertical in (
        (distance, distance, "left", "bottom"),
        (distance, -distance, "left", "top"),
        (-distance, distance, "right", "bottom"),
        (-distance, -distance, "right", "top"),
        (0, distance + 8, "center", "bottom"),
        (0, -distance - 8, "center", "top"),
        (distance + 4, 0, "left", "center"),
        (-distance - 4, 0, "right", "center"),
    )
]
"""Candidate label positions, in points from the labeled point; the first that fits is used."""


@dataclass(frozen=True)
class Kind:
    """The origin of a point's model and kernels."""

    label: str
    color: str
    marker: str


OURS = Kind("libspeech, full (Kokoro-82M)", "#0072B2", "o")
OURS_SMALL = Kind("libspeech, smaller networks", "#0072B2", "^")
SAME_WEIGHTS = Kind("other engines, same weights", "#D55E00", "s")
OTHER_MODEL = Kind("other engines, smaller models", "#5f5f5f", "D")


def draw(result: Mapping[str, Any], paths: Sequence[Path]) -> None:
    """Writes the plot in the format of each path's suffix. The result must include the quality."""
    matplotlib.rcParams["svg.fonttype"] = "none"  # Text stays text.
    matplotlib.rcParams["svg.hashsalt"] = "libspeech"  # The same result gives the same file.
    matplotlib.rcParams["font.family"] = ["DejaVu Sans", "sans-serif"]
    shown = points(result)
    figure = Figure(figsize=(10, 6.2), layout="constrained")
    canvas = FigureCanvasAgg(figure)
    figure.get_layout_engine().set(w_pad=0.15, h_pad=0.12)
    axes = figure.subplots()
    _axes(axes, shown)
    for kind in (OURS, OURS_SMALL, SAME_WEIGHTS, OTHER_MODEL):
        _points(axes, [point for point in shown if _kind(point) == kind], kind)
    figure.suptitle(_title(result), x=0.02, ha="left", fontsize=13, fontweight="bold", color=INK)
    figure.supxlabel(_footnote(result), x=0.02, ha="left", fontsize=8.5, color=FAINT)
    canvas.draw()  # The layout, and so the space for labels, is known only now.
    _labels(axes, shown, canvas)
    for path in paths:
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, dpi=160, metadata=metadata, facecolor="white")


def _kind(point: Point) -> Kind:
    if point.configuration.ours:
        return OURS_SMALL if point.configuration.small else OURS
    return OTHER_MODEL if point.configuration.small else SAME_WEIGHTS


def _axes(axes: Axes, shown: Sequence[Point]) -> None:
    low, high = min(point.speed.low for point in shown), max(point.speed.high for point in shown)
    bottom, top = min(p.score - p.error for p in shown), max(p.score + p.error for p in shown)
    axes.set_xscale("log")
    axes.set_xlim(low / 2, high * 1.5)
    axes.set_ylim(bottom - 0.25 * (top - bottom), min(5.0, top + 0.25 * (top - bottom)))
    axes.xaxis.set_major_locator(FixedLocator(TICKS))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}×"))
    axes.set_xlabel("times faster than real time (logarithmic)  →", fontsize=10.5, color=INK)
    axes.set_ylabel("predicted listening score (Distill-MOS, 1 to 5)  →", fontsize=10.5, color=INK)
    axes.grid(color="#e3e3e3", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(FAINT)
    axes.tick_params(colors=INK, labelsize=9.5, length=0)


def _points(axes: Axes, shown: Sequence[Point], kind: Kind) -> None:
    if not shown:
        return
    speeds = [point.speed for point in shown]
    axes.errorbar(
        [speed.median for speed in speeds],
        [point.score for point in shown],
        xerr=[[s.median - s.low for s in speeds], [s.high - s.median for s in speeds]],
        yerr=[point.error for point in shown],
        fmt=kind.marker,
        markersize=9,
        color=kind.color,
        elinewidth=1.5,
        label=kind.label,
    )
    axes.legend(loc="lower left", fontsize=9, labelcolor=INK, edgecolor="#e3e3e3", framealpha=1)


def _labels(axes: Axes, shown: Sequence[Point], canvas: FigureCanvasAgg) -> None:
    """Labels each point where the label covers no point, no bar and no other label."""
    taken = [_covered(axes, point) for point in shown]
    taken.append(axes.get_legend().get_window_extent(canvas.get_renderer()))
    for point in sorted(shown, key=lambda point: point.speed.median):
        best: tuple[float, Annotation, Bbox] | None = None
        for place in PLACES:
            label = _label(axes, point, place)
            label.update_positions(canvas.get_renderer())
            # Of the text alone: the annotation's extent includes the line to the point.
            extent = Text.get_window_extent(label, canvas.get_renderer()).padded(4)
            hidden = sum(_overlap(extent, other) for other in taken) + _outside(extent, axes.get_window_extent())
            if best is None or hidden < best[0]:
                if best is not None:
                    best[1].remove()
                best = (hidden, label, extent)
            else:
                label.remove()
            if hidden == 0:
                break
        taken.append(best[2])


def _label(axes: Axes, point: Point, place: tuple[float, float, str, str]) -> Annotation:
    x, y, horizontal, vertical = place
    words = f"{point.configuration.label}\n{number(point.speed.median)}× real time, {point.score:.2f}"
    return axes.annotate(
        words,
        (point.speed.median, point.score),
        xytext=(x, y),
        textcoords="offset points",
        ha=horizontal,
        va=vertical,
        fontsize=9.5,
        fontweight="bold" if point.configuration.ours else "normal",
        color=_kind(point).color,
        arrowprops={"arrowstyle": "-", "color": _kind(point).color, "linewidth": 0.7, "shrinkA": 0, "shrinkB": 5}
        if max(abs(x), abs(y)) > 15
        else None,
        annotation_clip=False,
    )


def _covered(axes: Axes, point: Point) -> Bbox:
    """The marker and the error bars of a point, in pixels."""
    corners = [(point.speed.low, point.score - point.error), (point.speed.high, point.score + point.error)]
    (left, bottom), (right, top) = axes.transData.transform(corners)
    x, y = axes.transData.transform((point.speed.median, point.score))
    radius = 5 * axes.figure.dpi / 72
    return Bbox([[min(left, x - radius), min(bottom, y - radius)], [max(right, x + radius), max(top, y + radius)]])


def _overlap(a: Bbox, b: Bbox) -> float:
    shared = Bbox.intersection(a, b)
    return 0.0 if shared is None else shared.width * shared.height


def _outside(extent: Bbox, frame: Bbox) -> float:
    return extent.width * extent.height - _overlap(extent, frame)


def _title(result: Mapping[str, Any]) -> str:
    threads = min(result["settings"]["threads"])
    counted = "one thread" if threads == 1 else f"{threads} threads"
    return f"Speed and quality of speech on {counted}: up and to the right is better"


def _footnote(result: Mapping[str, Any]) -> str:
    settings, noise = result["settings"], result["summary"]["noise"]
    calibration = Spread(**noise["calibration_ms"])
    scores = next(iter(result["quality"].values()))["scores"]
    return (
        f"Speed: one sentence of 5 seconds, median of {settings['rounds']} round(s) and their range. "
        f"Score: mean over {len(scores)} recordings and its standard error.\n"
        "Of the other engines the faster graph is shown. "
        f"{result['machine']}.\n"
        "Noise of the machine: the time of a fixed piece of work was between "
        f"{calibration.low / calibration.median - 1:+.0%} and {calibration.high / calibration.median - 1:+.0%} off its "
        "median."
    )
