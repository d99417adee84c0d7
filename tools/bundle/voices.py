"""The five voices: recipes of published style tables, and the resulting tables.

A recipe blends published voices linearly, separately for timbre (the first 128 numbers of a style vector, for the
decoder and the generator) and prosody (the last 128, for the predictor of durations, pitch and energy). A recipe may
also have an articulation, which the decoder then reads instead of the timbre: the decoder shapes the sounds, and the
generator gives them their voice. `recipes.json` holds one recipe per voice and language.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .errors import BundleError
from .sources import STYLE_ROWS, STYLE_WIDTH
from .store import stored_in_16_bits
from .weights import Array

VOICES = ("aria", "jason", "john", "leo", "sofia")
LANGUAGES = ("en-US", "hi-IN")

_RECIPES = Path(__file__).with_name("recipes.json")
_TIMBRE = slice(0, STYLE_WIDTH // 2)
_PROSODY = slice(STYLE_WIDTH // 2, STYLE_WIDTH)
PARTS = {"articulation": _TIMBRE, "timbre": _TIMBRE, "prosody": _PROSODY}
"""The parts of a recipe, and the range of a published style vector that each blends. The first part is optional."""


def read_recipes(path: Path = _RECIPES) -> list[dict]:
    """The voices with their checked recipes, in the order of the bundle."""
    voices = {v["id"]: v for v in json.loads(path.read_text(encoding="utf-8"))["voices"]}
    if set(voices) != set(VOICES):
        raise BundleError(f"{path.name} has the voices {sorted(voices)}; {list(VOICES)} are expected")
    for voice in voices.values():
        _check(voice, path)
    return [voices[v] for v in VOICES]


def ingredients(voices: list[dict]) -> set[str]:
    """The names of all published voices that the recipes use."""
    return {
        name for voice in voices for recipe in voice["recipes"].values() for part in _blends(recipe) for name in part
    }


def blended_tables(voices: list[dict], published: dict[str, NDArray[np.float32]]) -> dict[str, NDArray[np.float32]]:
    """Maps `<voice>/<language>` to its table, as made by `blended_table`."""
    return {
        f"{voice['id']}/{language}": blended_table(recipe, published)
        for voice in voices
        for language, recipe in voice["recipes"].items()
    }


def blended_table(recipe: dict, published: dict[str, NDArray[np.float32]]) -> NDArray[np.float32]:
    """The table of one recipe: [510, 256] like published tables, or [510, 384] with an articulation: the decoder's
    part, the prosody, and the generator's part. Sums are in float64, in the order of the names.
    """
    order = ("articulation", "prosody", "timbre") if "articulation" in recipe else ("timbre", "prosody")
    blended = [_sum(recipe[part], published, PARTS[part]) for part in order]
    return np.concatenate(blended, axis=1).astype(np.float32)


def stored_tables(tables: dict[str, NDArray[np.float32]]) -> dict[str, Array]:
    """Tables as stored: in 16 bits, with one scale per column."""
    return {name: array for table in tables for name, array in stored_in_16_bits(table, tables[table]).items()}


def _sum(weights: dict[str, float], published: dict[str, NDArray[np.float32]], span: slice) -> NDArray[np.float64]:
    total = np.zeros((STYLE_ROWS, STYLE_WIDTH // 2), np.float64)
    for name, weight in sorted(weights.items()):
        total += weight * published[name][:, span].astype(np.float64)
    return total


def _blends(recipe: dict) -> list[dict[str, float]]:
    return [recipe[part] for part in PARTS if part in recipe]


def _check(voice: dict, path: Path) -> None:
    where = f"voice {voice['id']} in {path.name}"
    if set(voice) != {"id", "name", "recipes"} or set(voice["recipes"]) != set(LANGUAGES):
        raise BundleError(f"{where} needs id, name, and recipes for {list(LANGUAGES)}")
    for language, recipe in voice["recipes"].items():
        if set(recipe) - {"articulation"} != {"timbre", "prosody", "gain_db"} or not math.isfinite(recipe["gain_db"]):
            raise BundleError(f"{where}: the recipe for {language} needs timbre, prosody and gain_db")
        for weights in _blends(recipe):
            if not weights or abs(sum(weights.values()) - 1.0) > 1e-6:
                raise BundleError(f"{where}: the weights for {language} do not sum to 1")
