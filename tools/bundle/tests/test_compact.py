"""Weights rounded to larger steps."""

import json
import zlib

import numpy as np
import pytest
from bundle.compact import GROUPS, STEPS, coarser, group, write_compact
from bundle.errors import BundleError
from bundle.sources import sha256
from bundle.store import LARGEST_CODE, safetensors_bytes
from safetensors.numpy import load

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


def test_the_compact_bundle(bundle, tmp_path):
    write_compact(bundle, tmp_path / "out")
    before, after = (json.loads((folder / "bundle.json").read_bytes()) for folder in (bundle, tmp_path / "out"))
    assert after["model"]["steps"] == STEPS and after["manifest_sha256"] != before["manifest_sha256"]
    assert after["files"]["voices.safetensors"] == before["files"]["voices.safetensors"]
    packed = 0
    for name, described in after["files"].items():
        data = (tmp_path / "out" / name).read_bytes()
        assert described == {"size": len(data), "sha256": sha256(data)}
        compressor = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_FILTERED)
        packed += len(compressor.compress(data)) + len(compressor.flush())
    assert packed < 51_000_000
    sizes = [sum(file["size"] for file in manifest["files"].values()) for manifest in (after, before)]
    assert sizes[0] < sizes[1]
    assert {*load((tmp_path / "out" / "vocoder.safetensors").read_bytes())} >= {"decoder.encode.conv1.weight"}


def test_a_bundle_that_is_not_there(tmp_path):
    with pytest.raises(BundleError, match="cannot read the bundle .*: No such file or directory"):
        write_compact(tmp_path / "none", tmp_path / "out")
