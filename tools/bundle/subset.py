"""Copies a bundle with only some of its qualities, without the networks, voices and languages that only the others
need."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from safetensors.numpy import load

from .errors import BundleError
from .store import VOICES, is_padding, read_bundle, safetensors_bytes, write_bundle

QUALITIES = {
    "full": ("prosody", "vocoder"),
    "fast": ("prosody", "small_decoder"),
    "light": ("small_prosody", "small_decoder"),
}
"""The networks of each quality."""

Speakers = set[tuple[str, str]]
"""Voices, each with a language."""


def write_subset(original: Path, out: Path, qualities: Collection[str]) -> None:
    """Writes the copy to `out`, which must be empty or absent."""
    manifest, files = read_bundle(original)
    parts = {part: {(v, l) for v in voices for l in voices[v]} for part, voices in manifest["parts"].items()}
    kept: dict[str, Speakers] = {}
    for quality in qualities:
        first, second = QUALITIES[quality]
        speakers = parts.get(first, set()) & parts.get(second, set())
        if not speakers:
            raise BundleError(f"the bundle {original} has no voice of quality {quality}")
        for part in (first, second):
            kept[part] = kept.get(part, set()) | speakers
    everyone = set().union(*kept.values())
    manifest["parts"] = {part: _by_voice(speakers) for part, speakers in kept.items()}
    manifest["voices"] = [
        {**voice, "recipes": {l: recipe for l, recipe in voice["recipes"].items() if (voice["id"], l) in everyone}}
        for voice in manifest["voices"]
        if any(speaker == voice["id"] for speaker, _ in everyone)
    ]
    left = {f"{part}.safetensors": files[f"{part}.safetensors"] for part in kept}
    left[VOICES] = _voices(files[VOICES], everyone, kept.get("vocoder", set()))
    write_bundle(out, manifest, left)


def _by_voice(speakers: Speakers) -> dict[str, list[str]]:
    voices: dict[str, list[str]] = {}
    for voice, language in sorted(speakers):
        voices.setdefault(voice, []).append(language)
    return voices


def _voices(file: bytes, everyone: Speakers, with_statistics: Speakers) -> bytes:
    """The style tables of the remaining speakers, with the statistics of those that the vocoder speaks."""
    names = {name for v, l in everyone for name in (f"{v}/{l}", f"{v}/{l}.scale")}
    names |= {f"{v}/{l}/moments" for v, l in with_statistics}
    return safetensors_bytes({name: t for name, t in load(file).items() if name in names and not is_padding(name)})
