"""Compares each kind of quantized operator with ONNX Runtime running the quantized original.

The inputs are whole numbers from -128 to 127, both ends included: dynamic quantization maps them to themselves, so the
only remaining difference is that the quantizer rounds the bias down to a step of the product.
"""

from __future__ import annotations

import numpy as np
import pytest
from bundle.dequantize import dequantize
from bundle.errors import BundleError
from bundle.graph import Graph
from graphs import FLOAT, INT64, graph, model, node, ops, run
from onnxruntime.quantization import QuantType, quantize_dynamic

RNG = np.random.default_rng(0)


def whole_numbers(*shape):
    x = RNG.integers(-128, 128, shape).astype(np.float32)
    x.reshape(-1)[:2] = -128, 127
    return x


def quantize(float_model, tmp_path, kind, per_channel):
    import onnx

    onnx.save(float_model, tmp_path / "float.onnx")
    types = {"uint8": QuantType.QUInt8, "int8": QuantType.QInt8}
    # Signed weights have 7 bits: with 8, sums of two products saturate on processors without VNNI.
    quantize_dynamic(
        tmp_path / "float.onnx", tmp_path / "quantized.onnx", per_channel=per_channel, weight_type=types[kind],
        reduce_range=kind == "int8", extra_options={"DefaultTensorType": FLOAT},
    )  # fmt: skip
    return onnx.load(tmp_path / "quantized.onnx")


def dequantized(quantized):
    g = Graph.from_model(quantized)
    counts = dequantize(g)
    return g, counts


@pytest.mark.parametrize("per_channel", [False, True])
@pytest.mark.parametrize("kind", ["uint8", "int8"])
def test_matmul_with_bias(tmp_path, kind, per_channel):
    constants = {"w": RNG.standard_normal((24, 10)).astype(np.float32), "b": np.ones(10, np.float32)}
    nodes = [node("MatMul", "x w", "m"), node("Add", "m b", "y")]
    quantized = quantize(model(nodes, {"x": [3, 24]}, {"y": [3, 10]}, constants), tmp_path, kind, per_channel)
    g, counts = dequantized(quantized)
    x = whole_numbers(3, 24)
    assert counts == {"dequantized MatMulInteger": 1} and ops(g) == {"MatMul": 1, "Add": 1}
    assert [w.quantization is not None for w in g.weights.values() if len(w.shape) == 2] == [True]
    np.testing.assert_allclose(run(g, x=x)[0], run(quantized, x=x)[0], rtol=1e-5, atol=1e-3)


@pytest.mark.parametrize("per_channel", [False, True])
@pytest.mark.parametrize("bias", [False, True])
def test_convolution(tmp_path, per_channel, bias):
    constants = {"w": RNG.standard_normal((6, 4, 3)).astype(np.float32)}
    if bias:
        constants["b"] = (RNG.standard_normal(6) * 100).astype(np.float32)
    conv = node("Conv", "x w b" if bias else "x w", "y", kernel_shape=[3], pads=[2, 2], dilations=[2], strides=[1])
    quantized = quantize(model([conv], {"x": [1, 4, 20]}, {"y": [1, 6, 20]}, constants), tmp_path, "uint8", per_channel)
    g, counts = dequantized(quantized)
    x = whole_numbers(1, 4, 20)
    assert counts == {"dequantized ConvInteger": 1} and ops(g) == {"Conv": 1}
    step = max(w.quantization.scale.max() for w in g.weights.values() if w.quantization is not None)
    np.testing.assert_allclose(run(g, x=x)[0], run(quantized, x=x)[0], rtol=1e-5, atol=step * 1.01)


def test_bidirectional_lstm_with_a_scale_per_direction(tmp_path):
    hidden, width = 8, 12
    w = RNG.standard_normal((2, 4 * hidden, width)).astype(np.float32) * 0.01
    r = RNG.standard_normal((2, 4 * hidden, hidden)).astype(np.float32) * 0.3
    w[1] *= 5  # so that the wrong direction's scale, or a wrong layout, cannot pass
    r[1] *= 2
    constants = {"w": w, "r": r, "b": RNG.standard_normal((2, 8 * hidden)).astype(np.float32) * 0.1}
    lstm = node("LSTM", "x w r b", "y", hidden_size=hidden, direction="bidirectional")
    float_model = model([lstm], {"x": [9, 1, width]}, {"y": [9, 2, 1, hidden]}, constants)
    quantized = quantize(float_model, tmp_path, "int8", False)
    g, counts = dequantized(quantized)
    x = whole_numbers(9, 1, width)
    assert counts == {"dequantized DynamicQuantizeLSTM": 1} and ops(g) == {"LSTM": 1}
    np.testing.assert_allclose(run(g, x=x)[0], run(quantized, x=x)[0], atol=0.02)
    assert np.abs(run(g, x=x)[0]).max() > 0.5


def test_embedding(tmp_path):
    constants = {"table": RNG.standard_normal((7, 5)).astype(np.float32)}
    float_model = model([node("Gather", "table i", "y")], {"i": (INT64, [3])}, {"y": [3, 5]}, constants)
    quantized = quantize(float_model, tmp_path, "int8", False)
    g, counts = dequantized(quantized)
    i = np.array([0, 6, 3])
    assert counts == {"dequantized DequantizeLinear": 1} and ops(g) == {"Gather": 1}
    np.testing.assert_array_equal(run(g, i=i)[0], run(quantized, i=i)[0])


@pytest.mark.parametrize("per_channel", [False, True])
def test_weights_and_activations_between_quantize_and_dequantize(per_channel):
    n = 6 if per_channel else 1
    scale = RNG.uniform(0.01, 0.1, n).astype(np.float32)
    constants = {
        "codes": RNG.integers(-128, 128, (6, 4, 3)).astype(np.int8),
        "scale": scale if per_channel else scale[0],
        "zero": np.zeros(n, np.int8) if per_channel else np.int8(0),
        "bias": RNG.integers(-9, 9, 6).astype(np.int32),
        "bias_scale": np.full(6, 0.25, np.float32),
        "one": np.float32(1),
        "middle": np.uint8(128),
    }
    nodes = [
        node("QuantizeLinear", "x one middle", "q"),
        node("DequantizeLinear", "q one middle", "d"),
        node("DequantizeLinear", "codes scale zero", "w", axis=0),
        node("DequantizeLinear", "bias bias_scale", "b", axis=0),
        node("Conv", "d w b", "y", pads=[1, 1]),
    ]
    args = (nodes, {"x": [1, 4, 9]}, {"y": [1, 6, 9]}, constants)
    g = graph(*args)
    dequantize(g)
    x = whole_numbers(1, 4, 9)
    assert ops(g) == {"Conv": 1}
    np.testing.assert_allclose(run(g, x=x)[0], run(model(*args), x=x)[0], rtol=1e-5, atol=1e-3)


def test_other_quantized_operators_are_refused_by_name():
    constants = {"s": np.float32(1), "z": np.uint8(0), "w": np.ones((2, 2, 1), np.uint8)}
    nodes = [
        node("QuantizeLinear", "x s z", "q"),
        node("QLinearConv", "q s z w s z s z", "c"),
        node("DequantizeLinear", "c s z", "y"),
    ]
    with pytest.raises(BundleError, match="DequantizeLinear|QLinearConv"):
        dequantize(graph(nodes, {"x": [1, 2, 3]}, {"y": [1, 2, 3]}, constants))


def test_a_scale_that_is_computed_is_refused():
    constants = {"w": np.ones((2, 2), np.int8), "z": np.int8(0)}
    nodes = [node("DequantizeLinear", "w s z", "f"), node("MatMul", "x f", "y")]
    with pytest.raises(BundleError, match="not a constant"):
        dequantize(graph(nodes, {"x": [1, 2], "s": []}, {"y": [1, 2]}, constants))
