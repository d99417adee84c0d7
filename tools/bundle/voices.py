"""The five voices: recipes of published style tables, and the tables they give.

A recipe blends published voices linearly, separately for timbre (the first 128 numbers of a style vector, read by the
decoder) and prosody (the last 128, read by the predictor of durations, pitch and energy). `recipes.json` holds one recipe
per voice and language.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .errors import BundleError
from .sources import STYLE_ROWS, STYLE_WIDTH

VOICES = ("aria", "jason", "john", "leo", "sofia")
LANGUAGES = ("en-US", "hi-IN")

_RECIPES = Path(__file__).with_name("recipes.json")
_TIMBRE = slice(0, STYLE_WIDTH // 2)
_PROSODY = slice(STYLE_WIDTH // 2, STYLE_WIDTH)


def read_recipes(path: Path = _RECIPES) -> list[dict]:
    """The voices with their recipes, checked, in the order of the bundle."""
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
    """`<voice>/<language>` to its table [510, 256]."""
    return {
        f"{voice['id']}/{language}": blended_table(recipe, published)
        for voice in voices
        for language, recipe in voice["recipes"].items()
    }


def blended_table(recipe: dict, published: dict[str, NDArray[np.float32]]) -> NDArray[np.float32]:
    """The table [510, 256] of one recipe. Sums are in float64, in the order of the names."""
    table = np.zeros((STYLE_ROWS, STYLE_WIDTH), np.float64)
    for span, weights in ((_TIMBRE, recipe["timbre"]), (_PROSODY, recipe["prosody"])):
        for name, weight in sorted(weights.items()):
            table[:, span] += weight * published[name][:, span].astype(np.float64)
    return table.astype(np.float32)


def _blends(recipe: dict) -> tuple[dict[str, float], dict[str, float]]:
    return recipe["timbre"], recipe["prosody"]


def _check(voice: dict, path: Path) -> None:
    where = f"voice {voice['id']} in {path.name}"
    if set(voice) != {"id", "name", "recipes"} or set(voice["recipes"]) != set(LANGUAGES):
        raise BundleError(f"{where} needs id, name, and recipes for {list(LANGUAGES)}")
    for language, recipe in voice["recipes"].items():
        if set(recipe) != {"timbre", "prosody", "gain_db"} or not math.isfinite(recipe["gain_db"]):
            raise BundleError(f"{where}: the recipe for {language} needs timbre, prosody and gain_db")
        for weights in _blends(recipe):
            if not weights or abs(sum(weights.values()) - 1.0) > 1e-6:
                raise BundleError(f"{where}: the weights for {language} do not sum to 1")
