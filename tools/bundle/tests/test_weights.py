from __future__ import annotations

import numpy as np
import pytest
from bundle.weights import Weight, concatenated


def quantized(shape, axis=None, dtype=np.uint8, seed=0):
    rng = np.random.default_rng(seed)
    info = np.iinfo(dtype)
    n = 1 if axis is None else shape[axis]
    codes = rng.integers(info.min, info.max + 1, shape, dtype)
    scale = rng.uniform(0.001, 0.1, n).astype(np.float32)
    zero = rng.integers(info.min, info.max + 1, n, dtype)
    return Weight.quantized(codes, scale if axis is not None else scale[0], zero if axis is not None else zero[0], axis)


def test_codes_become_the_values_that_onnx_defines():
    codes = np.array([[-128, 0], [5, 127]], np.int8)
    scale, zero = np.array([0.5, 2.0], np.float32), np.array([1, -3], np.int8)
    weight = Weight.quantized(codes, scale, zero, axis=1)
    assert weight.quantization.codes.dtype == np.uint8
    np.testing.assert_array_equal(weight.value(), (codes.astype(np.float32) - zero) * scale)


def test_a_missing_zero_point_is_zero():
    codes = np.array([-1, 0, 3], np.int8)
    np.testing.assert_array_equal(Weight.quantized(codes, np.float32(2), None, None).value(), [-2, 0, 6])


@pytest.mark.parametrize("axis", [None, 0, 1, 2])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
def test_layout_changes_keep_one_byte(axis, dtype):
    weight = quantized((4, 6, 3), axis, dtype)
    value = weight.value()
    for changed, expected in (
        (weight.transposed([2, 0, 1]), value.transpose(2, 0, 1)),
        (weight.with_axis(2), value[:, :, None]),
        (weight.columns(slice(2, 5)), value[:, 2:5]),
        (weight.taken(0, 3), value[3]),
        (weight.taken(2, 1), value[:, :, 1]),
    ):
        assert changed.quantization is not None
        assert changed.quantization.scale.ndim == changed.quantization.codes.ndim
        np.testing.assert_array_equal(changed.value(), expected)


@pytest.mark.parametrize("axis", [None, 0, 1, 2])
@pytest.mark.parametrize("kind", ["one byte", "float", "half"])
def test_padding_adds_zeros_and_keeps_the_form(axis, kind):
    weight = quantized((4, 6, 3), axis)
    if kind != "one byte":
        weight = Weight(weight.value().astype(np.float16).astype(np.float32), half=kind == "half")
    padded = weight.padded(1, 9)
    expected = np.zeros((4, 9, 3), np.float32)
    expected[:, :6] = weight.value()
    np.testing.assert_array_equal(padded.value(), expected)
    assert padded.half == weight.half and (padded.quantization is None) == (weight.quantization is None)
    if kind == "one byte":
        q = padded.quantization
        filler = np.broadcast_to(q.zero_point, q.codes.shape)[:, 6:]
        np.testing.assert_array_equal(q.codes[:, 6:], filler)
        assert q.axis == weight.quantization.axis
    assert weight.padded(2, 3) is weight


def test_putting_weights_side_by_side_keeps_one_byte():
    parts = [quantized((4, 3), None, seed=1), quantized((4, 2), 1, seed=2)]
    joined = concatenated(parts, axis=1)
    assert joined.quantization is not None
    np.testing.assert_array_equal(joined.value(), np.concatenate([p.value() for p in parts], 1))


def test_putting_weights_side_by_side_gives_floats_where_two_axes_of_scales_would_be_needed():
    parts = [quantized((4, 3), 0, seed=1), quantized((4, 2), None, seed=2)]
    joined = concatenated(parts, axis=1)
    assert joined.quantization is None
    np.testing.assert_array_equal(joined.value(), np.concatenate([p.value() for p in parts], 1))


def test_half_precision_is_remembered_through_layout_changes():
    weight = Weight(np.ones((2, 3), np.float32), half=True)
    assert (
        weight.transposed([1, 0]).half
        and weight.columns(slice(1)).half
        and weight.taken(0, 1).half
        and concatenated([weight, weight], 0).half
    )
