"""Writes the networks as the library reads them: `core/acoustic/src/small`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.numpy import save_file
from torch import Tensor, nn

from . import sound
from .model import PROSODY_STYLE, Decoder, Prosody

# Channels of a spectrum in the library: a multiple of 32, of which those past `sound.BINS` are padding.
_PART = 608
_ALIGNED = 32


class _Tensors:
    """The tensors of the library: matrices in half precision with the axes taps, inputs, outputs."""

    def __init__(self, network: nn.Module) -> None:
        self._weights = {name: value.detach().float() for name, value in network.state_dict().items()}
        self._tensors: dict[str, Tensor] = {}
        self.text()

    def norm(self, name: str, source: str) -> None:
        for part in ("weight", "bias"):
            self._tensors[f"{name}.{part}"] = self._weights[f"{source}.{part}"]

    def linear(self, name: str, weight: Tensor, bias: Tensor) -> None:
        self.convolution(name, weight[:, :, None], bias)

    def convolution(self, name: str, weight: Tensor, bias: Tensor) -> None:
        """Of a weight with the axes outputs, inputs, taps. Channels that are missing to a multiple of 32 are zero."""
        outputs, inputs = (-size % _ALIGNED for size in weight.shape[:2])
        weight = F.pad(weight, (0, 0, 0, inputs, 0, outputs))
        self._tensors[f"{name}.weight"] = weight.permute(2, 1, 0).half()
        self._tensors[f"{name}.bias"] = F.pad(bias, (0, outputs))

    def layer(self, name: str, source: str) -> None:
        weight = self._weights[f"{source}.weight"]
        self.convolution(name, weight if weight.dim() == 3 else weight[:, :, None], self._weights[f"{source}.bias"])

    def block(self, name: str, source: str) -> None:
        weights = self._weights
        self._tensors[f"{name}.depthwise.weight"] = weights[f"{source}.dw.weight"][:, 0].T
        self._tensors[f"{name}.depthwise.bias"] = weights[f"{source}.dw.bias"]
        self.norm(f"{name}.norm", f"{source}.norm")
        self.layer(f"{name}.inner", f"{source}.pw1")
        gamma = weights[f"{source}.gamma"]
        outer = weights[f"{source}.pw2.weight"] * gamma[:, None], weights[f"{source}.pw2.bias"] * gamma
        self.linear(f"{name}.outer", *outer)
        if f"{source}.film.weight" in weights:
            # The scale is added to one.
            one = torch.cat([torch.ones_like(gamma), torch.zeros_like(gamma)])
            self.linear(f"{name}.style", weights[f"{source}.film.weight"], weights[f"{source}.film.bias"] + one)

    def text(self) -> None:
        self._tensors["text.embedding.weight"] = self._weights["text.emb.weight"].half()
        for n in range(2):
            self.block(f"text.blocks.{n}", f"text.convs.{n}")
        self.norm("text.attention.norm", "text.attn.norm1")
        self.layer("text.attention.input", "text.attn.qkv")
        self.layer("text.attention.output", "text.attn.out")
        self.norm("text.ffn.norm", "text.attn.norm2")
        self.layer("text.ffn.input", "text.attn.linear1")
        self.layer("text.ffn.output", "text.attn.linear2")
        self.norm("text.norm", "text.norm")

    def arrays(self) -> dict[str, np.ndarray]:
        return {name: np.ascontiguousarray(value.numpy()) for name, value in self._tensors.items()}


def exported(network: Decoder | Prosody) -> dict[str, np.ndarray]:
    """The tensors of the library."""
    tensors, weights = _Tensors(network), network.state_dict()
    if isinstance(network, Prosody):
        for name, source in {"style": "style", "duration.0": "dur.0", "duration.1": "dur.1", "input": "pro_in"}.items():
            tensors.layer(name, source)
        for n in range(len(network.pro)):
            tensors.block(f"blocks.{n}", f"pro.{n}")
        tensors.layer("output", "pro_out")
        return tensors.arrays()
    tensors.layer("input", "dec_in")
    for n in range(len(network.dec)):
        tensors.block(f"blocks.{n}", f"dec.{n}")
    tensors.norm("norm", "dec_norm")
    padding = (0, 0, 0, _PART - sound.BINS)
    parts = F.pad(weights["head.weight"].detach().float().view(5, sound.BINS, -1), padding)
    bias = F.pad(weights["head.bias"].detach().float().view(5, sound.BINS), padding[2:])
    tensors.linear("head", parts.flatten(0, 1), bias.flatten())
    return tensors.arrays()


def write(network: Decoder | Prosody, path: Path) -> None:
    """Writes the file of a network."""
    save_file(exported(network), path)


def _random(network: nn.Module, generator: torch.Generator) -> None:
    """Gives a network random weights of few bits, so that the file can be packed small, and the library reads the same."""
    for value in network.parameters():
        random = torch.round(3 * torch.randn(value.shape, generator=generator)) / 16
        value.copy_(random + (value.dim() == 1) * value)


def _write_reference(network: Decoder | Prosody, values: dict[str, Tensor], path: Path) -> None:
    references = {f"reference.{name}": np.ascontiguousarray(value.numpy()) for name, value in values.items()}
    save_file({**exported(network), **references}, path)


_TOKENS = torch.tensor([[0, 43, 16, 120, 5, 0]])


@torch.no_grad()
def write_references(folder: Path) -> None:
    """Writes tiny networks of random weights, with what they make of an utterance: the tests of the library have them."""
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
    # Without noise, which has other random numbers there.
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
