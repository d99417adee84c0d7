"""Writes the networks in the library's format: `core/acoustic/src/small`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from bundle.small_layout import decoder_tensors, prosody_tensors
from bundle.weights import Weight
from safetensors.numpy import save_file
from torch import Tensor, nn

from . import sound
from .model import PROSODY_STYLE, Decoder, Prosody


def exported(network: Decoder | Prosody) -> dict[str, np.ndarray]:
    """The library's tensors, with matrices in half precision."""
    weights = {name: Weight(value.detach().float().numpy(), half=True) for name, value in network.state_dict().items()}
    tensors = prosody_tensors(weights) if isinstance(network, Prosody) else decoder_tensors(weights)
    return {name: np.ascontiguousarray(value) for name, value in tensors.items()}


def write(network: Decoder | Prosody, path: Path) -> None:
    """Writes the file of a network."""
    save_file(exported(network), path)


def _random(network: nn.Module, generator: torch.Generator) -> None:
    """Sets random weights of few bits, so that the file compresses well and the library reads the same values."""
    for value in network.parameters():
        random = torch.round(3 * torch.randn(value.shape, generator=generator)) / 16
        value.copy_(random + (value.dim() == 1) * value)


def _write_reference(network: Decoder | Prosody, values: dict[str, Tensor], path: Path) -> None:
    references = {f"reference.{name}": np.ascontiguousarray(value.numpy()) for name, value in values.items()}
    save_file({**exported(network), **references}, path)


_TOKENS = torch.tensor([[0, 43, 16, 120, 5, 0]])


@torch.no_grad()
def write_references(folder: Path) -> None:
    """Writes tiny random networks, with their outputs for an utterance, for the tests of the library."""
    _write_prosody(folder / "prosody.safetensors")
    _write_decoder(folder / "decoder.safetensors")


def _write_prosody(path: Path) -> None:
    generator = torch.Generator().manual_seed(8)
    network = Prosody(width=32)
    _random(network, generator)
    # Durations of some frames.
    network.dur[1].weight.mul_(0.1)
    network.dur[1].bias.fill_(1.5)
    style = torch.randn(1, PROSODY_STYLE, generator=generator)
    text = network.encoded(_TOKENS, torch.ones_like(_TOKENS, dtype=torch.bool), style)
    expected = network.durations(text)[0].expm1()
    durations = expected.round().clamp(min=1).int()
    index = torch.repeat_interleave(torch.arange(_TOKENS.shape[1]), durations)[None]
    pitch, energy = network.curves(text, index, torch.ones_like(index, dtype=torch.bool), style)
    values = {"tokens": _TOKENS[0].short(), "style": style[0], "expected": expected, "durations": durations.short()}
    _write_reference(network, {**values, "pitch": pitch[0], "energy": energy[0]}, path)


def _write_decoder(path: Path) -> None:
    generator = torch.Generator().manual_seed(7)
    network = Decoder(width=32, inner=64, blocks=2)
    _random(network, generator)
    # Without noise, for which the library has other random numbers.
    noise = slice(2 * sound.BINS, 3 * sound.BINS)
    network.head.weight[noise], network.head.bias[noise] = 0, -30
    tokens, durations = _TOKENS, torch.tensor([3, 4, 2, 6, 1, 2])
    index = torch.repeat_interleave(torch.arange(6), 2 * durations)[None]
    frames = index.shape[1]
    voiced = (torch.arange(frames) > 5) & (torch.arange(frames) < 28)
    pitch = torch.where(voiced, 100 + 3 * torch.arange(frames), torch.zeros(())).float()[None]
    energy = torch.randn(1, frames, generator=generator)
    style = torch.randn(1, 256, generator=generator)
    spectra = network(tokens, torch.ones_like(tokens, dtype=torch.bool), index, pitch, energy, style)
    samples = sound.speech(spectra, pitch)
    spectra = torch.stack(spectra)[:, 0].permute(2, 0, 1)
    values = {
        "tokens": tokens[0].short(),
        "durations": durations.short(),
        "pitch": pitch[0],
        "energy": energy[0],
        "style": style[0],
        "spectra": spectra[::4],
        "samples": samples[0],
    }
    _write_reference(network, values, path)
