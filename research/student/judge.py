"""Compares the student with its teacher, on sentences that nothing was chosen on: paired Distill-MOS scores, Whisper's
error rate, and speaker similarity."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from pathlib import Path

import numpy as np
from voices.figures import Figures
from voices.measure import Inputs, figures_of
from voices.sentences import sentences

from . import sound, texts
from .speech import Teacher, read

# One in this many sentences counts as among the worst, whose mean is reported.
_WORST = 20

_HEAD = (
    "| voice | teacher | student | difference | worst 5 % | worst | errors | its errors | similarity |",
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
)


def judge(decoder: Path, teacher: Teacher, inputs: Inputs, parts: tuple[str, ...], workers: int) -> str:
    """A table with one row per voice and language. `decoder` is a file for the library, which speaks both."""
    pairs = [f"{voice}/{language}" for language in texts.LANGUAGES for voice in texts.VOICES]
    with ProcessPoolExecutor(workers) as pool:
        jobs = [pool.submit(_judged, pair, decoder, teacher, inputs, parts) for pair in pairs]
        rows = []
        for job in jobs:
            rows.append(job.result())
            print(rows[-1], flush=True)
    return "\n".join([*_HEAD, *rows]) + "\n"


def _judged(pair: str, decoder: Path, teacher: Teacher, inputs: Inputs, parts: tuple[str, ...]) -> str:
    language = pair.split("/")[1]
    spoken = [sentence for part in parts for sentence in sentences(language, part)]
    lines = [texts.line(one.text, pair) for one in spoken]
    name = f"judged_{pair.replace('/', '_')}_{'_'.join(parts)}"
    teacher.speak(name, lines)
    recorded = (teacher.path(name), teacher.speak_small(name, lines, decoder))
    figures = (figures_of(_whole(path, len(spoken)), sound.RATE, spoken, language, inputs) for path in recorded)
    return _row(pair, *figures)


def _whole(path: Path, count: int) -> list[np.ndarray]:
    """The recordings of lines, each of which may have several utterances."""
    lines = [list(said) for _, said in groupby(read(path), lambda utterance: utterance.line)]
    if len(lines) != count:
        raise ValueError(f"{path}: {count} sentences, and {len(lines)} were said")
    return [np.concatenate([one.samples / np.float32(32767) for one in said]) for said in lines]


def _row(pair: str, teacher: Figures, student: Figures) -> str:
    differences = np.sort(np.array(student.mos) - np.array(teacher.mos))
    mean, error = differences.mean(), differences.std(ddof=1) / len(differences) ** 0.5
    worst = differences[: max(len(differences) // _WORST, 1)].mean()
    wrong = (f"{figures.wrong}/{figures.of}" for figures in (teacher, student))
    similarity = float(np.dot(teacher.embedding, student.embedding))
    cells = [
        pair,
        f"{np.mean(teacher.mos):.3f}",
        f"{np.mean(student.mos):.3f}",
        f"{mean:+.3f} ± {error:.3f}",
        f"{worst:+.2f}",
        f"{differences[0]:+.2f}",
        *wrong,
        f"{similarity:.3f}",
    ]
    return "| " + " | ".join(cells) + " |"
