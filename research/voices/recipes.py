"""Recipes of voices as text: which published style vectors are blended, for articulation, timbre and prosody.

af_heart                                a style vector
0.5*am_eric + 0.5*am_liam               a blend
am_eric / am_liam                       the timbre of one, the prosody of the other
hm_psi | am_eric / am_liam              the same; the decoder reads a third one, for the articulation
am_eric > 0.75 | am_eric / hm_psi       articulation moved three quarters of the way from the mean English to the mean
                                        Hindi style vector
"""

from __future__ import annotations

from bundle.voices import PARTS

Blend = dict[str, float]

# Four of each, so that the difference of their means is that of the languages, not of speakers or sexes.
HINDI = ("hf_alpha", "hf_beta", "hm_omega", "hm_psi")
ENGLISH = ("af_heart", "af_bella", "af_nova", "af_sarah", "am_michael", "am_fenrir", "am_puck", "am_onyx")


def parse_blend(text: str) -> Blend:
    """`0.5*af_heart + 0.5*af_bella > 0.75` as weights by name, which must sum to 1."""
    text, _, way = text.partition(">")
    blend: Blend = {}
    for term in text.split("+"):
        weight, _, name = term.strip().rpartition("*")
        blend[name.strip()] = float(weight or 1)
    if abs(sum(blend.values()) - 1) > 1e-6:
        raise ValueError(f"the weights of {text!r} do not sum to 1")
    return towards_hindi(blend, float(way)) if way else blend


def parse_recipe(text: str) -> dict[str, Blend]:
    """`BLEND`, `TIMBRE / PROSODY` or `ARTICULATION | TIMBRE / PROSODY` as {"timbre": ..., "prosody": ...}, with the
    articulation if it differs from the timbre."""
    articulation, _, rest = text.rpartition("|")
    timbre, _, prosody = rest.partition("/")
    recipe = {"timbre": parse_blend(timbre), "prosody": parse_blend(prosody or timbre)}
    return {"articulation": parse_blend(articulation), **recipe} if articulation else recipe


def towards_hindi(blend: Blend, way: float) -> Blend:
    """A blend moved by `way` times the difference from the mean English to the mean Hindi style vector."""
    moved = dict(blend)
    for names, step in ((HINDI, way / len(HINDI)), (ENGLISH, -way / len(ENGLISH))):
        for name in names:
            moved[name] = round(moved.get(name, 0.0) + step, 9)
    return {name: weight for name, weight in moved.items() if weight}


def ingredients(recipe: dict[str, Blend]) -> set[str]:
    """The names of all published style vectors in a recipe."""
    return {name for blend in recipe.values() for name in blend}


def written(recipe: dict[str, Blend]) -> str:
    """A recipe of the bundle's list as text that `parse_recipe` reads."""
    blends = {part: written_blend(recipe[part]) for part in PARTS if part in recipe}
    articulation = f"{blends['articulation']} | " if "articulation" in blends else ""
    return f"{articulation}{blends['timbre']} / {blends['prosody']}"


def written_blend(blend: Blend) -> str:
    """A blend as text that `parse_blend` reads."""
    return " + ".join(name if weight == 1 else f"{weight:.9g}*{name}" for name, weight in blend.items())
