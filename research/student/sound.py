"""Speech from spectra: filtered pulses of the pitch, filtered noise, and a component of free phase, as in `hibari-tts`
0.2.1.

Shapes: B utterances, T frames of 12.5 ms, HOP samples each.
"""

from __future__ import annotations

import math
from functools import cache

import torch
import torch.nn.functional as F
from torch import Tensor

RATE = 24_000
FFT = 1200
HOP = 300
BINS = FFT // 2 + 1

# In hertz: pitches below the lowest are unvoiced; pulses have no harmonics above the highest.
_LOWEST = 40.0
_HIGHEST = 11_000.0
# The largest log magnitude.
_LOUDEST = 7.0


@cache
def _window(device: torch.device) -> Tensor:
    return torch.hann_window(FFT, device=device)


def pulses(pitch: Tensor) -> Tensor:
    """The sum of all harmonics of a pitch below 11 kHz, in closed form (Dirichlet's kernel): B x T in hertz to B x T * HOP."""
    hertz = F.interpolate(pitch.double()[:, None], scale_factor=HOP, mode="linear")[:, 0].clamp(min=_LOWEST)
    turns = torch.cumsum(hertz / RATE, 1) % 1
    hertz, angle = hertz.float(), (2 * math.pi * turns).float()
    harmonics = torch.floor(_HIGHEST / hertz) + 0.5
    sine = 2 * torch.sin(angle / 2)
    is_peak = sine.abs() <= 2e-3
    kernel = torch.where(is_peak, harmonics, torch.sin(harmonics * angle) / sine.masked_fill(is_peak, 1)) - 0.5
    return torch.where(hertz > _LOWEST, kernel, torch.zeros_like(kernel))


def excitation(pitch: Tensor) -> Tensor:
    """The spectra of the pulses: B x BINS x T, complex."""
    spectra = torch.stft(pulses(pitch), FFT, HOP, window=_window(pitch.device), return_complex=True)
    return spectra[:, :, : pitch.shape[1]] / (FFT / 4)


def noise(like: Tensor, generator: torch.Generator | None = None) -> Tensor:
    """Complex Gaussian noise of the shape of a tensor."""
    values = torch.randn(*like.shape, 2, generator=generator, device=like.device)
    return torch.view_as_complex(values)


def spectrum(spectra: tuple[Tensor, ...], pulses: Tensor, noise: Tensor) -> Tensor:
    """The spectrum of speech: B x BINS x T, complex.

    Parameters
    ----------
    spectra : five of B x BINS x T
        The log gain of the pulses, and their phase; the log gain of the noise; the log magnitude of the free
        component, and its phase.
    """
    harmonic, turn, noisy, free, phase = spectra
    harmonic = torch.polar(torch.exp(harmonic.clamp(max=_LOUDEST)), math.pi * torch.tanh(turn))
    free = torch.polar(torch.exp(free.clamp(max=_LOUDEST)), phase)
    return harmonic * pulses + torch.exp(noisy.clamp(max=_LOUDEST)) * noise + free


def samples(spectrum: Tensor) -> Tensor:
    """The inverse STFT: B x BINS x T to B x T * HOP. The weighted overlap is added by `fold`, which is faster than `istft`."""
    window = _window(spectrum.device)
    frames = spectrum.shape[2]
    shape = {"output_size": (1, (frames - 1) * HOP + FFT), "kernel_size": (1, FFT), "stride": (1, HOP)}
    pieces = torch.fft.irfft(spectrum.transpose(1, 2), FFT) * window
    sums = F.fold(pieces.transpose(1, 2), **shape)[:, 0, 0]
    weights = F.fold((window**2)[None, :, None].expand(1, FFT, frames), **shape)[:, 0, 0]
    return (sums / weights.clamp(min=1e-11))[:, FFT // 2 : FFT // 2 + frames * HOP]


def speech(spectra: tuple[Tensor, ...], pitch: Tensor, generator: torch.Generator | None = None) -> Tensor:
    """The samples of speech: B x T * HOP."""
    with torch.no_grad():
        pulses = excitation(pitch)
        noises = noise(pulses, generator)
    return samples(spectrum(spectra, pulses, noises))
