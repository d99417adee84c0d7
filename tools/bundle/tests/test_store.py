from __future__ import annotations

import json
import struct

import numpy as np
from bundle.loader import read_weights
from bundle.store import is_padding, safetensors_bytes, stored, stored_in_16_bits
from bundle.weights import Weight
from safetensors.numpy import load

TENSORS = {
    "b": np.arange(64, dtype=np.float32).reshape(8, 8),
    "a.scale": np.array([[0.5]], np.float32),
    "a": np.arange(128, dtype=np.uint8).reshape(2, 64),
    "half": np.ones((5, 3), np.float16),
    "a.zero_point": np.array([[7]], np.uint8),
}


def test_the_safetensors_library_reads_what_was_written():
    found = {k: v for k, v in load(safetensors_bytes(TENSORS, {"layout": "1"})).items() if not is_padding(k)}
    assert found.keys() == TENSORS.keys()
    for name, array in TENSORS.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def test_tensors_start_at_multiples_of_64_bytes():
    data = safetensors_bytes(TENSORS, {"layout": "1"})
    (length,) = struct.unpack("<Q", data[:8])
    assert (8 + length) % 64 == 0 and len(data) % 64 == 0
    header = json.loads(data[8 : 8 + length])
    assert header.pop("__metadata__") == {"layout": "1"}
    starts = {name: entry["data_offsets"][0] for name, entry in header.items() if not is_padding(name)}
    assert starts.keys() == TENSORS.keys() and not any(start % 64 for start in starts.values())


def test_the_order_of_the_tensors_does_not_matter():
    assert safetensors_bytes(TENSORS) == safetensors_bytes(dict(reversed(TENSORS.items())))


def test_floats_in_16_bits_are_off_by_half_a_step_at_most(tmp_path):
    floats = np.random.default_rng(0).standard_normal((3, 32, 4)).astype(np.float32)
    floats[..., 3] = 0
    tensors = stored_in_16_bits("table", floats)
    assert tensors["table"].dtype == np.int16 and tensors["table.scale"].shape == (4,)
    (tmp_path / "file").write_bytes(safetensors_bytes(tensors))
    found = read_weights(tmp_path / "file")["table"]
    assert not found[..., 3].any()
    assert (np.abs(found - floats) <= 0.51 * tensors["table.scale"]).all()


def test_weights_come_back_as_they_were(tmp_path):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 256, (32, 32), np.uint8)
    weights = {
        "bytes": Weight.quantized(codes, rng.uniform(0.01, 0.02, 32).astype(np.float32), codes[0], axis=1),
        "half": Weight(rng.standard_normal((32, 32)).astype(np.float16).astype(np.float32), half=True),
        "float": Weight(rng.standard_normal((32, 4)).astype(np.float32)),
    }
    tensors = {key: tensor for name, weight in weights.items() for key, tensor in stored(name, weight).items()}
    assert {name: tensors[name].dtype for name in weights} == {
        "bytes": np.uint8, "half": np.float16, "float": np.float32,
    }  # fmt: skip
    assert tensors["bytes.scale"].shape == tensors["bytes.zero_point"].shape == (1, 32)
    (tmp_path / "file").write_bytes(safetensors_bytes(tensors))
    found = read_weights(tmp_path / "file")
    assert found.keys() == weights.keys()
    for name, weight in weights.items():
        np.testing.assert_array_equal(found[name], weight.value())
