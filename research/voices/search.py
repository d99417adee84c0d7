"""Chooses the candidate recipes, and the final five.

English first: every published style vector is screened; then crosses and blends of the best American ones of each sex,
and the timbres of the others with the articulation and prosody of the best. The best of all of these are measured in
full, and `_choose_five` takes the best set of five. Hindi then looks for the same persons: the timbre of each English
recipe, with its own articulation or that of one of the best American style vectors, moved toward Hindi, and a prosody
that is half Hindi. The best of these are varied: the step, the Hindi prosody, and whether it is all Hindi. README.md
explains why.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from .figures import Figures, similarity
from .recipes import ingredients, parse_recipe, written_blend

Measure = Callable[[list[str], str, str], dict[str, Figures]]
"""Measures recipes in a language on a part of the sentences: {recipe: figures}."""

DEFAULT = "af_heart"
"""The recipe of aria, the default voice: the model's best-rated style vector, by its makers and by our measurements."""
PITCH = {"f": (145.0, 260.0), "m": (75.0, 160.0)}
"""The allowed median pitch of women and of men, in Hz."""
MAX_WORD_ERRORS = 0.02
MAX_SIMILARITY = 0.74
MIN_PITCH_RATIO = 1.06
"""The minimum pitch difference between neighboring men: one semitone."""
SIMILARITY_WEIGHT = 0.5
PART_WEIGHT = 0.02
"""The cost of each additional style vector in a recipe: blends of many sound smeared."""

STEPS = (0.75, 1.1)
"""How far the articulation of a Hindi recipe is moved toward Hindi."""
HINDI_OF = {"f": ("hf_alpha", "hf_beta"), "m": ("hm_omega", "hm_psi")}
ERROR_WEIGHT = 6.0
PITCH_WEIGHT = 0.01
MAX_SEMITONES = 3.5

_PARENTS = 4
_IN_FULL = 6
_IN_FULL_HINDI = 3
_VARIED = 2
_SAME_PERSON = 0.9
"""The similarity from which two recipes count as one person."""


@dataclass(frozen=True)
class Chosen:
    """A voice in one language."""

    recipe: str
    figures: Figures


def search_english(styles: Sequence[str], measure: Measure) -> tuple[dict[str, Chosen], dict[str, Figures]]:
    """{voice: chosen}, and all recipes measured in full."""
    screened = measure([*styles], "en-US", "screen")
    finalists = [DEFAULT]
    for sex in "fm":
        singles = _best([r for r in styles if r[1] == sex and _natural(screened[r], sex)], screened)
        american = _american(styles, sex, screened)
        others = [r for r in singles if not r.startswith("a")]
        combined = [*_blends(american[:_PARENTS]), *(f"{american[0]} | {timbre} / {american[0]}" for timbre in others)]
        screened |= measure(combined, "en-US", "screen")
        natural = [r for r in (*american, *combined) if _natural(screened[r], sex)]
        finalists += _best_persons(natural, screened)[:_IN_FULL]
    measured = measure(finalists, "en-US", "choice")
    return _choose_five(measured), measured


def search_hindi(
    english: dict[str, Chosen], styles: Sequence[str], measure: Measure
) -> tuple[dict[str, Chosen], dict[str, dict[str, Figures]]]:
    """{voice: chosen}, and the recipes measured in full for each voice."""
    in_english = measure([*styles], "en-US", "screen")
    measured = {}
    for voice, self in english.items():
        speakers = _american(styles, sex_of(self.recipe), in_english)[:_PARENTS]
        of_sex = HINDI_OF[sex_of(self.recipe)]
        crosses = {
            _in_hindi(self.recipe, articulation, f"{half} + 0.5*{of_sex[0]}", STEPS[0]): (articulation, half)
            for articulation, half in _crosses(self.recipe, speakers)
        }
        best = _best([*crosses], measure([*crosses], "hi-IN", "screen"))[:_VARIED]
        varied = [
            _in_hindi(self.recipe, articulation, prosody, step)
            for articulation, half in (crosses[recipe] for recipe in best)
            for hindi in of_sex
            for prosody in (hindi, f"{half} + 0.5*{hindi}")
            for step in STEPS
        ]
        varied = list(dict.fromkeys(varied))
        screened = measure(varied, "hi-IN", "screen")
        measured[voice] = measure(_best(varied, screened)[:_IN_FULL_HINDI], "hi-IN", "choice")
    return _choose_hindi(english, measured), measured


def sex_of(recipe: str) -> str:
    """f or m, by the name of the first style vector in its timbre."""
    return next(iter(parse_recipe(recipe)["timbre"]))[1]


def semitones(a: Figures, b: Figures) -> float:
    """By how many semitones the median pitch of `a` is higher."""
    return 12 * math.log2(a.pitch[1] / b.pitch[1])


def _american(styles: Sequence[str], sex: str, figures: dict[str, Figures]) -> list[str]:
    """The American style vectors of a sex, the best first."""
    return _best([r for r in styles if r.startswith(f"a{sex}") and _natural(figures[r], sex)], figures)


def _natural(figures: Figures, sex: str) -> bool:
    low, high = PITCH[sex]
    return low <= figures.pitch[1] <= high


def _best(recipes: list[str], figures: dict[str, Figures]) -> list[str]:
    """The best first, by mean Distill-MOS minus the cost of the parts of a recipe."""
    return sorted(recipes, key=lambda r: PART_WEIGHT * _parts(r) - figures[r].mean)


def _best_persons(recipes: list[str], figures: dict[str, Figures]) -> list[str]:
    """The best first, without those that sound like a better one."""
    persons: list[str] = []
    for recipe in _best(recipes, figures):
        if all(similarity(figures[recipe], figures[better]) < _SAME_PERSON for better in persons):
            persons.append(recipe)
    return persons


def _parts(recipe: str) -> int:
    """The number of style vectors in a recipe beyond the first."""
    parsed = parse_recipe(recipe)
    return len(ingredients(parsed)) - 1


def _blends(styles: list[str]) -> Iterable[str]:
    """Each timbre with each prosody, halves of two, and thirds of three."""
    for timbre, prosody in itertools.permutations(styles, 2):
        yield f"{timbre} / {prosody}"
    for pair in itertools.combinations(styles, 2):
        yield " + ".join(f"0.5*{name}" for name in pair)
    for trio in itertools.combinations(styles[:4], 3):
        weights = (0.34, 0.33, 0.33)
        yield " + ".join(f"{weight}*{name}" for weight, name in zip(weights, trio, strict=True))


def _choose_five(measured: dict[str, Figures]) -> dict[str, Chosen]:
    """The best set: aria as given, sofia the other woman, and john, jason and leo in order of pitch from the lowest."""
    allowed = [r for r in measured if measured[r].errors <= MAX_WORD_ERRORS]
    women = [r for r in allowed if sex_of(r) == "f" and r != DEFAULT]
    men = sorted((r for r in allowed if sex_of(r) == "m"), key=lambda r: measured[r].pitch[1])
    best: tuple[float, list[str]] | None = None
    for woman, trio in itertools.product(women, itertools.combinations(men, 3)):
        pitches = [measured[r].pitch[1] for r in trio]
        names = [DEFAULT, woman, *trio]
        alike = max(similarity(measured[a], measured[b]) for a, b in itertools.combinations(names, 2))
        if alike > MAX_SIMILARITY or any(b / a < MIN_PITCH_RATIO for a, b in itertools.pairwise(pitches)):
            continue
        merit = sum(measured[r].mean - PART_WEIGHT * _parts(r) for r in names) - SIMILARITY_WEIGHT * alike
        if best is None or merit > best[0]:
            best = merit, names
    if best is None:
        raise SystemExit("no set of five is within the limits")
    return {v: Chosen(r, measured[r]) for v, r in zip(("aria", "sofia", "john", "jason", "leo"), best[1], strict=True)}


def _crosses(english: str, speakers: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Articulation, and half of a prosody: of the English recipe and of other speakers, in all combinations."""
    parsed = parse_recipe(english)
    own = written_blend(parsed.get("articulation", parsed["timbre"]))
    half = written_blend({name: weight / 2 for name, weight in parsed["prosody"].items()})
    return itertools.product((own, *speakers), (half, *(f"0.5*{speaker}" for speaker in speakers)))


def _in_hindi(english: str, articulation: str, prosody: str, step: float) -> str:
    """The timbre of an English recipe with a prosody, and an articulation that is moved toward Hindi."""
    return f"{articulation} > {step:g} | {written_blend(parse_recipe(english)['timbre'])} / {prosody}"


def _hindi_merit(figures: Figures, self: Figures) -> float:
    """Distill-MOS and similarity to the English self, minus errors and pitch deviation."""
    errors = 0.0 if math.isnan(figures.errors) else ERROR_WEIGHT * figures.errors
    pitch = PITCH_WEIGHT * abs(semitones(figures, self))
    return figures.mean + SIMILARITY_WEIGHT * similarity(figures, self) - errors - pitch


def _choose_hindi(english: dict[str, Chosen], measured: dict[str, dict[str, Figures]]) -> dict[str, Chosen]:
    """The best set: each close to its English self, and far from the others."""
    voices = list(english)
    options = []
    for voice in voices:
        self = english[voice].figures
        near = [r for r, f in measured[voice].items() if abs(semitones(f, self)) <= MAX_SEMITONES]
        if not near:
            raise SystemExit(f"no Hindi candidate of {voice} is within the limits of pitch")
        options.append(near)

    def merit(recipes: tuple[str, ...]) -> float:
        figures = [measured[v][r] for v, r in zip(voices, recipes, strict=True)]
        own = sum(_hindi_merit(f, english[v].figures) for f, v in zip(figures, voices, strict=True))
        alike = max(similarity(a, b) for a, b in itertools.combinations(figures, 2))
        return own - SIMILARITY_WEIGHT * alike

    best = max(itertools.product(*options), key=merit)
    return {v: Chosen(r, measured[v][r]) for v, r in zip(voices, best, strict=True)}
