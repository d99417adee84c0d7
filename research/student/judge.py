"""Judges the student beside its teacher, on sentences that nothing was chosen on: paired scores of Distill-MOS, what Whisper
mishears, and whether it is the same voice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from voices.figures import Figures
from voices.measure import Inputs, figures_of
from voices.sentences import sentences

from . import sound, texts
from .model import Decoder
from .speech import Teacher, Utterance, batch
from .train import decoder

# The worst sentences whose mean is told.
_WORST = 20


def judge(weights: Path, teacher: Teacher, inputs: Inputs, parts: tuple[str, ...]) -> str:
    """A table with a row for each voice in each language."""
    network = decoder({name: value.float() for name, value in load_file(weights).items()}).requires_grad_(False)
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
            said = list(_by_line(teacher.speak(f"judged_{voice}_{language}_{'_'.join(parts)}", lines)))
            if len(said) != len(spoken):
                raise ValueError(f"{pair}: {len(spoken)} sentences, and {len(said)} were said")
            whole = [np.concatenate([one.samples / np.float32(32767) for one in line]) for line in said]
            ours = [np.concatenate([_speak(network, one, n) for one in line]) for n, line in enumerate(said)]
            figures = [figures_of(samples, sound.RATE, spoken, language, inputs) for samples in (whole, ours)]
            rows.append(_row(pair, *figures))
            print(rows[-1], flush=True)
    return "\n".join(rows) + "\n"


def _by_line(utterances: list[Utterance]) -> Iterator[list[Utterance]]:
    for _, said in groupby(utterances, lambda utterance: utterance.line):
        yield list(said)


@torch.no_grad()
def _speak(network: Decoder, utterance: Utterance, seed: int) -> np.ndarray:
    given = batch([utterance])
    generator = torch.Generator().manual_seed(seed)
    return sound.speech(network(*given.inputs), given.pitch, generator)[0].numpy()


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
