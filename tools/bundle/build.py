"""Makes a bundle: reads the sources, rewrites the model, checks it, and puts the files in place all at once."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from .check import check
from .errors import BundleError
from .model import AcousticModel, acoustic_model
from .sources import Sources, sha256
from .store import graph_bytes, json_bytes, safetensors_bytes, weight_tensors
from .voices import blended_tables, ingredients, read_recipes
from .weights import WEIGHTS_FILE

SAMPLE_RATE = 24000
MAX_TOKENS = 510


def build(downloads: Path, out: Path, model: Path | None, with_check: bool, say: Callable[[str], None]) -> None:
    """Writes the bundle to the directory `out`, replacing a bundle that is there. `say` gets lines on the progress."""
    _refuse_foreign_directory(out)
    say("verifying the sources")
    sources = Sources.verified(downloads)
    export = sources.published_model() if model is None else _read(model)
    say(f"rewriting the model ({len(export):,} bytes)")
    acoustic = acoustic_model(export)
    for line in acoustic.rewrites:
        say(f"  {line}")
    files = bundle_files(sources, acoustic, published=model is None)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as scratch:
        ready = Path(scratch) / "bundle"
        ready.mkdir()
        for name, data in files.items():
            (ready / name).write_bytes(data)
            say(f"{name}: {len(data):,} bytes")
        if with_check:
            say("checking the bundle against the model it was made from")
            check(ready, export, say)
        _put_in_place(ready, out, Path(scratch) / "previous")
    say(f"made {out}")


def bundle_files(sources: Sources, acoustic: AcousticModel, published: bool) -> dict[str, bytes]:
    """The files of the bundle by name."""
    voices = read_recipes()
    tables = blended_tables(voices, sources.style_tables(ingredients(voices)))
    files = {
        "acoustic.onnx": graph_bytes(acoustic.graph),
        WEIGHTS_FILE: safetensors_bytes(weight_tensors(acoustic.graph)),
        "voices.safetensors": safetensors_bytes(tables),
    }
    description = {
        "format": "libspeech-voice-bundle",
        "format_version": 1,
        "sample_rate": SAMPLE_RATE,
        "max_tokens": MAX_TOKENS,
        "vocabulary": sources.vocabulary(),
        "files": {name: {"size": len(data), "sha256": sha256(data)} for name, data in files.items()},
        "voices": voices,
        "model": {
            "source_sha256": acoustic.source_sha256,
            "precision": acoustic.precision,
            "rewrites": acoustic.rewrites,
        },
        "sources": sources.record(with_model=published),
    }
    return {**files, "bundle.json": json_bytes(description)}


def _read(model: Path) -> bytes:
    try:
        return model.read_bytes()
    except OSError as error:
        raise BundleError(f"cannot read the model {model}: {error.strerror}") from error


def _refuse_foreign_directory(out: Path) -> None:
    if out.exists() and not (out / "bundle.json").is_file() and (not out.is_dir() or any(out.iterdir())):
        raise BundleError(f"{out} exists and is not a voice bundle; it is left as it is")


def _put_in_place(ready: Path, out: Path, previous: Path) -> None:
    """A rename: nobody ever sees half a bundle. The old bundle goes away with the scratch directory."""
    ready.chmod(0o755)
    if out.exists():
        out.rename(previous)
    try:
        ready.rename(out)
    except OSError:
        if previous.exists():
            shutil.move(previous, out)
        raise
