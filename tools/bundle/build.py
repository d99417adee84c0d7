"""Builds a bundle: reads the sources, extracts the weights, checks them, and puts all files in place atomically."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .check import check, check_weights
from .errors import BundleError
from .layout import LAYOUT_VERSION, Tensors
from .model import SpeechModel, float_graph, speech_model
from .moments import MEASURED, measured_moments, moments_bytes, read_sentences, voice_moments
from .reference import reference_bytes
from .small_layout import decoder_tensors, prosody_tensors
from .small_model import DECODER, PROSODY, published_graph, published_weights
from .sources import Sources, sha256
from .stft import stft_to_convolution
from .store import (
    PROSODY_WEIGHTS,
    SMALL_DECODER_WEIGHTS,
    SMALL_PROSODY_WEIGHTS,
    VOCODER_WEIGHTS,
    VOICES,
    json_bytes,
    safetensors_bytes,
    sealed,
)
from .voices import blended_tables, ingredients, read_recipes, stored_tables

FORMAT_VERSION = 7
SAMPLE_RATE = 24000
MAX_TOKENS = 510


def build(
    downloads: Path,
    out: Path,
    say: Callable[[str], None],
    model: Path | None = None,
    with_check: bool = True,
) -> None:
    """Writes the bundle to the directory `out`, replacing an existing bundle. `say` receives progress lines.

    `model` is an export to use instead of the published one. It is run for the statistics of the voices and for the
    check. The statistics of the published model are stored next to this file; a test compares it with its float32 form.
    """
    _refuse_foreign_directory(out)
    say("verifying the sources")
    sources = Sources.verified(downloads)
    export = sources.published_model() if model is None else _read(model)
    say(f"reading the model ({len(export):,} bytes)")
    speech = speech_model(export)
    for change, count in speech.changes.items():
        say(f"  {change}: {count}")
    tables = voice_tables(sources)
    moments = measured_moments(sources) if model is None else _measure(sources, export, tables, say)
    files = bundle_files(sources, speech, stored_tables(tables) | moments, published=model is None)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as scratch:
        ready = Path(scratch) / "bundle"
        ready.mkdir()
        for name, data in files.items():
            (ready / name).write_bytes(data)
            say(f"{name}: {len(data):,} bytes")
        if with_check:
            say("checking the bundle against the model it was made from")
            if model is None:
                check_weights(ready, export)
            else:
                check(ready, export, say)
        _put_in_place(ready, out, Path(scratch) / "previous")
    say(f"made {out}")


def write_moments(downloads: Path, say: Callable[[str], None]) -> None:
    """Measures the statistics of the voices on the published model, for the bundles made from it."""
    sources = Sources.verified(downloads)
    moments = _measure(sources, sources.published_model(), voice_tables(sources), say)
    _replace(MEASURED, moments_bytes(moments, sources))


def write_reference(downloads: Path, bundle: Path, out: Path) -> None:
    """Writes `reference_bytes` for the published model with the voices of a bundle."""
    sources = Sources.verified(downloads)
    reference = reference_bytes(bundle, sources.vocabulary(), sources.published_model(), sources.small_model())
    _replace(out, reference)


def write_float_model(downloads: Path, out: Path) -> None:
    """Writes the published model in float32 as one graph from tokens to audio and durations, and its vocabulary.

    Only the STFT is rewritten, so that the audio equals that of a bundle.
    """
    sources = Sources.verified(downloads)
    graph, _ = float_graph(sources.published_model())
    stft_to_convolution(graph)
    out.mkdir(parents=True, exist_ok=True)
    _replace(out / "model.onnx", graph.to_model().SerializeToString(deterministic=True))
    _replace(out / "vocabulary.json", json_bytes({"vocab": sources.vocabulary()}))


def _measure(
    sources: Sources, export: bytes, tables: dict[str, NDArray[np.float32]], say: Callable[[str], None]
) -> dict[str, NDArray[np.float32]]:
    say("running the model for the statistics of the voices")
    return voice_moments(float_graph(export)[0], sources.vocabulary(), tables, read_sentences())


def _replace(path: Path, data: bytes) -> None:
    """Writes a file atomically."""
    partial = path.with_name(f".{path.name}.partial")
    partial.write_bytes(data)
    partial.replace(path)


def voice_tables(sources: Sources) -> dict[str, NDArray[np.float32]]:
    """The style tables of the voices by `<voice>/<language>`."""
    recipes = read_recipes()
    return blended_tables(recipes, sources.style_tables(ingredients(recipes)))


def bundle_files(sources: Sources, speech: SpeechModel, voices: Tensors, published: bool) -> dict[str, bytes]:
    """The files of the bundle by name. `voices` are the tensors of the voices: their tables as stored, and their
    moments."""
    layout = {"layout": str(LAYOUT_VERSION)}
    small = published_graph(sources.small_model())
    recipes = read_recipes()
    everyone = {voice["id"]: sorted(voice["recipes"]) for voice in recipes}
    few = {voice: sorted(languages) for voice, languages in sources.small_voices().items()}
    for voice in recipes:
        for language, said in sources.small_voices().get(voice["id"], {}).items():
            voice["recipes"][language]["small_gain_db"] = said["gain_db"]
    networks = {
        PROSODY_WEIGHTS: (speech.prosody, everyone),
        VOCODER_WEIGHTS: (speech.vocoder, everyone),
        SMALL_PROSODY_WEIGHTS: (prosody_tensors(published_weights(small, PROSODY)), few),
        SMALL_DECODER_WEIGHTS: (decoder_tensors(published_weights(small, DECODER)), few),
    }
    files = {name: safetensors_bytes(tensors, layout) for name, (tensors, _) in networks.items()}
    files[VOICES] = safetensors_bytes(voices)
    description = {
        "format": "libspeech-voice-bundle",
        "format_version": FORMAT_VERSION,
        "sample_rate": SAMPLE_RATE,
        "max_tokens": MAX_TOKENS,
        "vocabulary": sources.vocabulary(),
        "files": {name: {"size": len(data), "sha256": sha256(data)} for name, data in files.items()},
        "parts": {name.removesuffix(".safetensors"): voices for name, (_, voices) in networks.items()},
        "voices": recipes,
        "model": {"source_sha256": speech.source_sha256, "precision": speech.precision},
        "sources": sources.record(with_model=published),
    }
    return {**files, "bundle.json": sealed(description)}


def _read(model: Path) -> bytes:
    try:
        return model.read_bytes()
    except OSError as error:
        raise BundleError(f"cannot read the model {model}: {error.strerror}") from error


def _refuse_foreign_directory(out: Path) -> None:
    if out.exists() and not (out / "bundle.json").is_file() and (not out.is_dir() or any(out.iterdir())):
        raise BundleError(f"{out} exists and is not a voice bundle; it is left as it is")


def _put_in_place(ready: Path, out: Path, previous: Path) -> None:
    """Renames the directory, so that nobody ever sees half a bundle. The scratch directory takes the old bundle."""
    ready.chmod(0o755)
    if out.exists():
        out.rename(previous)
    try:
        ready.rename(out)
    except OSError:
        if previous.exists():
            shutil.move(previous, out)
        raise
