"""The spectral distance of speech from the teacher's, at several resolutions (Yamamoto et al. 2020)."""

from __future__ import annotations

import math
from functools import cache

import torch
from torch import Tensor

from .sound import RATE

RESOLUTIONS = ((2048, 512), (1024, 256), (512, 128), (256, 64))

# Half the sample rate of the library: higher frequencies are inaudible.
_HIGHEST = 11_025
_LEAST = 1e-4


def bins(fft: int) -> int:
    """The number of compared bins of an FFT."""
    return int(_HIGHEST / RATE * fft)


@cache
def _window(size: int, device: torch.device) -> Tensor:
    return torch.hann_window(size, device=device)


def magnitudes(samples: Tensor, fft: int, hop: int) -> Tensor:
    """B x samples to B x bins x frames."""
    window = _window(fft, samples.device)
    spectrum = torch.stft(samples, fft, hop, window=window, center=False, return_complex=True)[:, : bins(fft)]
    return torch.sqrt(spectrum.real**2 + spectrum.imag**2 + 1e-9)


@cache
def mel(fft: int, bands: int, device: torch.device) -> Tensor:
    """The weights of triangular filters on the mel scale: bands x bins."""
    hertz = torch.arange(bins(fft)) * RATE / fft
    highest = 2595 * math.log10(1 + _HIGHEST / 700)
    edges = 700 * (10 ** (torch.linspace(0, highest, bands + 2) / 2595) - 1)
    rising = (hertz - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - hertz) / (edges[2:] - edges[1:-1])[:, None]
    weights = torch.minimum(rising, falling).clamp(min=0)
    return (weights / weights.sum(1, keepdim=True).clamp(min=1e-6)).to(device)


def distance(student: Tensor, teacher: Tensor) -> Tensor:
    """Spectral convergence, and differences of log magnitudes and log mel bands: the mean over all resolutions."""
    total = torch.zeros((), device=student.device)
    for fft, hop in RESOLUTIONS:
        x, y = magnitudes(student, fft, hop), magnitudes(teacher, fft, hop)
        norm = y.flatten(1).norm(dim=1).clamp(min=1e-3)
        total = total + ((x - y).flatten(1).norm(dim=1) / norm).mean()
        total = total + (torch.log(x + _LEAST) - torch.log(y + _LEAST)).abs().mean()
        weights = mel(fft, 80 if fft > 512 else 40, student.device)
        total = total + (torch.log(weights @ x + _LEAST) - torch.log(weights @ y + _LEAST)).abs().mean()
    return total / len(RESOLUTIONS)
