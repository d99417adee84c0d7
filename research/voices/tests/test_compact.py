"""Weights rounded to larger steps."""

import numpy as np
import pytest
from bundle.store import LARGEST_CODE, safetensors_bytes
from safetensors.numpy import load
from voices.compact import GROUPS, coarser, group

_NAME = "decoder.encode.conv1.weight"


def _file(name: str) -> bytes:
    random = np.random.default_rng(24)
    codes = np.rint(random.normal(120, [[20, 4]], (4_096, 2))).clip(0, 255).astype(np.uint8)
    tensors = {
        name: codes,
        f"{name}.scale": np.full((1, 1), 0.01, np.float32),
        f"{name}.zero_point": np.full((1, 1), 120, np.uint8),
        "decoder.encode.conv1.bias": np.arange(2, dtype=np.float32),
    }
    return safetensors_bytes(tensors, {"layout": "2"})


def _values(tensors: dict[str, np.ndarray]) -> np.ndarray:
    return (tensors[_NAME].astype(np.float64) - tensors[f"{_NAME}.zero_point"]) * tensors[f"{_NAME}.scale"]


def test_each_output_has_a_step_of_its_own() -> None:
    before = _file(_NAME)
    after = load(coarser(before, {"decoder": 0.5}))
    assert after[f"{_NAME}.scale"] == pytest.approx(np.array([[0.1, 0.02]]), rel=0.05)
    error = np.abs(_values(after) - _values(load(before)))
    assert (error.max(axis=0) <= after[f"{_NAME}.scale"][0] * 0.501).all()
    assert len(np.unique(after[_NAME][:, 0])) < 24
    assert (after["decoder.encode.conv1.bias"] == [0, 1]).all()


def test_no_step_is_smaller_than_before() -> None:
    before = _file(_NAME)
    after = load(coarser(before, {"decoder": 0.001}))
    assert np.abs(_values(after) - _values(load(before))).max() < 1e-6


def test_what_was_stored_in_16_bits_fits_a_byte() -> None:
    name = "generator.upsample.0.halves.0.weight"
    values = np.random.default_rng(7).normal(0, 1, (1, 512, 8))
    scale = (np.abs(values).max(axis=(0, 1)) / LARGEST_CODE).astype(np.float32)
    codes = np.rint(values / scale).astype(np.int16)
    after = load(coarser(safetensors_bytes({name: codes, f"{name}.scale": scale}), {"upsampling": 0.3}))
    assert after[name].dtype == np.uint8
    found = (after[name].astype(np.float64) - 128) * after[f"{name}.scale"]
    assert np.abs(found - values).max() < 0.16 * values.std(axis=1).max()


def test_a_group_that_is_not_named_stays() -> None:
    before = _file(_NAME)
    assert coarser(before, {"text": 0.5}) == before


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("bert.ffn.input.weight", "bert"),
        ("pitch.blocks.0.conv1.weight", "curves"),
        ("pitch.blocks.0.norm1.weight", "norms"),
        ("duration.norms.2.weight", "norms"),
        ("generator.noise.0.block.conv1.0.weight", "noise"),
        ("generator.blocks.5.conv2.1.weight", "generator"),
        ("source.weight", None),
    ],
)
def test_groups(name: str, expected: str | None) -> None:
    assert group(name) == expected
    assert expected is None or expected in GROUPS
