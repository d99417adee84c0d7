"""Discriminators on spectrograms, which learn to distinguish the teacher's speech from the student's."""

from __future__ import annotations

from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.parametrizations import weight_norm

from .losses import RESOLUTIONS, magnitudes

# The score of a critic, and its layers' features.
Judgement = tuple[Tensor, list[Tensor]]


class _Critic(nn.Module):
    """Convolutions over the logarithm of a spectrogram (Jang et al. 2021)."""

    def __init__(self, fft: int, hop: int, width: int) -> None:
        super().__init__()
        self.fft, self.hop = fft, hop
        channels = (1, width, width, 2 * width, 2 * width)
        layers = (nn.Conv2d(a, b, (5, 3), (2, 1), (2, 1)) for a, b in pairwise(channels))
        self.layers = nn.ModuleList(weight_norm(layer) for layer in layers)
        self.out = nn.Conv2d(2 * width, 1, 3, 1, 1)

    def forward(self, samples: Tensor) -> Judgement:
        y = torch.log(magnitudes(samples, self.fft, self.hop) + 1e-3)[:, None]
        features = []
        for layer in self.layers:
            y = F.leaky_relu(layer(y), 0.1)
            features.append(y)
        return self.out(y), features


class Critics(nn.Module):
    """One critic for each of the three finer time resolutions."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.critics = nn.ModuleList(_Critic(fft, hop, width) for fft, hop in RESOLUTIONS[1:])

    def forward(self, samples: Tensor) -> list[Judgement]:
        return [critic(samples) for critic in self.critics]


def critics_loss(teacher: list[Judgement], student: list[Judgement]) -> Tensor:
    """The hinge loss of the critics."""
    losses = (F.relu(1 - t).mean() + F.relu(1 + s).mean() for (t, _), (s, _) in zip(teacher, student))
    return sum(losses) / len(teacher)


def student_losses(teacher: list[Judgement], student: list[Judgement]) -> tuple[Tensor, Tensor]:
    """The student's adversarial loss, and the distance of its features from the teacher's, relative to their size."""
    adversarial = sum(-score.mean() for score, _ in student) / len(student)
    pairs = [(a, b) for (_, x), (_, y) in zip(student, teacher) for a, b in zip(x, y)]
    matching = sum((a - b).abs().mean() / b.abs().mean().clamp(min=1e-3) for a, b in pairs) / len(pairs)
    return adversarial, matching
