"""Trains the prosody on the teacher's durations, pitch and energy."""

from __future__ import annotations

import copy
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import torch
import torch.nn.functional as F
from torch import Tensor

from . import texts
from .model import Prosody
from .speech import Teacher, Utterance, held_out
from .train import State, averaged, load, rate, say

# Lines per voice, language and part: 45 minutes of audio in all, which the teacher predicts in a minute.
_LINES = 60
# The number of parts in training at a time, and the steps between new ones.
_PARTS, _RENEWED = 12, 250
_MEASURED = 500
_HELD_OUT = 6
_LONGEST_GRADIENT = 1.0


@dataclass(frozen=True)
class Batch:
    """Whole utterances, padded to the longest: see `model.Prosody`. Pitch and energy are B x 2 F."""

    tokens: Tensor
    mask: Tensor
    durations: Tensor
    index: Tensor
    frames: Tensor
    pitch: Tensor
    energy: Tensor
    style: Tensor


def batch(utterances: list[Utterance]) -> Batch:
    def padded(rows: Iterable[object]) -> tuple[Tensor, Tensor]:
        tensors = [torch.as_tensor(row) for row in rows]
        values = torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True)
        lengths = torch.tensor([[len(tensor)] for tensor in tensors])
        return values, torch.arange(values.shape[1]) < lengths

    tokens, mask = padded(one.tokens for one in utterances)
    durations, _ = padded(one.durations for one in utterances)
    index, frames = padded(one.index[::2] for one in utterances)
    pitch, _ = padded(one.pitch for one in utterances)
    energy, _ = padded(one.energy for one in utterances)
    style = torch.stack([torch.as_tensor(one.prosody_style) for one in utterances])
    return Batch(tokens, mask, durations, index, frames, pitch, energy, style)


def losses(network: Prosody, given: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """The losses of log durations, of the pitch in units of 100 Hz and of the energy in units of 5."""
    text = network.encoded(given.tokens, given.mask, given.style)
    durations = F.smooth_l1_loss(
        network.durations(text)[given.mask], given.durations[given.mask].float().log1p(), beta=0.1
    )
    pitch, energy = network.curves(text, given.index, given.frames, given.style)
    heard = given.frames.repeat_interleave(2, 1)
    return (
        durations,
        F.l1_loss(pitch[heard], given.pitch[heard]) / 100,
        F.l1_loss(energy[heard], given.energy[heard]) / 5,
    )


class _Predicted:
    """The teacher's predictions for a stream of new sentences."""

    def __init__(self, teacher: Teacher, number: int) -> None:
        self.number, self._teacher, self._random = number, teacher, Random(number)
        self._parts: deque[list[Utterance]] = deque()
        self.renew()

    def renew(self) -> None:
        if len(self._parts) == _PARTS:
            self._parts.popleft()
        name = f"prosody_{self.number}"
        self._parts.append(self._teacher.predict(name, texts.lines(self.number, _LINES, altered=0)))
        self._teacher.forget(name)
        self.number += 1

    def batch(self, size: int) -> Batch:
        """Utterances of similar length."""
        part = self._random.choice(self._parts)
        some = sorted(self._random.sample(part, min(4 * size, len(part))), key=lambda one: len(one.index))
        start = self._random.randrange(max(len(some) - size, 0) + 1)
        return batch(some[start : start + size])


@torch.no_grad()
def measure(network: Prosody, utterances: list[Utterance]) -> tuple[float, float, float]:
    """The mean losses over utterances."""
    sums = [torch.stack(losses(network, batch([utterance]))) for utterance in utterances]
    return tuple(torch.stack(sums).mean(0).tolist())


def train(state: State, teacher: Teacher, steps: int, minutes: float, size: int, path: Path) -> State:
    """Trains for at most `minutes`, up to `steps` in total, and saves the state from time to time; returns the last
    one."""
    torch.manual_seed(state.steps)
    network = load(Prosody(), state.weights)
    average = copy.deepcopy(network).requires_grad_(False)
    optimizer = torch.optim.AdamW(network.parameters(), betas=(0.9, 0.98), weight_decay=0.01)
    judged = teacher.predict("prosody_held_out", held_out(_HELD_OUT, "choice"))
    say("distances before: {:.4f} {:.4f} {:.4f}".format(*measure(average, judged)))
    speech = _Predicted(teacher, state.part)
    began, first, step = time.monotonic(), state.steps, state.steps

    def keep() -> State:
        distances = measure(average, judged)
        say("step {}, distances {:.4f} {:.4f} {:.4f}".format(step, *distances))
        kept = State(average.state_dict(), step, speech.number, sum(distances))
        kept.write(path)
        return kept

    try:
        while step < steps and time.monotonic() - began < 60 * minutes:
            for group in optimizer.param_groups:
                group["lr"] = rate(step, steps, step - first)
            loss = sum(losses(network, speech.batch(size)))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), _LONGEST_GRADIENT)
            optimizer.step()
            averaged(average, network, step - first)
            step += 1
            if step % 50 == 0:
                say(f"step {step}, loss {loss.item():.4f}, {(time.monotonic() - began) / (step - first):.3f} s a step")
            if step % _MEASURED == 0:
                keep()
            if (step - first) % _RENEWED == 0:
                speech.renew()
    except KeyboardInterrupt:
        say("interrupted: what was learned is kept")
    return keep()
