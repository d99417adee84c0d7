"""Tables of measurements, and the chosen recipes."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np

from .compact import Measured
from .figures import TARGET_LUFS, Figures, similarity
from .recipes import parse_recipe
from .search import Chosen, semitones

_ERRORS = {"en-US": "word errors", "hi-IN": "consonant errors"}
_NAMES = {"en-US": "English", "hi-IN": "Hindi"}


def save_recipes(file: Path, chosen: dict[str, dict[str, Chosen]]) -> None:
    """Writes the chosen recipes, {language: {voice: chosen}}, and their gains into the bundle's list of voices."""
    voices = json.loads(file.read_text(encoding="utf-8"))
    for voice in voices["voices"]:
        for language, of_language in chosen.items():
            one = of_language[voice["id"]]
            voice["recipes"][language] = {**parse_recipe(one.recipe), "gain_db": one.figures.gain_db}
    file.write_text(json.dumps(voices, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def judged(chosen: dict[str, dict[str, Chosen]], part: str) -> str:
    """The voices on one part of the sentences: each alone, each pair, and each with itself in the other language."""
    lines = [
        f"# The voices on the sentences `{part}`",
        "",
        "Made by `cargo xtask voices judge`; README.md explains it.",
        "",
    ]
    for language, voices in chosen.items():
        lines += [f"## {_NAMES[language]}", "", *_voices(language, voices), "", *_pairs(voices), ""]
    english, hindi = chosen["en-US"], chosen["hi-IN"]
    own = [[voice, f"{similarity(english[voice].figures, hindi[voice].figures):.2f}"] for voice in english]
    lines += ["## Similarity of a voice to itself in the other language", "", *markdown(["voice", "similarity"], own)]
    return "\n".join(lines) + "\n"


def tried_in_english(chosen: dict[str, Chosen], measured: dict[str, Figures], screened: dict[str, Figures]) -> str:
    """All candidates in English: recipes measured in full, and every style vector."""
    singles = [
        [name, f"{f.mean:.2f}", f"{f.standard_error:.2f}", f"{min(f.mos):.2f}", f"{f.pitch[1]:.0f}"]
        for name, f in sorted(screened.items(), key=lambda x: -x[1].mean)
    ]
    lines = [*_chosen("en-US", chosen), *_in_full("en-US", chosen, measured)]
    lines += ["", "## Every published style vector, screened", ""]
    lines += markdown(["style vector", "Distill-MOS", "standard error", "worst", "pitch, Hz"], singles)
    return "\n".join(lines) + "\n"


def tried_in_hindi(
    chosen: dict[str, Chosen], english: dict[str, Chosen], measured: dict[str, dict[str, Figures]]
) -> str:
    """All candidates in Hindi, {voice: {recipe: figures}}, for the same persons as in English."""
    own = [
        [
            voice,
            f"{similarity(one.figures, english[voice].figures):.2f}",
            f"{semitones(one.figures, english[voice].figures):+.1f}",
        ]
        for voice, one in chosen.items()
    ]
    lines = [*_chosen("hi-IN", chosen), ""]
    lines += markdown(["voice", "similarity to itself in English", "semitones above itself in English"], own)
    lines += _in_full("hi-IN", chosen, {r: f for of_voice in measured.values() for r, f in of_voice.items()})
    return "\n".join(lines) + "\n"


def rounded(figures: dict[str, dict[str, Figures]]) -> str:
    """The effect of more noise on the weights, {variant: {recipe: figures}}: per-sentence differences from the
    first."""
    first = next(iter(figures.values()))
    rows = []
    for name, by_recipe in figures.items():
        rows.append([name, *_beside([(f, first[recipe]) for recipe, f in by_recipe.items()])])
    head = ["weights", "Distill-MOS", "difference, standard error", "word errors"]
    lines = ["# Rounding of the weights", "", "Made by `cargo xtask voices rounding`; rounding.py says how.", ""]
    return "\n".join([*lines, *markdown(head, rows)]) + "\n"


def _beside(pairs: list[tuple[Figures, Figures]]) -> list[str]:
    """The score, its per-sentence difference from the other figures, and the errors, if Whisper was run."""
    difference = np.concatenate([np.subtract(f.mos, before.mos) for f, before in pairs])
    error = difference.std(ddof=1) / len(difference) ** 0.5
    wrong, of = sum(f.wrong for f, _ in pairs), sum(f.of for f, _ in pairs)
    mean = np.mean([f.mean for f, _ in pairs])
    return [f"{mean:.3f}", f"{difference.mean():+.3f} ± {error:.3f}", f"{wrong / of:.4f}" if of else ""]


def compact(alone: dict[str, Measured], whole: dict[str, Measured]) -> str:
    """The effect of coarser weights: each group of layers alone, and bundles. Differences are per sentence, from the
    first."""
    lines = ["# A compact bundle", "", "Made by `cargo xtask voices compact`; compact.py says how.", ""]
    for title, measured in (("Each group alone, step 0.9", alone), ("Bundles", whole)):
        first = next(iter(measured.values()))
        rows = []
        for name, one in measured.items():
            row = [name, f"{one.packed / 1e6:.1f}"]
            for language in ("en-US", "hi-IN"):
                row += _beside([(f, first.figures[key]) for key, f in one.figures.items() if key[0] == language])
            rows.append(row)
        of_language = ["Distill-MOS", "difference", "errors"]
        head = ["weights", "packed, MB", *of_language, *(f"{column}, Hindi" for column in of_language)]
        lines += [f"## {title}", "", *markdown(head, rows), ""]
    return "\n".join(lines[:-1]) + "\n"


def _chosen(language: str, chosen: dict[str, Chosen]) -> list[str]:
    """The head of a table of candidates, and the chosen ones."""
    return [
        f"# {_NAMES[language]} voices: everything tried",
        "",
        "Made by `cargo xtask voices choose`; README.md explains the columns and the choice.",
        "",
        "## Chosen",
        "",
        *_voices(language, chosen),
        "",
        *_pairs(chosen),
    ]


def _in_full(language: str, chosen: dict[str, Chosen], measured: dict[str, Figures]) -> list[str]:
    """The recipes measured in full, the best first."""
    by_recipe = {one.recipe: voice for voice, one in chosen.items()}
    rows = [[by_recipe.get(r, ""), f"`{r}`", *_cells(f)] for r, f in sorted(measured.items(), key=lambda x: -x[1].mean)]
    return ["", "## Measured in full", "", *markdown(["chosen as", "recipe", *_head(language)], rows)]


def _head(language: str) -> list[str]:
    return [
        "Distill-MOS",
        "standard error",
        "worst",
        _ERRORS[language],
        "DNSMOS",
        "pitch, Hz (10 % to 90 %)",
        "peak, dBFS",
    ]


def _cells(f: Figures) -> list[str]:
    low, median, high = f.pitch
    return [
        f"{f.mean:.2f}",
        f"{f.standard_error:.2f}",
        f"{min(f.mos):.2f}",
        f"{f.errors:.3f}",
        f"{f.dnsmos:.2f}",
        f"{median:.0f} ({low:.0f} to {high:.0f})",
        f"{f.peak_dbfs:.1f}",
    ]


def _voices(language: str, chosen: dict[str, Chosen]) -> list[str]:
    rows = [[voice, *_cells(one.figures), f"{one.figures.gain_db:+.1f}"] for voice, one in sorted(chosen.items())]
    errors = np.mean([one.figures.errors for one in chosen.values()])
    mean = np.mean([one.figures.mean for one in chosen.values()])
    rows.append(["mean", f"{mean:.2f}", "", "", f"{errors:.3f}", "", "", "", ""])
    return markdown(["voice", *_head(language), f"gain to {TARGET_LUFS:g} LUFS, dB"], rows)


def _pairs(chosen: dict[str, Chosen]) -> list[str]:
    """The similarity of each pair of voices."""
    voices = sorted(chosen)
    cell = {
        frozenset(p): similarity(chosen[p[0]].figures, chosen[p[1]].figures) for p in itertools.combinations(voices, 2)
    }
    rows = [[a, *("" if a == b else f"{cell[frozenset((a, b))]:.2f}" for b in voices)] for a in voices]
    return markdown(["similarity", *voices], rows)


def markdown(head: list[str], rows: list[list[str]]) -> list[str]:
    """The lines of a table."""
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]
