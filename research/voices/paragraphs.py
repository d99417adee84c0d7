"""Measures paragraphs whose sentences are spoken one by one: the pauses between them, and the joins.

Each paragraph is spoken by the library unchanged, as sentences joined with one constant pause, and, for comparison, by
the model in float32 as one utterance, which carries its prosody across the joins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import librosa
import numpy as np
from bundle.sources import STYLE_ROWS, Sources
from bundle.voices import blended_table

from . import hear, levels
from .candidate import RATE, Studio, read
from .kokoro import SAMPLE_RATE, Acoustic
from .opinion import Opinion
from .recipes import ingredients, parse_recipe
from .report import markdown
from .sentences import read_tsv
from .transcripts import inspected

_PAUSE_S = 0.28
PAUSES_MS = (60, 180, 280, 400, 560)
"""In addition to the margins of a sentence, some 220 ms."""
AS_IT_IS = "as the library has it"
ONE_UTTERANCE = "one utterance"
_NEAR_S = 0.6
"""The seconds examined before and after a join."""


@dataclass(frozen=True)
class Join:
    """The speech on both sides of a join between sentences: median pitch in Hz, level in dB, and the silence
    between."""

    pitch: tuple[float, float]
    level: tuple[float, float]
    silence_s: float


@dataclass(frozen=True)
class Measured:
    """The paragraphs of one voice in one language: Distill-MOS of each by way of joining, and the joins."""

    mos: dict[str, list[float]]
    joins: dict[str, list[Join]]


def read_paragraphs(language: str) -> list[str]:
    """The paragraphs of a language, each as one line."""
    rows = read_tsv(Path(__file__).with_name("data") / f"paragraphs_{language[:2]}.tsv")
    return [row["text"] for row in rows]


def measure(recipe: str, language: str, studio: Studio, speech: Path, sources: Sources, model: Path) -> Measured:
    """Speaks every paragraph in every way; `model` is the output of `python -m bundle float`."""
    acoustic, opinion = Acoustic.from_float_model(model), Opinion()
    # The graph takes one style for decoder and generator; the prosody, which is compared here, is the same.
    plain = {part: blend for part, blend in parse_recipe(recipe).items() if part != "articulation"}
    table = blended_table(plain, sources.style_tables(ingredients(plain)))
    mos: dict[str, list[float]] = {}
    joins: dict[str, list[Join]] = {AS_IT_IS: [], ONE_UTTERANCE: []}
    paragraphs = read_paragraphs(language)
    for paragraph, sentences in zip(paragraphs, inspected(speech, paragraphs, language), strict=True):
        whole = read(studio.record(recipe, language, [paragraph])[0])
        parts = [read(path) for path in studio.record(recipe, language, [s["text"] for s in sentences])]
        ways = {AS_IT_IS: whole} | {f"{ms} ms": joined(parts, ms) for ms in PAUSES_MS}
        for way, samples in ways.items():
            mos.setdefault(way, []).append(opinion.distill_mos(samples, RATE))
        joins[AS_IT_IS] += _joins(whole, RATE, _ends(parts))
        phonemes = [s["phonemes"] for s in sentences]
        if len(" ".join(phonemes)) <= STYLE_ROWS:
            spoken, ends = acoustic.speak_joined(phonemes, table)
            mos.setdefault(ONE_UTTERANCE, []).append(opinion.distill_mos(spoken, SAMPLE_RATE))
            joins[ONE_UTTERANCE] += _joins(spoken, SAMPLE_RATE, ends)
    return Measured(mos, joins)


def joined(parts: Sequence[levels.Samples], pause_ms: int) -> levels.Samples:
    """Concatenated sentences, with a pause between any two."""
    pause = np.zeros(RATE * pause_ms // 1000, np.float32)
    return np.concatenate([x for part in parts for x in (part, pause)][:-1])


def table(measured: dict[tuple[str, str], Measured]) -> str:
    """The results as Markdown, by (language, voice)."""
    ways = list(dict.fromkeys(way for one in measured.values() for way in one.mos))
    scores = [
        [way, *(f"{np.mean(one.mos[way]):.2f}" if way in one.mos else "" for one in measured.values())] for way in ways
    ]
    joins = [
        [f"{voice}, {language}, {way}", str(len(found)), *_summary(found)]
        for (language, voice), one in measured.items()
        for way, found in one.joins.items()
        if found
    ]
    head = ["", "joins", "silence, s"]
    head += ["pitch after, against before, semitones", "level after, against before, dB"]
    lines = [
        "# Paragraphs",
        "",
        "Made by `cargo xtask voices paragraphs`; README.md explains it.",
        "",
        "## Distill-MOS of whole paragraphs, by the pause between sentences",
        "",
        *markdown(["", *(f"{voice}, {language}" for language, voice in measured)], scores),
        "",
        "## Joins between sentences",
        "",
        *markdown(head, joins),
    ]
    return "\n".join(lines) + "\n"


def _summary(joins: Iterable[Join]) -> list[str]:
    """The median and the quartiles of silence, pitch and level."""
    columns = np.array(
        [(join.silence_s, 12 * np.log2(join.pitch[1] / join.pitch[0]), join.level[1] - join.level[0]) for join in joins]
    )
    cells = zip(np.median(columns, axis=0), *np.percentile(columns, [25, 75], axis=0), strict=True)
    return [f"{median:.2f} ({low:.2f} to {high:.2f})" for median, low, high in cells]


def _ends(parts: Sequence[levels.Samples]) -> list[float]:
    """The approximate end of each sentence except the last, in seconds, from which the silence after it is found."""
    ends, at = [], 0.0
    for part in parts[:-1]:
        ends.append(at + len(part) / RATE)
        at = ends[-1] + _PAUSE_S
    return ends


def _joins(samples: levels.Samples, rate: int, ends: Iterable[float]) -> list[Join]:
    """The joins near these times, except those without a silence nearby, or without voiced frames around."""
    heard = librosa.resample(samples, orig_sr=rate, target_sr=hear.SAMPLE_RATE)
    size = hear.SAMPLE_RATE // 100
    frames = heard[: len(heard) // size * size].reshape(-1, size)
    level = 10 * np.log10((frames**2).mean(axis=1) + 1e-12)
    quiet = level < np.percentile(level, 95) - 35
    found = []
    for end in ends:
        first, last = _longest_run(quiet, int(end * 100) - 60, int(end * 100) + 80)
        if last == first:
            continue
        near = int(_NEAR_S * 100)
        sides = [heard[max(0, first - near) * size : first * size], heard[last * size : (last + near) * size]]
        pitches = [levels.pitch(side, hear.SAMPLE_RATE) for side in sides]
        if all(len(pitch) for pitch in pitches):
            before, after = (float(np.median(pitch)) for pitch in pitches)
            loud = [float(10 * np.log10((side**2).mean() + 1e-12)) for side in sides]
            found.append(Join((before, after), (loud[0], loud[1]), (last - first) / 100))
    return found


def _longest_run(quiet: np.ndarray, start: int, end: int) -> tuple[int, int]:
    """The first frame and the one after the last of the longest run of quiet frames that begins in a range."""
    best, at = (0, 0), max(0, start)
    while at < min(end, len(quiet)):
        stop = at
        while stop < len(quiet) and quiet[stop]:
            stop += 1
        if stop - at > best[1] - best[0]:
            best = at, stop
        at = max(stop, at) + 1
    return best
