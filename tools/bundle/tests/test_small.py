"""The small networks: the layout of modules, and the published networks."""

from __future__ import annotations

import json

import numpy as np
import pytest
from bundle.errors import BundleError
from bundle.small_layout import BINS, PARTS, decoder_tensors, prosody_tensors
from bundle.small_model import DECODER, PROSODY, published_graph, published_weights
from bundle.store import SMALL_DECODER_WEIGHTS, SMALL_PROSODY_WEIGHTS, is_padding
from bundle.weights import Weight
from graphs import RNG, graph, node, normal
from safetensors.numpy import load_file
from test_vocoder import expanded

WIDTH = 32
LINEAR = ("attn.qkv", 3, 1), ("attn.out", 1, 1), ("attn.linear1", 2, 1), ("attn.linear2", 1, 2)


def one_byte(outputs, inputs):
    codes = RNG.integers(-127, 127, (outputs, inputs)).astype(np.int8)
    return Weight.quantized(codes, np.array([0.02], np.float32), np.array([3], np.int8), None)


def modules(name, outputs, inputs):
    return {f"{name}.weight": one_byte(outputs, inputs), f"{name}.bias": Weight(normal(outputs))}


def block(name, style=0):
    made = modules(f"{name}.pw1", 2 * WIDTH, WIDTH) | modules(f"{name}.pw2", WIDTH, 2 * WIDTH)
    made |= {f"{name}.dw.weight": Weight(normal(WIDTH, 1, 7)), f"{name}.dw.bias": Weight(normal(WIDTH))}
    made |= {f"{name}.{part}": Weight(normal(WIDTH)) for part in ("norm.weight", "norm.bias", "gamma")}
    return made | (modules(f"{name}.film", 2 * WIDTH, style) if style else {})


def text():
    made = {"text.emb.weight": Weight(normal(178, WIDTH))} | block("text.convs.0") | block("text.convs.1")
    for norm in ("attn.norm1", "attn.norm2", "norm"):
        made |= {f"text.{norm}.{part}": Weight(normal(WIDTH)) for part in ("weight", "bias")}
    for name, outputs, inputs in LINEAR:
        made |= modules(f"text.{name}", outputs * WIDTH, inputs * WIDTH)
    return made


def test_weights_of_one_byte_stay_so_and_take_the_factors_of_their_outputs():
    names = text() | block("pro.0", style=128) | modules("style", WIDTH, 128)
    names |= {f"{name}.weight": Weight(normal(WIDTH, WIDTH, 3)) for name in ("dur.0", "pro_in")}
    names |= {f"{name}.weight": Weight(normal(1, WIDTH, 1)) for name in ("dur.1", "pro_out")}
    names |= {f"{name}.bias": Weight(normal(WIDTH)) for name in ("dur.0", "pro_in")}
    tensors = prosody_tensors(names)
    assert tensors["blocks.0.outer.weight"].dtype == np.uint8
    gamma = names["pro.0.gamma"].value()
    outer = names["pro.0.pw2.weight"].value().T * gamma
    assert expanded(tensors)["blocks.0.outer.weight"][0] == pytest.approx(outer, abs=1e-6)
    assert tensors["blocks.0.outer.bias"] == pytest.approx(names["pro.0.pw2.bias"].value() * gamma)
    assert (tensors["blocks.0.depthwise.weight"] == names["pro.0.dw.weight"].value()[:, 0].T).all()
    scale = names["pro.0.film.bias"].value() + np.repeat([1, 0], WIDTH)
    assert tensors["blocks.0.style.bias"] == pytest.approx(scale)
    # Floats take two bytes, and a single output is one of 32 channels.
    assert tensors["duration.0.weight"].dtype == np.int16
    assert expanded(tensors)["duration.0.weight"] == pytest.approx(
        names["dur.0.weight"].value().transpose(2, 1, 0), abs=2e-4
    )
    assert tensors["duration.1.weight"].shape == (1, WIDTH, 32)
    assert not tensors["duration.1.bias"].any() and not tensors["duration.1.weight"][..., 1:].any()


def test_the_spectra_are_padded_each_by_itself():
    names = text() | block("dec.0") | modules("dec_in", WIDTH, WIDTH + 2)
    names |= {f"dec_norm.{part}": Weight(normal(WIDTH)) for part in ("weight", "bias")}
    names |= modules("head", PARTS * BINS, WIDTH)
    tensors = decoder_tensors(names)
    head = expanded(tensors)["head.weight"].reshape(WIDTH, PARTS, 608)
    assert head[..., :BINS].reshape(WIDTH, -1) == pytest.approx(names["head.weight"].value().T, abs=1e-6)
    assert not head[..., BINS:].any() and not tensors["head.bias"].reshape(PARTS, 608)[:, BINS:].any()
    assert tensors["input.weight"].shape == (1, 64, WIDTH)
    assert "blocks.0.style.weight" not in tensors


def test_a_product_without_a_bias_is_refused():
    g = graph([node("MatMul", "x w", "y")], {"x": [1, 4]}, {"y": [1, 4]}, {"w": normal(4, 4)})
    with pytest.raises(BundleError, match="has no bias"):
        published_weights(g, DECODER)


@pytest.mark.real_model
def test_every_weight_of_the_published_networks_is_in_the_bundle(sources, bundle):
    g = published_graph(sources.small_model())
    for network, file, laid_out_of in (
        (PROSODY, SMALL_PROSODY_WEIGHTS, prosody_tensors),
        (DECODER, SMALL_DECODER_WEIGHTS, decoder_tensors),
    ):
        weights = published_weights(g, network)
        stored = {name: tensor for name, tensor in load_file(bundle / file).items() if not is_padding(name)}
        laid_out = laid_out_of(weights)
        assert stored.keys() == laid_out.keys()
        assert all((stored[name] == laid_out[name]).all() for name in stored)
    parts = json.loads((bundle / "bundle.json").read_bytes())["parts"]
    assert parts["small_decoder"] == parts["small_prosody"] == {"aria": ["en-US"]}
    assert parts["prosody"]["leo"] == ["en-US", "hi-IN"]
