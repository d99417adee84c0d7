"""The teacher's speech: made by `speech-teacher`, and cut into one-second pieces for training."""

from __future__ import annotations

import json
import subprocess
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from safetensors import safe_open
from torch import Tensor
from voices.sentences import sentences

from . import texts
from .sound import HOP

# Lines per voice, language and part: 15 minutes of audio in all.
_LINES = 20
# The number of parts in training at a time: three hours of audio.
_PARTS = 12
_PIECE = 80


@dataclass(frozen=True)
class Batch:
    """The decoder's inputs for some utterances, and the teacher's audio: see `model.Decoder`."""

    tokens: Tensor
    mask: Tensor
    index: Tensor
    pitch: Tensor
    energy: Tensor
    style: Tensor
    samples: Tensor

    def to(self, device: str) -> Batch:
        return Batch(*(getattr(self, field.name).to(device, non_blocking=True) for field in fields(self)))

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """The parameters of `model.Decoder.forward`."""
        return self.tokens, self.mask, self.index, self.pitch, self.energy, self.style


@dataclass(frozen=True)
class Utterance:
    """A sentence spoken by the teacher."""

    # The number of its line.
    line: int
    pair: str
    tokens: np.ndarray
    # The token audible in each frame.
    index: np.ndarray
    pitch: np.ndarray
    energy: np.ndarray
    style: np.ndarray
    # The prosody's part of the style.
    prosody_style: np.ndarray
    samples: np.ndarray

    @property
    def durations(self) -> np.ndarray:
        """The frames of 25 ms of each token."""
        return np.bincount(self.index, minlength=len(self.tokens)) // 2

    def piece(self, start: int, frames: int) -> Utterance:
        """A part of the utterance, with all its tokens. Past the end, the last frame is repeated in silence."""
        at = np.minimum(np.arange(start, start + frames), len(self.index) - 1)
        samples = self.samples[start * HOP : (start + frames) * HOP]
        samples = np.pad(samples, (0, frames * HOP - len(samples)))
        return replace(self, index=self.index[at], pitch=self.pitch[at], energy=self.energy[at], samples=samples)


class Teacher:
    """The program `speech-teacher` with a voice bundle."""

    def __init__(self, program: Path, bundle: Path, folder: Path) -> None:
        self._command = [str(program), "--bundle", str(bundle)]
        self._folder = folder

    def path(self, name: str) -> Path:
        """The file of a named result."""
        return self._folder / f"{name}.safetensors"

    def speak(self, name: str, lines: Iterable[str]) -> list[Utterance]:
        """The teacher's speech for lines. Results are stored by name, and reused."""
        return self._kept(name, lines)

    def predict(self, name: str, lines: Iterable[str]) -> list[Utterance]:
        """As `speak`, without audio, in a tenth of the time."""
        return self._kept(name, lines, "--features")

    def _kept(self, name: str, lines: Iterable[str], *options: str) -> list[Utterance]:
        path = self.path(name)
        if not path.exists():
            self._write(path, lines, *options)
        return read(path)

    def speak_small(self, name: str, lines: Iterable[str], decoder: Path) -> Path:
        """As `speak`, with a small decoder; not reused."""
        path = self.path(f"{name}_small")
        self._write(path, lines, "--small-decoder", str(decoder))
        return path

    def _write(self, path: Path, lines: Iterable[str], *options: str) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".partial")
        command = [*self._command, *options, "--out", str(part)]
        subprocess.run(command, input="\n".join(lines), text=True, check=True)
        part.replace(path)

    def forget(self, name: str) -> None:
        self.path(name).unlink()


def read(path: Path) -> list[Utterance]:
    """The utterances in a file of the teacher."""
    with safe_open(path, "numpy") as file:
        lines = json.loads(file.metadata()["utterances"])
        return [_utterance(file, number, line) for number, line in enumerate(lines)]


def _utterance(file: safe_open, number: int, line: dict[str, Any]) -> Utterance:
    def values(name: str) -> np.ndarray:
        return file.get_tensor(f"{number}.{name}")

    durations, style = values("durations"), values("style")
    prosody_style = style[128:256]
    index = np.repeat(np.arange(len(durations)), 2 * durations.astype(np.int64))
    # The parts of a style are the decoder's, the prosody's and the generator's, which may be the decoder's.
    style = np.concatenate([style[:128], style[256:] if len(style) > 256 else style[:128]])
    tokens = values("tokens").astype(np.int64)
    pitch, energy, samples = values("pitch"), values("energy"), values("samples")
    return Utterance(line["number"], line["pair"], tokens, index, pitch, energy, style, prosody_style, samples)


class Speech:
    """An endless stream of speech: new parts replace the oldest.

    With `workers`, that many parts are made ahead, in parallel.
    """

    def __init__(self, teacher: Teacher, number: int, workers: int = 0) -> None:
        # The number of the next part.
        self.number = number
        self._teacher = teacher
        self._parts: deque[list[Utterance]] = deque()
        self._random = Random(number)
        self._pool = ThreadPoolExecutor(workers) if workers else None
        self._ahead = deque(self._begin(number + n) for n in range(workers))
        self.renew()

    @property
    def is_full(self) -> bool:
        return len(self._parts) == _PARTS

    def renew(self) -> None:
        """Adds the next part."""
        if self.is_full:
            self._parts.popleft()
            self._teacher.forget(f"part_{self.number - _PARTS}")
        if self._pool:
            self._ahead.append(self._begin(self.number + len(self._ahead)))
            self._parts.append(self._ahead.popleft().result())
        else:
            self._parts.append(self._make(self.number))
        self.number += 1
        self._groups: dict[str, list[Utterance]] = {}
        for part in self._parts:
            for utterance in part:
                self._groups.setdefault(utterance.pair, []).append(utterance)
        self._pairs = sorted(self._groups)

    def _begin(self, number: int) -> Future[list[Utterance]]:
        return self._pool.submit(self._make, number)

    def _make(self, number: int) -> list[Utterance]:
        return self._teacher.speak(f"part_{number}", texts.lines(number, _LINES))

    def batch(self, size: int) -> Batch:
        """One-second pieces, equally from all voices and languages."""
        pairs = self._random.sample(self._pairs, len(self._pairs)) * (size // len(self._pairs) + 1)
        return batch([self._piece(self._groups[pair]) for pair in pairs[:size]])

    def _piece(self, utterances: list[Utterance]) -> Utterance:
        utterance = self._random.choices(utterances, [len(one.index) for one in utterances])[0]
        start = self._random.randrange(max(len(utterance.index) - _PIECE, 0) + 1)
        return utterance.piece(start, _PIECE)


def batch(utterances: list[Utterance]) -> Batch:
    """Utterances of the same length."""
    rows = [torch.from_numpy(utterance.tokens) for utterance in utterances]
    tokens = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)
    mask = torch.arange(tokens.shape[1]) < torch.tensor([[len(row)] for row in rows])

    def stacked(name: str) -> Tensor:
        return torch.from_numpy(np.stack([getattr(utterance, name) for utterance in utterances]))

    samples = stacked("samples").float() / 32767
    return Batch(tokens, mask, stacked("index"), stacked("pitch"), stacked("energy"), stacked("style"), samples)


def held_out(count: int, part: str) -> list[str]:
    """Lines for the teacher by each voice in each language: `count` sentences of a part of the sentences of
    `research/voices`, which nothing is trained on."""
    chosen = {language: Random(0).sample(sentences(language, part), count) for language in texts.LANGUAGES}
    return [
        texts.line(sentence.text, f"{voice}/{language}")
        for voice in texts.VOICES
        for language in texts.LANGUAGES
        for sentence in chosen[language]
    ]
