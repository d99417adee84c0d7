"""The layout of the small prosody and the small decoder for the library.

Module names are those of `research/student/model.py` and of the published model. The library's tensor names describe
their function; the README lists them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .store import stored, stored_in_16_bits
from .weights import Array, Quantization, Weight, concatenated

Tensors = dict[str, Array]

Named = Mapping[str, Weight]
"""Weights with PyTorch's axes: outputs, inputs, and taps if the module is a convolution."""

PARTS, BINS = 5, 601
"""The spectra that the decoder outputs per frame, and the frequencies of each. The library has 608 of them."""

_PART = 608
_MULTIPLE = 32


def prosody_tensors(names: Named) -> Tensors:
    """The tensors of small_prosody.safetensors."""
    layout = _Layout(names)
    layout.text()
    layers = {"style": "style", "duration.0": "dur.0", "duration.1": "dur.1", "input": "pro_in", "output": "pro_out"}
    for name, module in layers.items():
        layout.layer(name, module)
    layout.blocks("pro")
    return layout.tensors


def decoder_tensors(names: Named) -> Tensors:
    """The tensors of small_decoder.safetensors."""
    layout = _Layout(names)
    layout.text()
    layout.layer("input", "dec_in")
    layout.blocks("dec")
    layout.norm("norm", "dec_norm")
    weight, bias = names["head.weight"].transposed([1, 0]), names["head.bias"].value().reshape(PARTS, BINS)
    parts = [weight.columns(slice(part * BINS, (part + 1) * BINS)).padded(1, _PART) for part in range(PARTS)]
    layout.store("head", concatenated(parts, axis=1).with_axis(0), np.pad(bias, ((0, 0), (0, _PART - BINS))).ravel())
    return layout.tensors


class _Layout:
    """Lays out modules one by one."""

    def __init__(self, names: Named) -> None:
        self._names = names
        self.tensors: Tensors = {}

    def store(self, name: str, weight: Weight, bias: NDArray[np.float32]) -> None:
        """Stores a convolution with the axes taps, inputs, outputs."""
        self.matrix(f"{name}.weight", weight)
        self.tensors[f"{name}.bias"] = bias.astype(np.float32)

    def matrix(self, name: str, weight: Weight) -> None:
        """Stores a weight unchanged, except floats, which are stored in 16 bits."""
        as_it_is = weight.quantization or weight.half
        self.tensors |= stored(name, weight) if as_it_is else stored_in_16_bits(name, weight.value().astype(np.float32))

    def layer(self, name: str, module: str, factor: NDArray[np.float32] | None = None) -> None:
        """Stores a linear layer or a convolution, with optional factors per output. Does nothing if the network lacks
        the layer.

        Channels are zero-padded to a multiple of 32.
        """
        weight = self._names.get(f"{module}.weight")
        if weight is None:
            return
        weight = weight if len(weight.shape) == 3 else weight.with_axis(2)
        outputs, inputs, _ = weight.shape
        bias = self._floats(f"{module}.bias") if f"{module}.bias" in self._names else np.zeros(outputs, np.float32)
        weight = weight.transposed([2, 1, 0])
        if factor is not None:
            weight, bias = _multiplied(weight, factor), bias * factor
        width, depth = (-(-channels // _MULTIPLE) * _MULTIPLE for channels in (outputs, inputs))
        self.store(name, weight.padded(1, depth).padded(2, width), np.pad(bias, (0, width - outputs)))

    def norm(self, name: str, module: str) -> None:
        for part in ("weight", "bias"):
            self.tensors[f"{name}.{part}"] = self._floats(f"{module}.{part}")

    def blocks(self, modules: str, name: str = "blocks") -> None:
        number = 0
        while f"{modules}.{number}.gamma" in self._names:
            self.block(f"{name}.{number}", f"{modules}.{number}")
            number += 1

    def block(self, name: str, module: str) -> None:
        self.tensors[f"{name}.depthwise.weight"] = np.ascontiguousarray(self._floats(f"{module}.dw.weight")[:, 0].T)
        self.tensors[f"{name}.depthwise.bias"] = self._floats(f"{module}.dw.bias")
        self.norm(f"{name}.norm", f"{module}.norm")
        self.layer(f"{name}.inner", f"{module}.pw1")
        gamma = self._floats(f"{module}.gamma")
        self.layer(f"{name}.outer", f"{module}.pw2", factor=gamma)
        if f"{module}.film.weight" in self._names:
            self.layer(f"{name}.style", f"{module}.film")
            # The scale is added to one.
            self.tensors[f"{name}.style.bias"][: len(gamma)] += 1

    def text(self) -> None:
        """Stores the text encoder, which both networks have."""
        self.matrix("text.embedding.weight", self._names["text.emb.weight"])
        self.blocks("text.convs", "text.blocks")
        names = {"attention.norm": "norm1", "ffn.norm": "norm2"}
        for name, module in names.items():
            self.norm(f"text.{name}", f"text.attn.{module}")
        names = {"attention.input": "qkv", "attention.output": "out", "ffn.input": "linear1", "ffn.output": "linear2"}
        for name, module in names.items():
            self.layer(f"text.{name}", f"text.attn.{module}")
        self.norm("text.norm", "text.norm")

    def _floats(self, name: str) -> NDArray[np.float32]:
        return self._names[name].value().astype(np.float32)


def _multiplied(weight: Weight, factor: NDArray[np.float32]) -> Weight:
    """A weight multiplied by one factor per index of its last axis; for codes, the scale takes the factor."""
    q = weight.quantization
    if q is None:
        return Weight(weight.value() * factor, half=weight.half)
    scale = (q.scale * factor).astype(np.float32)
    return Weight(quantization=Quantization(q.codes, scale, np.broadcast_to(q.zero_point, scale.shape).copy()))
