"""The choice of recipes, with invented figures."""

from __future__ import annotations

import numpy as np
import pytest
from voices import report
from voices.figures import Figures, similarity
from voices.recipes import parse_recipe, towards_hindi
from voices.search import STEPS, Chosen, search_english, search_hindi, sex_of

STYLES = [
    "af_heart",
    "af_nova",
    "af_river",
    "am_adam",
    "am_echo",
    "am_eric",
    "am_puck",
    "bf_emma",
    "hf_alpha",
    "im_nicola",
]
PITCH = {
    "af_heart": 195,
    "af_nova": 160,
    "af_river": 178,
    "am_adam": 120,
    "am_echo": 105,
    "am_eric": 150,
    "am_puck": 112,
    "im_nicola": 114,
}


def figures(recipe: str, mos: float) -> Figures:
    """One embedding dimension per style, so that blends are between their parts."""
    vector = sum(np.eye(len(STYLES))[i] for i, style in enumerate(STYLES) if style in recipe) + 0.3
    names = [style for style in PITCH if style in recipe]
    pitch = float(np.mean([PITCH[name] for name in names])) if names else 200.0
    embedding = list(vector / np.linalg.norm(vector))
    return Figures([mos, mos + 0.1], 3.4, 1, 100, [], [pitch - 20, pitch, pitch + 20], -2.0, -3.0, 14.0, embedding)


def measure(recipes: list[str], language: str, part: str) -> dict[str, Figures]:
    """am_puck is poor, and so are its blends; im_nicola is good, but Italian."""
    assert (language, part) in {(language, part) for language in ("en-US", "hi-IN") for part in ("screen", "choice")}
    mos = {"am_puck": 3.5, "im_nicola": 4.5}
    return {recipe: figures(recipe, next((mos[style] for style in mos if style in recipe), 4.4)) for recipe in recipes}


def test_the_poor_style_is_not_taken() -> None:
    chosen, tried = search_english(STYLES, measure)
    assert chosen["aria"].recipe == "af_heart"
    assert not any("am_puck" in one.recipe for one in chosen.values())
    assert [sex_of(chosen[v].recipe) for v in ("aria", "sofia", "john", "jason", "leo")] == ["f", "f", "m", "m", "m"]
    borrowed = [recipe for recipe in tried if "im_nicola" in recipe]
    assert borrowed
    assert all(" | im_nicola / am_" in recipe for recipe in borrowed)
    pitches = [chosen[v].figures.pitch[1] for v in ("john", "jason", "leo")]
    assert pitches == sorted(pitches)
    assert {one.recipe for one in chosen.values()} <= set(tried)


def test_hindi_follows_the_english_persons() -> None:
    english, _ = search_english(STYLES, measure)
    hindi, tried = search_hindi(english, STYLES, measure)
    assert set(hindi) == set(english)
    for voice, one in hindi.items():
        assert one.recipe in tried[voice]
        ours, theirs = parse_recipe(one.recipe), parse_recipe(english[voice].recipe)
        assert ours["timbre"] == theirs["timbre"]
        own = theirs.get("articulation", theirs["timbre"])
        allowed = [own, *({style: 1.0} for style in STYLES if style.startswith(f"a{sex_of(one.recipe)}"))]
        assert ours["articulation"] in [towards_hindi(blend, step) for blend in allowed for step in STEPS]


def test_no_set_within_the_limits_is_an_error() -> None:
    def misheard(recipes: list[str], language: str, part: str) -> dict[str, Figures]:
        return {r: Figures(**{**vars(f), "wrong": 50}) for r, f in measure(recipes, language, part).items()}

    with pytest.raises(SystemExit, match="within the limits"):
        search_english(STYLES, misheard)


def test_tables_name_every_voice() -> None:
    english, tried = search_english(STYLES, measure)
    hindi, in_hindi = search_hindi(english, STYLES, measure)
    table = report.judged({"en-US": english, "hi-IN": hindi}, "kept")
    for voice in english:
        assert f"| {voice} |" in table
    in_english = report.tried_in_english(english, tried, measure(STYLES, "en-US", "screen"))
    assert "| af_river |" in in_english
    assert f"| sofia | `{hindi['sofia'].recipe}` |" in report.tried_in_hindi(hindi, english, in_hindi)
    a, b = english["aria"].figures, english["john"].figures
    assert similarity(a, a) == pytest.approx(1)
    assert similarity(a, b) < 1
    assert Chosen("af_heart", a).figures is a
