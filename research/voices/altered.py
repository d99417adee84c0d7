"""Copies of a voice bundle with some files replaced."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bundle.sources import sha256
from bundle.store import sealed


def write_altered(
    original: Path, out: Path, files: dict[str, bytes], edit: Callable[[dict[str, Any]], None] = lambda manifest: None
) -> None:
    """Writes the bundle `out`, an empty directory, with the given files; the others are links to those of the original.

    `edit` may change the manifest before it is sealed.
    """
    manifest = json.loads((original / "bundle.json").read_text(encoding="utf-8"))
    del manifest["manifest_sha256"]
    for name in manifest["files"]:
        data = files.get(name)
        if data is None:
            os.symlink(original / name, out / name)
        else:
            (out / name).write_bytes(data)
            manifest["files"][name] = {"size": len(data), "sha256": sha256(data)}
    edit(manifest)
    (out / "bundle.json").write_bytes(sealed(manifest))
