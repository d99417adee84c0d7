"""Judges the student beside its teacher, on sentences that nothing was chosen on: paired scores of Distill-MOS, what Whisper
mishears, and whether it is the same voice."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path

import numpy as np
from voices.figures import Figures
from voices.measure import Inputs, figures_of
from voices.sentences import sentences

from . import sound, texts
from .speech import Teacher, read

# The worst sentences whose mean is told.
_WORST = 20


def judge(decoder: Path, teacher: Teacher, inputs: Inputs, parts: tuple[str, ...]) -> str:
    """A table with a row for each voice in each language. `decoder` is a file for the library, which speaks both."""
    rows = [
        "| voice | teacher | student | difference | worst 5 % | worst | errors | its errors | similarity |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for language in texts.LANGUAGES:
        spoken = [sentence for part in parts for sentence in sentences(language, part)]
        for voice in texts.VOICES:
            pair = f"{voice}/{language}"
            lines = [
                json.dumps({"text": one.text, "pair": pair, "rate": 1.0, "pitch": 0.0}, ensure_ascii=False)
                for one in spoken
            ]
            name = f"judged_{voice}_{language}_{'_'.join(parts)}"
            teacher.speak(name, lines)
            recorded = (teacher.path(name), teacher.speak_small(name, lines, decoder))
            figures = [figures_of(_whole(path, len(spoken)), sound.RATE, spoken, language, inputs) for path in recorded]
            rows.append(_row(pair, *figures))
            print(rows[-1], flush=True)
    return "\n".join(rows) + "\n"


def _whole(path: Path, count: int) -> list[np.ndarray]:
    """The recordings of lines, of which each may have several utterances."""
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
