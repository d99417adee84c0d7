"""The result in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .configurations import CONFIGURATIONS, LOW_LATENCY, by_name
from .summary import Spread

QUIET = 0.1
"""The most processors that other programs may use on a machine that counts as quiet."""

NOT_QUIET = "**The machine was not quiet: these figures are not to be quoted.**"


def markdown(result: Mapping[str, Any]) -> str:
    """All tables of a result."""
    summary, settings = result["summary"], result["settings"]
    parts = [_heading(result)]
    for threads in settings["threads"]:
        rows = [row for row in summary["engines"] if row["threads"] == threads]
        faster = [row for row in summary["faster"] if row["threads"] == threads]
        sooner = [row for row in summary["sooner"] if row["threads"] == threads]
        parts += [f"### {_threads(threads)}", _speed(rows, result["unavailable"]), _rest(rows)]
        parts += [_faster(faster), _sooner(sooner)]
    parts += [_sessions(summary["sessions"]), _quality(result.get("quality", {})), _noise(summary["noise"])]
    return "\n\n".join(part for part in parts if part) + "\n"


def number(value: float) -> str:
    """Three significant digits, without an exponent."""
    if value >= 100:
        return f"{value:.0f}"
    if value >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1e3:.2f} s"


def _heading(result: Mapping[str, Any]) -> str:
    settings = result["settings"]
    versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    return (
        f"{result['machine']}. Rounds: {settings['rounds']}, runs of a text in each: {settings['runs']}; "
        f"medians over the rounds. {versions}."
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _speed(rows: Sequence[Mapping[str, Any]], unavailable: Mapping[str, str]) -> str:
    """Real-time factor and first audio of each text; a configuration that cannot run here has a row that says so."""
    texts = [text["name"] for text in rows[0]["texts"]]
    head = ["", *(f"real-time factor, {t}" for t in texts), *(f"first audio, {t}" for t in texts)]
    measured = {row["configuration"]: row for row in rows}
    lines = []
    for configuration in CONFIGURATIONS:
        row = measured.get(configuration.name)
        if row is not None:
            factors = [number(text["rtf"]["median"]) for text in row["texts"]]
            first = [seconds(text["first_audio_ms"]["median"]) for text in row["texts"]]
            lines.append([configuration.label, *factors, *first])
        elif configuration.name in unavailable:
            lines.append([configuration.label, unavailable[configuration.name], *[""] * (2 * len(texts) - 1)])
    return _table(head, lines)


def _rest(rows: Sequence[Mapping[str, Any]]) -> str:
    texts = [text["name"] for text in rows[0]["texts"]]
    head = ["", *(f"audio, {t}" for t in texts), "load", "peak memory", "threads used", "range over rounds"]
    lines = []
    for row in rows:
        audio = [f"{text['audio_s']['median']:.2f} s" for text in row["texts"]]
        worst = max(Spread(**text["rtf"]).relative for text in row["texts"])
        lines.append(
            [
                by_name(row["configuration"]).label,
                *audio,
                seconds(row["load_ms"]["median"]),
                f"{row['peak_rss_mb']['median']:.0f} MB",
                f"{row['threads_used']['median']:.2f}",
                f"{worst:.0%}",
            ]
        )
    return _table(head, lines)


def _faster(rows: Sequence[Mapping[str, Any]]) -> str:
    """Their real-time factor divided by ours: the median over the rounds, and the range."""
    if not rows:
        return ""
    theirs = list(dict.fromkeys(row["theirs"] for row in rows))
    cells = {(row["ours"], row["text"], row["theirs"]): row for row in rows}
    lines = []
    for ours, text in dict.fromkeys((row["ours"], row["text"]) for row in rows):
        values = (cells[ours, text, their] for their in theirs)
        lines.append([by_name(ours).label, text, *(_range(v) for v in values)])
    return _table(["times faster than", "text", *(by_name(their).label for their in theirs)], lines)


def _sooner(rows: Sequence[Mapping[str, Any]]) -> str:
    """Our first-audio time divided by the one with low latency."""
    if not rows:
        return ""
    head = ["low latency: first audio sooner by", *(row["text"] for row in rows)]
    return _table(head, [[by_name(LOW_LATENCY).label, *(_range(row) for row in rows)]])


def _sessions(rows: Sequence[Mapping[str, Any]]) -> str:
    """The throughput of several sessions, and the memory of the largest number of them."""
    if not rows:
        return ""
    counts = sorted({row["sessions"] for row in rows})
    cells = {(row["configuration"], row["sessions"]): row for row in rows}
    head = ["", *(f"{_counted(count, 'session')}" for count in counts), f"memory, {_counted(counts[-1], 'session')}"]
    lines = []
    for name in dict.fromkeys(row["configuration"] for row in rows):
        mine = [cells[name, count] for count in counts]
        memory = mine[-1]["peak_rss_mb"]["median"]
        lines.append([by_name(name).label, *(_range(row["sound_a_second"]) for row in mine), f"{memory:.0f} MB"])
    title = "### Seconds of sound a second, sessions of one thread each"
    return f"{title}\n\n{_table(head, lines)}"


def _quality(scores: Mapping[str, Mapping[str, Any]]) -> str:
    if not scores:
        return ""
    lines = [
        [by_name(name).label, f"{score['mean']:.2f}", f"{score['standard_error']:.2f}", f"{min(score['scores']):.2f}"]
        for name, score in scores.items()
    ]
    count = len(next(iter(scores.values()))["scores"])
    title = f"### Predicted listening score (Distill-MOS, 1 to 5) over {count} recordings"
    return f"{title}\n\n{_table(['', 'mean', 'standard error', 'worst'], lines)}"


def _range(spread: Mapping[str, Any]) -> str:
    return f"{number(spread['median'])} ({number(spread['low'])} to {number(spread['high'])})"


def _noise(noise: Mapping[str, Any]) -> str:
    calibration = Spread(**noise["calibration_ms"])
    text = (
        f"Noise: the fixed work of calibration took {number(calibration.median)} ms in the median, "
        f"{calibration.low / calibration.median - 1:+.0%} to {calibration.high / calibration.median - 1:+.0%}; "
        f"the least steady engine's real-time factor ranged over {noise['largest_range']:.0%}"
    )
    if noise["other_load"] is None:
        return text + "."
    other = Spread(**noise["other_load"])
    text += f"; other programs used {other.median:.2f} processors in the median, {other.high:.2f} at most."
    return f"{text} {NOT_QUIET}" if other.median > QUIET else text


def _threads(threads: int) -> str:
    return "One thread" if threads == 1 else f"{threads} threads"


def _counted(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count} {noun}s"
