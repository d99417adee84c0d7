"""The layout of the vocoder's weights, on a model of a few small layers."""

from __future__ import annotations

import numpy as np
import pytest
from bundle import layers, layout, vocoder
from bundle.errors import BundleError
from bundle.layers import Convolution, Norm, Snake
from bundle.layout import padded_channels
from bundle.vocoder import compare_with_export, vocoder_tensors
from bundle.weights import Weight
from graphs import RNG, graph, node, normal

PLAIN = Convolution("block.conv", "block/conv", 40, 24, 3, dilation=3)
STRIDED = Convolution("pitch", "F0_conv", 1, 1, 3, stride=2)
UP = Convolution("up", "ups.0", 40, 20, 4, 2, transposed=True)
POOL = Convolution("pool", "pool", 40, 40, 3, 2, transposed=True, depthwise=True)
NOISE = Convolution("noise", "noise", 22, 64, 12, 6)
LAST = Convolution("out", "conv_post", 8, 22, 7)
CONVOLUTIONS = (PLAIN, STRIDED, UP, POOL, NOISE, LAST)
NORM = Norm("norm", "block/norm", 40)
SNAKE = Snake("alpha", PLAIN)


@pytest.fixture(autouse=True)
def small_model(monkeypatch):
    for name, value in {"CONVOLUTIONS": CONVOLUTIONS, "NORMS": (NORM,), "SNAKES": (SNAKE,)}.items():
        monkeypatch.setattr(vocoder, name, value)
    monkeypatch.setattr(layout, "STYLE_HALF", 6)
    monkeypatch.setattr(layers, "STYLE_HALF", 6)


def conv(layer, source, bias=True, **other):
    attributes = {
        "strides": [layer.stride], "dilations": [layer.dilation], "pads": [layer.padding] * 2, "kernel_shape": [layer.taps]
    }  # fmt: skip
    if layer.depthwise:
        attributes |= {"group": layer.inputs, "output_padding": [1]}
    op = "ConvTranspose" if layer.transposed else "Conv"
    inputs = f"{source} {layer.name}.w" + (f" {layer.name}.b" if bias else "")
    made = node(op, inputs, f"{layer.name}.y", **{**attributes, **other})
    made.name = f"/decoder/{layer.module}/{op}"
    return made


def export(one="1", half=0, **other):
    constants = {
        "style.w": normal(6, 80), "style.b": normal(80), "axis": np.array([2]), "half": np.array([40, 40]),
        "one": np.float32(one), "halves": np.array([6, 6]), "alpha": normal(1, 40, 1), "two": np.float32(2),
    }  # fmt: skip
    for layer in CONVOLUTIONS:
        first, second = (layer.inputs, layer.outputs) if layer.transposed else (layer.outputs, layer.inputs)
        constants[f"{layer.name}.w"] = normal(first, 1 if layer.depthwise else second, layer.taps)
        constants[f"{layer.name}.b"] = normal(layer.outputs)
    style = node("MatMul", "s style.w", "style.m")
    style.name = "/decoder/block/norm/fc/MatMul"
    nodes = [
        node("Split", "style halves", "s other" if half == 0 else "other s", axis=1),
        style,
        node("Add", "style.m style.b", "style.a"),
        node("Unsqueeze", "style.a axis", "style.u"),
        node("Split", "style.u half", "gamma beta", axis=1),
        node("Add", "gamma one", "scale"),
        node("Mul", "x scale", "scaled"),
        node("Add", "scaled beta", "normal"),
        node("Mul", "alpha normal", "turned"),
        node("Sin", "turned", "sin"),
        node("Pow", "sin two", "square"),
        node("Div", "square alpha", "part"),
        node("Add", "normal part", "snake"),
        *(conv(c, "snake" if c is PLAIN else f"{c.name}.x", bias=c is not POOL, **other.get(c.name, {})) for c in CONVOLUTIONS),
    ]  # fmt: skip
    inputs = {"style": [1, 12], "x": [1, 40, "t"]} | {f"{c.name}.x": [1, c.inputs, "t"] for c in CONVOLUTIONS}
    return graph(nodes, inputs, {f"{c.name}.y": None for c in CONVOLUTIONS}, constants)


def test_every_layer_is_laid_out_with_its_outputs_last():
    g = export()
    tensors = vocoder_tensors(g)
    shapes = {name: tensor.shape for name, tensor in tensors.items()}
    assert shapes == {
        "block.conv.weight": (3, 64, 32), "block.conv.bias": (32,), "pitch.weight": (3, 1, 1), "pitch.bias": (1,),
        "up.halves.0.weight": (1, 128, 32), "up.halves.0.weight.scale": (32,),
        "up.halves.1.weight": (1, 128, 32), "up.halves.1.weight.scale": (32,), "up.bias": (32,), "pool.weight": (3, 64), "pool.bias": (64,),
        "noise.weight": (12, 22, 64), "noise.bias": (64,), "out.weight": (7, 32, 32), "out.bias": (32,),
        "norm.weight": (6, 2, 64), "norm.bias": (2, 64), "alpha": (40,),
    }  # fmt: skip
    value = {name: weight.value() for name, weight in g.weights.items()}
    at = {
        "block.conv.weight": ((2, 39, 23), value["block.conv.w"][23, 39, 2]),
        "pool.weight": ((2, 39), value["pool.w"][39, 0, 2]),
        "noise.weight": ((11, 21, 63), value["noise.w"][63, 21, 11]),
        "norm.weight": ((5, 1, 39), value["style.w"][5, 79]),
        "norm.bias": ((0, 39), value["style.b"][39] + 1),
        "out.bias": ((21,), value["out.b"][21]),
    }
    # The second half is computed from the time step itself and the next: taps 2 and 0 of the four.
    last = tensors["up.halves.1.weight"][0, 39, 19] * tensors["up.halves.1.weight.scale"][19]
    np.testing.assert_allclose(last, value["up.w"][39, 19, 2], atol=1e-4)
    wrong = [name for name, (index, expected) in at.items() if tensors[name][index] != np.float32(expected)]
    assert not wrong
    assert not tensors["pool.bias"].any()
    assert not tensors["block.conv.weight"][:, 40:].any() and not tensors["norm.bias"][:, 40:].any()
    compare_with_export(expanded(tensors), g)


@pytest.mark.parametrize(("axis", "kept"), [(None, True), (0, True), (1, False)])
def test_one_byte_per_weight_stays_where_the_scale_varies_along_the_outputs(axis, kept):
    g = export()
    codes = RNG.integers(0, 256, (24, 40, 3)).astype(np.uint8)
    n = 1 if axis is None else codes.shape[axis]
    scale, zero = RNG.uniform(0.01, 0.1, n).astype(np.float32), RNG.integers(1, 255, n).astype(np.uint8)
    g.weights["block.conv.w"] = Weight.quantized(codes, scale, zero, axis)
    tensors = vocoder_tensors(g)
    assert (tensors["block.conv.weight"].dtype == np.uint8) == kept
    if kept:
        assert tensors["block.conv.weight.scale"].shape == ((1, 1, 1) if axis is None else (1, 1, 32))
    compare_with_export(expanded(tensors), g)


def test_style_layers_keep_one_byte_with_a_scale_per_output():
    g = export()
    codes = RNG.integers(0, 256, (6, 80)).astype(np.uint8)
    g.weights["style.w"] = Weight.quantized(codes, RNG.uniform(0.01, 0.1, 80).astype(np.float32), codes[0], 1)
    tensors = vocoder_tensors(g)
    assert tensors["norm.weight"].dtype == np.uint8 and tensors["norm.weight.scale"].shape == (1, 2, 64)
    compare_with_export(expanded(tensors), g)


def test_half_precision_weights_stay_halves():
    g = export()
    for name in ("up.w", "pool.w"):
        g.weights[name] = Weight(g.weights[name].value().astype(np.float16).astype(np.float32), half=True)
    tensors = vocoder_tensors(g)
    assert tensors["up.halves.1.weight"].dtype == tensors["pool.weight"].dtype == np.float16
    compare_with_export(expanded(tensors), g)


@pytest.mark.parametrize(
    "name",
    [
        "block.conv.weight", "up.halves.0.weight", "up.halves.1.weight", "up.bias", "pool.weight", "out.bias",
        "norm.bias", "alpha",
    ],
)  # fmt: skip
def test_any_other_number_is_noticed(name):
    g = export()
    tensors = vocoder_tensors(g)
    for index in ((0,) * tensors[name].ndim, (-1,) * tensors[name].ndim):
        changed = {**tensors, name: tensors[name].copy()}
        changed[name][index] += 1
        with pytest.raises(BundleError, match=name):
            compare_with_export(expanded(changed), g)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"up": {"strides": [4]}}, r"the convolution ups.0 has .*\[4\]"),
        ({"block.conv": {"dilations": [1]}}, "the convolution block/conv"),
        ({"pool": {"output_padding": [0]}}, "the convolution pool"),
        ({"one": "2"}, "the scale of block/norm is not one plus"),
        ({"half": 1}, "block/norm/fc does not read half 0 of the style"),
    ],
    ids=str,
)
def test_a_model_that_is_built_otherwise_is_refused(other, message):
    with pytest.raises(BundleError, match=message):
        vocoder_tensors(export(**other))


def test_a_layer_that_is_missing_or_there_twice_is_refused():
    g = export()
    (first,) = [n for n in g.nodes if n.name == "/decoder/ups.0/ConvTranspose"]
    g.remove([first])
    with pytest.raises(BundleError, match="the layer ups.0 is 0 times"):
        vocoder_tensors(g)
    g.add(first)
    g.add(first)
    with pytest.raises(BundleError, match="the layer ups.0 is 2 times"):
        vocoder_tensors(g)


def test_padded_channels():
    found = {n: padded_channels(n) for n in (1, 22, 64, 514, 1090, 512)}
    assert found == {1: 1, 22: 22, 64: 64, 514: 544, 1090: 1120, 512: 512}


def expanded(tensors):
    """As a reader expands them."""
    values = {}
    for name, tensor in tensors.items():
        if tensor.dtype == np.uint8 and f"{name}.scale" in tensors:
            centred = tensor.astype(np.float32) - tensors[f"{name}.zero_point"].astype(np.float32)
            values[name] = centred * tensors[f"{name}.scale"]
        elif tensor.dtype == np.int16:
            values[name] = tensor.astype(np.float32) * tensors[f"{name}.scale"]
        else:
            values[name] = tensor.astype(np.float32)
    return values
