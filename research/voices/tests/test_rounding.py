"""Noise on quantized weights."""

import numpy as np
from bundle.store import safetensors_bytes
from voices.rounding import with_noise


def test_one_code_in_twelve_moves_by_a_step() -> None:
    codes = np.full((100, 128), 100, np.uint8)
    other = np.arange(16, dtype=np.float32)
    tensors = {"w": codes, "w.scale": np.ones(1, np.float32), "w.zero_point": np.zeros(1, np.uint8), "bias": other}
    before = safetensors_bytes(tensors)
    after = with_noise(before)
    assert len(after) == len(before)
    changed = np.frombuffer(after, np.uint8).astype(int) - np.frombuffer(before, np.uint8)
    assert set(np.unique(changed)) == {-1, 0, 1}
    assert 0.07 < np.count_nonzero(changed) / codes.size < 0.1
    assert before.find(other.tobytes()) == after.find(other.tobytes()) > 0
