"""Trains the decoder on the teacher's speech."""

from __future__ import annotations

import copy
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from . import sound
from .critic import Critics, critics_loss, student_losses
from .losses import distance
from .model import Decoder
from .speech import Batch, Speech, Teacher, Utterance, batch, held_out

Network = TypeVar("Network", bound=nn.Module)

# The learning rate falls from the first to the second over all steps.
_RATES = (4e-4, 4e-5)
_WARM_UP = 100
_LONGEST_GRADIENT = 5.0
# The saved weights are a moving average (Polyak and Juditsky 1992).
_AVERAGE = 0.999
# Samples at both ends of a piece that are not compared, because their neighbors are unknown.
_EDGE = 2 * sound.HOP

# Steps between new parts of speech: while there are few parts, and later.
_RENEWED_EARLY, _RENEWED = 250, 1000
_MEASURED = 500

# Steps for which the critics learn alone, and their weight after that.
_CRITICS_ALONE = 100
_ADVERSARIAL, _MATCHING = 0.1, 0.5
_CRITICS_RATE = 4e-4

# Sentences per voice and language that are measured during training.
_HELD_OUT = 6


@dataclass(frozen=True)
class Recipe:
    """The training parameters."""

    # The total steps of all runs, over which the learning rate falls.
    steps: int
    # The minutes of this run.
    minutes: float
    size: int
    device: str
    # The channels of the critics; 0 to train without them.
    critics: int
    # Processes that make speech ahead; 0 to make it when needed.
    workers: int = 0


@dataclass
class State:
    """The state from which training continues."""

    weights: dict[str, Tensor]
    steps: int = 0
    # The number of the next part of the speech.
    part: int = 1
    # The distance from the teacher, on held-out sentences.
    distance: float = float("inf")

    @classmethod
    def read(cls, path: Path) -> State:
        with safe_open(path, "pt") as file:
            about = file.metadata()
            weights = {name: file.get_tensor(name).float() for name in file.keys()}
        return cls(weights, int(about["steps"]), int(about["part"]), float(about["distance"]))

    def write(self, path: Path) -> None:
        """Writes the state in half precision: 11 MB."""
        weights = {name: value.half().cpu().contiguous() for name, value in self.weights.items()}
        about = {"steps": str(self.steps), "part": str(self.part), "distance": f"{self.distance:.4f}"}
        partial = path.with_suffix(".partial")
        save_file(weights, partial, about)
        partial.replace(path)


def load(network: Network, weights: dict[str, Tensor]) -> Network:
    """Sets a network's weights; the published ones have none for the style."""
    missing, unknown = network.load_state_dict(weights, strict=False)
    styled = {name for name in network.state_dict() if ".film." in name or name.startswith("style.")}
    if unknown or set(missing) not in (set(), styled):
        raise ValueError(f"these are not the weights of the network: {unknown}, {missing}")
    return network


def decoder(weights: dict[str, Tensor]) -> Decoder:
    """A decoder with these weights."""
    return load(Decoder(), weights)


def rate(step: int, steps: int, since: int) -> float:
    """The learning rate at a step of `steps`, after `since` steps of this run."""
    begin, end = _RATES
    return (end + (begin - end) * (1 - step / steps)) * min((since + 1) / _WARM_UP, 1)


@torch.no_grad()
def averaged(average: nn.Module, network: nn.Module, since: int) -> None:
    """Moves an average toward the newest weights, after `since` steps of this run."""
    # An average over few steps must favor the last of them.
    weight = min(_AVERAGE, (since + 1) / (since + 10))
    for mean, value in zip(average.parameters(), network.parameters()):
        mean.lerp_(value, 1 - weight)


def train(state: State, teacher: Teacher, recipe: Recipe, path: Path) -> State:
    """Trains, and saves the state from time to time; returns the last one."""
    torch.manual_seed(state.steps)
    run = _Run(state, recipe)
    judged = teacher.speak("held_out", held_out(_HELD_OUT, "choice"))
    if state.steps == 0:
        say(f"distance before {measure(run.average, judged, recipe.device):.4f}")
    speech = Speech(teacher, state.part, recipe.workers)
    began, renewed, first = time.monotonic(), state.steps, state.steps
    try:
        while run.steps < recipe.steps and time.monotonic() - began < 60 * recipe.minutes:
            run.step(speech.batch(recipe.size).to(recipe.device))
            if run.steps % 50 == 0:
                pace = (time.monotonic() - began) / (run.steps - first)
                say(f"step {run.steps}, loss {run.loss:.4f}, {pace:.3f} s a step")
            if run.steps % _MEASURED == 0:
                _keep(run, speech, judged, path)
            if run.steps - renewed >= (_RENEWED if speech.is_full else _RENEWED_EARLY):
                speech.renew()
                renewed = run.steps
    except KeyboardInterrupt:
        say("interrupted: what was learned is kept")
    return _keep(run, speech, judged, path)


def _keep(run: _Run, speech: Speech, judged: list[Utterance], path: Path) -> State:
    state = State(run.average.state_dict(), run.steps, speech.number, measure(run.average, judged, run.recipe.device))
    say(f"step {state.steps}, distance {state.distance:.4f}")
    state.write(path)
    return state


class _Run:
    def __init__(self, state: State, recipe: Recipe) -> None:
        self.recipe, self.first, self.steps, self.loss = recipe, state.steps, state.steps, 0.0
        self.network = decoder(state.weights).to(recipe.device)
        self.average = copy.deepcopy(self.network).requires_grad_(False)
        self.optimizer = torch.optim.AdamW(self.network.parameters(), betas=(0.8, 0.99), weight_decay=0.0)
        self.critics = Critics(recipe.critics).to(recipe.device) if recipe.critics else None
        if self.critics:
            parameters = self.critics.parameters()
            self.critics_optimizer = torch.optim.AdamW(parameters, lr=_CRITICS_RATE, betas=(0.8, 0.99))

    def step(self, given: Batch) -> None:
        since = self.steps - self.first
        for group in self.optimizer.param_groups:
            group["lr"] = rate(self.steps, self.recipe.steps, since)
        student = sound.speech(self.network(*given.inputs), given.pitch)[:, _EDGE:-_EDGE]
        teacher = given.samples[:, _EDGE:-_EDGE]
        loss = distance(student, teacher)
        self.loss = loss.item() if since == 0 else 0.98 * self.loss + 0.02 * loss.item()
        if self.critics:
            loss = loss + self._criticize(student, teacher, since >= _CRITICS_ALONE)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), _LONGEST_GRADIENT)
        self.optimizer.step()
        self.steps += 1
        averaged(self.average, self.network, since)

    def _criticize(self, student: Tensor, teacher: Tensor, counts: bool) -> Tensor:
        """Trains the critics, and returns their loss for the student."""
        loss = critics_loss(self.critics(teacher), self.critics(student.detach()))
        self.critics_optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.critics_optimizer.step()
        if not counts:
            return torch.zeros((), device=student.device)
        with torch.no_grad():
            real = self.critics(teacher)
        adversarial, matching = student_losses(real, self.critics(student))
        return _ADVERSARIAL * adversarial + _MATCHING * matching


@torch.no_grad()
def measure(network: Decoder, utterances: list[Utterance], device: str) -> float:
    """The mean distance of whole utterances from the teacher."""
    total = 0.0
    for number, utterance in enumerate(utterances):
        given = batch([utterance]).to(device)
        generator = torch.Generator(device).manual_seed(number)
        student = sound.speech(network(*given.inputs), given.pitch, generator)
        total += distance(student, given.samples).item()
    return total / len(utterances)


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
