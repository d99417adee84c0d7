"""Writes the decoder as the library reads it: `core/acoustic/src/small_decoder`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file
from torch import Tensor

from . import sound
from .model import Decoder

# Channels of a spectrum in the library: a multiple of 32, of which those past `sound.BINS` are padding.
_PART = 608
_ALIGNED = 32


def exported(network: Decoder) -> dict[str, np.ndarray]:
    """The tensors of the library: matrices in half precision with the axes taps, inputs, outputs."""
    weights = {name: value.detach().float() for name, value in network.state_dict().items()}
    tensors: dict[str, Tensor] = {"text.embedding.weight": weights["text.emb.weight"].half()}

    def norm(name: str, source: str) -> None:
        for part in ("weight", "bias"):
            tensors[f"{name}.{part}"] = weights[f"{source}.{part}"]

    def linear(name: str, weight: Tensor, bias: Tensor) -> None:
        tensors[f"{name}.weight"], tensors[f"{name}.bias"] = weight.T[None].half(), bias

    def layer(name: str, source: str) -> None:
        linear(name, weights[f"{source}.weight"], weights[f"{source}.bias"])

    def block(name: str, source: str) -> None:
        tensors[f"{name}.depthwise.weight"] = weights[f"{source}.dw.weight"][:, 0].T
        tensors[f"{name}.depthwise.bias"] = weights[f"{source}.dw.bias"]
        norm(f"{name}.norm", f"{source}.norm")
        layer(f"{name}.inner", f"{source}.pw1")
        gamma = weights[f"{source}.gamma"]
        linear(f"{name}.outer", weights[f"{source}.pw2.weight"] * gamma[:, None], weights[f"{source}.pw2.bias"] * gamma)
        if f"{source}.film.weight" in weights:
            # The scale is added to one.
            one = torch.cat([torch.ones_like(gamma), torch.zeros_like(gamma)])
            linear(f"{name}.style", weights[f"{source}.film.weight"], weights[f"{source}.film.bias"] + one)

    for n in range(len(network.text.convs)):
        block(f"text.blocks.{n}", f"text.convs.{n}")
    norm("text.attention.norm", "text.attn.norm1")
    layer("text.attention.input", "text.attn.qkv")
    layer("text.attention.output", "text.attn.out")
    norm("text.ffn.norm", "text.attn.norm2")
    layer("text.ffn.input", "text.attn.linear1")
    layer("text.ffn.output", "text.attn.linear2")
    norm("text.norm", "text.norm")
    inputs = weights["dec_in.weight"].permute(2, 1, 0)
    padding = -inputs.shape[1] % _ALIGNED
    tensors["input.weight"] = torch.nn.functional.pad(inputs, (0, 0, 0, padding)).half()
    tensors["input.bias"] = weights["dec_in.bias"]
    for n in range(len(network.dec)):
        block(f"blocks.{n}", f"dec.{n}")
    norm("norm", "dec_norm")
    padding = (0, 0, 0, _PART - sound.BINS)
    parts = torch.nn.functional.pad(weights["head.weight"].view(5, sound.BINS, -1), padding)
    bias = torch.nn.functional.pad(weights["head.bias"].view(5, sound.BINS), padding[2:])
    linear("head", parts.flatten(0, 1), bias.flatten())
    return {name: np.ascontiguousarray(value.numpy()) for name, value in tensors.items()}


def write(network: Decoder, path: Path) -> None:
    """Writes the file of a decoder."""
    save_file(exported(network), path)


@torch.no_grad()
def write_reference(path: Path) -> None:
    """Writes a tiny decoder of random weights, with what it makes of an utterance: the tests of the library have it."""
    generator = torch.Generator().manual_seed(7)
    network = Decoder(width=32, inner=64, blocks=2)
    for value in network.parameters():
        # Of few bits, so that the file can be packed small, and the library reads the same.
        random = torch.round(3 * torch.randn(value.shape, generator=generator)) / 16
        value.copy_(random + (value.dim() == 1) * value)
    # Without noise, which has other random numbers there.
    noise = slice(2 * sound.BINS, 3 * sound.BINS)
    network.head.weight[noise], network.head.bias[noise] = 0, -30
    tokens, durations = torch.tensor([[0, 43, 16, 120, 5, 0]]), torch.tensor([3, 4, 2, 6, 1, 2])
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
    references = {f"reference.{name}": np.ascontiguousarray(value.numpy()) for name, value in values.items()}
    save_file({**exported(network), **references}, path)
