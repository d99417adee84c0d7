"""The result as a picture: real-time factor and first audio of one sentence, for each engine and number of threads."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .configurations import CONFIGURATIONS, Configuration
from .summary import Spread
from .table import number

TEXT = "middle"
"""One sentence, which all engines make in one piece."""

OURS, THEIRS = ("#0b5394", "#5aa5e0"), ("#5f5f5f", "#b3b3b3")
"""Blue for us and gray for the others, dark for the fewest threads and light for more: told apart without color too."""

INK, FAINT = "#222222", "#777777"
BAR, GAP = 0.36, 0.02


@dataclass(frozen=True)
class Measure:
    """What a panel shows: a field of the summary, and how its values are written."""

    field: str
    title: str
    scale: float
    form: Callable[[float], str]


RTF = Measure("rtf", "Real-time factor: computing over sound", 1.0, number)
FIRST_AUDIO = Measure("first_audio_ms", "First audio, seconds", 1e-3, "{:.2f}".format)


@dataclass(frozen=True)
class Row:
    """An engine: its bars, one for each number of threads, or why it has none."""

    configuration: Configuration
    entries: Mapping[int, Mapping[str, Any]]
    reason: str


def draw(result: Mapping[str, Any], paths: Sequence[Path]) -> None:
    """Writes the picture, in the format that each path's suffix names."""
    matplotlib.rcParams["svg.fonttype"] = "none"  # Text stays text.
    matplotlib.rcParams["svg.hashsalt"] = "libspeech"  # The same result gives the same file.
    matplotlib.rcParams["font.family"] = ["DejaVu Sans", "sans-serif"]
    rows = _rows(result)
    threads = result["settings"]["threads"]
    figure = Figure(figsize=(11, 2.1 + 0.62 * len(rows)), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.15, h_pad=0.12, wspace=0.04)
    factor, first = figure.subplots(1, 2, sharey=True)
    _panel(factor, rows, threads, RTF)
    _panel(first, rows, threads, FIRST_AUDIO)
    _name_rows(factor, rows)
    figure.suptitle(_title(rows), x=0.02, ha="left", fontsize=13, fontweight="bold", color=INK)
    figure.supxlabel(_footnote(result), x=0.02, ha="left", fontsize=8.5, color=FAINT)
    for path in paths:
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, dpi=160, metadata=metadata, facecolor="white")


def _rows(result: Mapping[str, Any]) -> list[Row]:
    rows = []
    for configuration in CONFIGURATIONS:
        entries = {
            row["threads"]: next(text for text in row["texts"] if text["name"] == TEXT)
            for row in result["summary"]["engines"]
            if row["configuration"] == configuration.name
        }
        reason = result["unavailable"].get(configuration.name, "")
        if entries or reason:
            rows.append(Row(configuration, entries, reason))
    return rows


def _panel(axes: Axes, rows: Sequence[Row], threads: Sequence[int], measure: Measure) -> None:
    """Bars from top to bottom with their value at the end, and a thin line for the range over the rounds."""
    spreads = [Spread(**entry[measure.field]) for row in rows for entry in row.entries.values()]
    reach = max(spread.high for spread in spreads) * measure.scale
    axes.set_xlim(0, reach * 1.14)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    for index, row in enumerate(rows):
        for place, count in enumerate(threads):
            if count in row.entries:
                y = _height(index, place, len(threads))
                _bar(axes, y, Spread(**row.entries[count][measure.field]), measure, _color(row, place))
        if not row.entries:
            reason = textwrap.fill(row.reason, 50)
            axes.text(_inset(axes), index, reason, va="center", fontsize=8.5, style="italic", color=FAINT)
    _name_threads(axes, rows, threads, measure)
    axes.set_title(measure.title, loc="left", fontsize=11, color=INK)
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    axes.spines["left"].set_color(FAINT)
    axes.tick_params(bottom=False, labelbottom=False, left=False)


def _bar(axes: Axes, y: float, spread: Spread, measure: Measure, color: str) -> None:
    median, low, high = (value * measure.scale for value in (spread.median, spread.low, spread.high))
    axes.barh(y, median, BAR, color=color)
    axes.plot([low, high], [y, y], color=INK, linewidth=1, alpha=0.6, solid_capstyle="butt")
    axes.text(high + _inset(axes), y, measure.form(median), va="center", fontsize=9, color=INK)


def _inset(axes: Axes) -> float:
    """The distance of words from the edge that they stand at."""
    return axes.get_xlim()[1] * 0.011


def _name_rows(axes: Axes, rows: Sequence[Row]) -> None:
    axes.set_yticks(range(len(rows)), [row.configuration.label for row in rows])
    for label, row in zip(axes.get_yticklabels(), rows):
        label.set_fontsize(10)
        label.set_color(INK)
        label.set_fontweight("bold" if row.configuration.ours else "normal")


def _name_threads(axes: Axes, rows: Sequence[Row], threads: Sequence[int], measure: Measure) -> None:
    """Says inside the longest bars, where there is room, how many threads each is for."""

    def longest(row: Row) -> float:
        return max((entry[measure.field]["median"] for entry in row.entries.values()), default=0.0)

    index = max(range(len(rows)), key=lambda i: longest(rows[i]))
    for place, count in enumerate(threads):
        if count in rows[index].entries:
            words = "1 thread" if count == 1 else f"{count} threads"
            ink = "white" if place == 0 else INK
            axes.text(_inset(axes), _height(index, place, len(threads)), words, va="center", fontsize=9, color=ink)


def _height(index: int, place: int, count: int) -> float:
    """The middle of a bar: the bars of a row lie close to each other around its index."""
    return index + (place - (count - 1) / 2) * (BAR + GAP)


def _color(row: Row, place: int) -> str:
    shades = OURS if row.configuration.ours else THEIRS
    return shades[min(place, len(shades) - 1)]


def _title(rows: Sequence[Row]) -> str:
    lengths = [entry["audio_s"]["median"] for row in rows for entry in row.entries.values()]
    return f"Speaking one sentence of {sum(lengths) / len(lengths):.0f} seconds: shorter is faster"


def _footnote(result: Mapping[str, Any]) -> str:
    settings, noise = result["settings"], result["summary"]["noise"]
    calibration = Spread(**noise["calibration_ms"])
    return (
        "libspeech, kokoro-onnx and sherpa-onnx speak with the same weights (Kokoro-82M); "
        "Piper's model is another one, and smaller.\n"
        f"{result['machine']}. Medians of {settings['rounds']} round(s); the thin lines are their range.\n"
        "Noise of the machine: the time of a fixed piece of work was between "
        f"{calibration.low / calibration.median - 1:+.0%} and {calibration.high / calibration.median - 1:+.0%} off its "
        "median."
    )
