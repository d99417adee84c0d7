"""The text side of the published model; a model with one different constant is refused."""

from __future__ import annotations

import numpy as np
import pytest
from bundle import prosody
from bundle.errors import BundleError
from bundle.prosody import compare_with_export, prosody_tensors
from bundle.weights import Weight
from test_vocoder import expanded

pytestmark = pytest.mark.real_model


@pytest.fixture(scope="module")
def export(float_export):
    return float_export[0]


@pytest.fixture(scope="module")
def tensors(export):
    return prosody_tensors(export)


def test_the_tensors_are_the_weights_of_the_export(export, tensors):
    compare_with_export(expanded(tensors), export)


def test_every_weight_in_front_of_the_decoder_is_in_the_tensors(export, tensors):
    """The file has as many numbers as the text side; the others are constants that the library knows."""
    stored = sum(t.size for n, t in tensors.items() if not n.endswith((".scale", ".zero_point")))
    names = {i for n in export.nodes if "/decoder/" not in n.outputs[0] for i in n.inputs if i in export.weights}
    # The harmonics' layer is in the export's decoder, half of the LSTMs' biases are added to the others, one row of the
    # token types is stored, and a convolution has no bias.
    weights = sum(export.weights[n].size for n in names if export.weights[n].dtype == np.float32)
    states = sum(export.weights[n].size for n in names if export.weights[n].shape == (2, 1, 256))
    identities = sum(export.weights[n].size for n in names if _is_of_an_adaptive_normalization(export, n))
    lstm_biases, token_types, no_biases, source = 6 * 2 * 1024, 128, 2 * 256, 10
    expected = weights - states - identities - lstm_biases - token_types + no_biases + source
    assert abs(stored - expected) < 100  # scalars


def _is_of_an_adaptive_normalization(graph, name):
    readers = [n for n in graph.consumers(name) if n.op == "LayerNormalization"]
    return any("lstms." in n.outputs[0] for n in readers)


@pytest.mark.parametrize("name", ["bert.attention.input.weight", "duration.norms.2.bias", "pitch.output.weight"])
def test_another_number_is_noticed(export, tensors, name):
    changed = expanded(tensors)
    changed[name] = changed[name].copy()
    changed[name].flat[-1] += 1
    with pytest.raises(BundleError, match=f"{name} is not the weight"):
        compare_with_export(changed, export)


def made_by(graph, output):
    """The node of the first tensor with this name suffix."""
    return next(n for n in graph.nodes if n.outputs[0].endswith(output))


def attribute(output, key, value):
    """Changes an attribute."""

    def change(graph, monkeypatch):
        monkeypatch.setitem(made_by(graph, output).attributes, key, value)

    return change


def constant(output, position, value):
    """Changes a constant that a node reads, for that node only."""

    def change(graph, monkeypatch):
        node = made_by(graph, output)
        name = f"changed {output}"
        monkeypatch.setitem(graph.weights, name, Weight(np.asarray(value(graph.value(node.inputs[position])))))
        monkeypatch.setattr(node, "inputs", [name if i == position else n for i, n in enumerate(node.inputs)])

    return change


def operator(output, other):
    """Replaces an operator."""

    def change(graph, monkeypatch):
        monkeypatch.setattr(made_by(graph, output), "op", other)

    return change


def other_tokens(graph, monkeypatch):
    node = made_by(graph, "text_encoder/embedding/Gather_output_0")
    monkeypatch.setattr(node, "inputs", [node.inputs[0], "other tokens"])


def times(factor):
    return lambda value: value * np.asarray(factor, value.dtype)


def plus_one(value):
    return value + np.asarray(1, value.dtype)


CHANGES = {
    "the LSTM shared": attribute("/shared/LSTM_output_0", "direction", b"reverse"),
    "the LSTM predictor/text_encoder/lstms.2": attribute("lstms.2/LSTM_output_0", "hidden_size", 128),
    "the LSTM text_encoder/lstm has .* another state": constant("text_encoder/lstm/LSTM_output_0", 5, plus_one),
    "the convolution text_encoder/cnn.1/cnn.1.0": attribute("cnn.1.0/Conv_output_0", "pads", [1, 1]),
    "the convolution N.1/pool": attribute("N.1/pool/ConvTranspose_output_0", "strides", [1]),
    "bert/embeddings/LayerNorm has the eps": attribute("LayerNorm/LayerNormalization_output_0", "epsilon", 1e-5),
    "full_layer_layer_norm has the eps": attribute("norm_4/LayerNormalization_output_0", "epsilon", 1e-5),
    "cnn.2/cnn.2.1 has the eps": attribute("cnn.2.1/LayerNormalization_output_0", "epsilon", 1e-12),
    "lstms.3 has the eps": attribute("lstms.3/LayerNormalization_output_0", "epsilon", 1e-12),
    "lstms.5 has a scale .* of its own": constant("lstms.5/LayerNormalization_output_0", 1, times(2)),
    "F0.2/norm1 has the eps": constant("F0.2/norm1/Add_2_output_0", 1, times(0.1)),
    "the scale of N.2/norm2 is not one plus": constant("N.2/norm2/Add_1_output_0", 1, plus_one),
    "the LeakyRelus of text_encoder/cnn.0": attribute("cnn.0/cnn.0.2/LeakyRelu_output_0", "alpha", 0.1),
    "the LeakyRelus of N.2": attribute("N.2/actv/LeakyRelu_output_0", "alpha", 0.01),
    "the sum of the residual block F0.1": constant("F0.1/Div_4_output_0", 1, times(2)),
    "the upsampling F0.1/upsample": constant("F0.1/upsample/Resize_output_0", 2, plus_one),
    "the upsampling N.1/upsample": attribute("N.1/upsample/Resize_output_0", "mode", b"linear"),
    "attention/key has other weights": constant("attention/key_7/MatMul_output_0", 1, times(2)),
    "ffn has other weights": constant("activation_3/Mul_3_output_0", 1, times(2)),
    "query is not in 12 heads of 64 channels": constant("attention_3/Concat_output_0", 3, times(2)),
    "the approximate GELU .* is 11 times": operator("activation_11/Mul_3_output_0", "Gelu"),
    "text_encoder/embedding is not of the tokens": other_tokens,
    "position_embeddings is not of the positions": constant("bert/embeddings/Slice_output_0", 0, plus_one),
    "token_type_embeddings is not always of its first row": constant("bert/Slice_output_0", 0, plus_one),
    "the harmonics of the source": constant("l_sin_gen/Mul", 1, plus_one),
    "the harmonic source has Div by": constant("l_sin_gen/Div", 1, times(2)),
    "the harmonic source has Greater by": constant("l_sin_gen/Greater_output_0", 1, times(2)),
    "the phases .* are multiplied": constant("l_sin_gen/Mul_4", 1, times(2)),
    "the phases .* are resampled": constant("l_sin_gen/Resize_1_output_0", 2, times(2)),
    "the STFT has the hop 6": constant("generator/STFT_output_0", 1, plus_one),
    "the STFT has the hop 5.* and another window": constant("generator/STFT_output_0", 2, times(0.5)),
    "is not reflected": attribute("generator/Pad_output_0", "mode", b"edge"),
}


@pytest.mark.parametrize("message", CHANGES)
def test_a_model_with_another_constant_is_refused(export, monkeypatch, message):
    CHANGES[message](export, monkeypatch)
    export.touch()
    with pytest.raises(BundleError, match=message):
        prosody_tensors(export)
    monkeypatch.undo()
    export.touch()
    prosody._check(export)
