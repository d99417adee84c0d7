"""Compares the library's telephone encodings with the decoders of another library."""

from __future__ import annotations

import hashlib
import re
import warnings
from pathlib import Path

import pytest

with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
    import audioop  # of Python itself until 3.12

SOURCE = Path(__file__).resolve().parents[3] / "core" / "api" / "src" / "encode" / "g711.rs"


@pytest.mark.parametrize(("place", "name"), [(0, "ulaw"), (1, "alaw")])
def test_every_sample_has_the_nearest_code(place: int, name: str) -> None:
    decode, encode = getattr(audioop, f"{name}2lin"), getattr(audioop, f"lin2{name}")
    values = [int.from_bytes(decode(bytes([code]), 2), "little", signed=True) for code in range(256)]
    # The highest bit marks samples of 0 or more.
    signs = [range(0x80), range(0x80, 0x100)]
    samples = range(-32768, 32768)
    # Of two equally near codes, the one farther from zero.
    codes = bytes(
        min(signs[sample >= 0], key=lambda code: (abs(values[code] - sample), -abs(values[code]))) for sample in samples
    )
    theirs = encode(b"".join(sample.to_bytes(2, "little", signed=True) for sample in samples), 2)
    # At least as near as the code that the other encoder chooses.
    for sample, code, other in zip(samples, codes, theirs, strict=True):
        assert abs(values[code] - sample) <= abs(values[other] - sample)
    digest = re.findall(r"\b[0-9a-f]{64}\b", SOURCE.read_text(encoding="utf-8"))[place]
    assert hashlib.sha256(codes).hexdigest() == digest
