"""The moments stored in the repository."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bundle import moments
from bundle.errors import BundleError
from bundle.sources import Sources
from bundle.voices import LANGUAGES, VOICES

PINNED = {"files": [], "model": {"sha256": "0"}, "small": {"file": ""}}


def test_what_was_measured_is_read_back(tmp_path):
    sources = Sources(Path(), PINNED)
    values = {"leo/en-US/moments": np.arange(2 * moments.WIDTH, dtype=np.float32).reshape(2, -1)}
    path = tmp_path / "moments.safetensors"
    path.write_bytes(moments.moments_bytes(values, sources))
    found = moments.measured_moments(sources, path)
    assert found.keys() == values.keys()
    np.testing.assert_array_equal(found["leo/en-US/moments"], values["leo/en-US/moments"])


def test_what_was_measured_with_something_else_is_refused(tmp_path, monkeypatch):
    sources = Sources(Path(), PINNED)
    path = tmp_path / "moments.safetensors"
    path.write_bytes(moments.moments_bytes({}, sources))
    with pytest.raises(BundleError, match="python -m bundle moments"):
        moments.measured_moments(replace(sources, pinned={**PINNED, "model": {"sha256": "1"}}), path)
    for reader in ("read_recipes", "read_sentences"):
        with monkeypatch.context() as other, pytest.raises(BundleError, match="python -m bundle moments"):
            other.setattr(moments, reader, lambda: ["other"])
            moments.measured_moments(sources, path)


def test_every_voice_is_measured_with_the_sources_of_the_repository():
    found = moments.measured_moments(Sources.pinned_in(Path()))
    assert found.keys() == {f"{voice}/{language}/moments" for voice in VOICES for language in LANGUAGES}
    assert all(values.shape == (2, moments.WIDTH) and values.dtype == np.float32 for values in found.values())
