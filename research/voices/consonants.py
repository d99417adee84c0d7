"""Measures how each Hindi consonant is recognized: a confusion table over sentences that contain all of them.

Each sentence is spoken by two voices, the next by the next two, so that neither a voice nor a single recognition error
decides. The transcript is aligned with the text letter by letter (Levenshtein), and counted by the Devanagari letter:
the recognizer's spelling has one sign for ट, ठ and a doubled ट, but the table distinguishes them.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from . import transcripts
from .report import markdown
from .sentences import read_tsv

LANGUAGE = "hi-IN"
_VOICES_A_SENTENCE = 2
_MIN_CLUSTERS = 12
"""Clusters with fewer occurrences are not shown."""
MISSING = "-"


@dataclass
class Confusions:
    """The recognized signs for each letter, and for each cluster whether it was recognized completely."""

    letters: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    clusters: dict[str, Counter[bool]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, meant: str, heard: str) -> None:
        """Counts a sentence in Devanagari and its transcript in Urdu script."""
        letters = transcripts.hindi_consonants(meant)
        signs = aligned([letter.sign for letter in letters], transcripts.urdu_skeleton(heard))
        for letter, sign in zip(letters, signs, strict=True):
            self.letters[letter.text][sign] += 1
        for cluster in _clusters(letters, signs):
            self.clusters[cluster[0]][cluster[1]] += 1


def sentences() -> list[str]:
    """The sentences, each in one line."""
    return [row["text"] for row in read_tsv(Path(__file__).with_name("data") / "consonants_hi.tsv")]


def share(voices: Sequence[str]) -> dict[str, list[str]]:
    """The sentences of each voice."""
    of_voice: dict[str, list[str]] = {voice: [] for voice in voices}
    turns = itertools.cycle(voices)
    for sentence in sentences():
        for _ in range(_VOICES_A_SENTENCE):
            of_voice[next(turns)].append(sentence)
    return of_voice


def aligned(meant: Sequence[str], heard: Sequence[str]) -> list[str]:
    """The recognized sign for each intended sign, or `MISSING`; additional signs are left out."""
    costs = [list(range(len(heard) + 1))]
    for i, sign in enumerate(meant, 1):
        row = [i]
        for j, other in enumerate(heard, 1):
            row.append(min(costs[-1][j] + 1, row[-1] + 1, costs[-1][j - 1] + (sign != other)))
        costs.append(row)
    found, j = [MISSING] * len(meant), len(heard)
    for i in range(len(meant), 0, -1):
        while j and costs[i][j] == costs[i][j - 1] + 1:
            j -= 1
        if j and costs[i][j] == costs[i - 1][j - 1] + (meant[i - 1] != heard[j - 1]):
            j -= 1
            found[i - 1] = heard[j]
    return found


def table(by_voice: dict[str, Confusions]) -> str:
    """The confusions of all voices together, as Markdown."""
    letters: dict[str, Counter[str]] = defaultdict(Counter)
    clusters: dict[str, Counter[bool]] = defaultdict(Counter)
    for one in by_voice.values():
        for letter, signs in one.letters.items():
            letters[letter] += signs
        for cluster, right in one.clusters.items():
            clusters[cluster] += right
    of, wrong = _total(letters)
    voices = [[voice, *_share(*_total(one.letters))] for voice, one in by_voice.items()]
    by_letter = [
        [letter, *_share(signs.total(), _wrong(letter, signs)), _heard_as(letter, signs)]
        for letter, signs in sorted(letters.items(), key=lambda item: -_wrong(*item))
    ]
    frequent = [(cluster, right) for cluster, right in clusters.items() if right.total() >= _MIN_CLUSTERS]
    by_cluster = [
        [cluster, str(right.total()), f"{right[False] / right.total():.2f}"]
        for cluster, right in sorted(frequent, key=lambda item: -item[1][False] / item[1].total())
    ]
    lines = [
        "# Consonants of Hindi: what is heard",
        "",
        "Made by `cargo xtask voices consonants`; README.md explains it.",
        "",
        f"{of} consonants, {wrong} misheard ({wrong / of:.3f}).",
        "",
        *markdown(["voice", "consonants", "misheard"], voices),
        "",
        *markdown(["letter", "times", "misheard", "heard as"], by_letter),
        "",
        f"Clusters of {_MIN_CLUSTERS} and more, by how often not all of it is heard:",
        "",
        *markdown(["cluster", "times", "misheard"], by_cluster),
    ]
    return "\n".join(lines) + "\n"


def _share(of: int, wrong: int) -> list[str]:
    return [str(of), f"{wrong / of:.3f}"]


def _heard_as(letter: str, signs: Counter[str]) -> str:
    """The signs recognized in its place, with their counts."""
    return ", ".join(f"{sign} {n}" for sign, n in signs.most_common() if sign != transcripts.sign_of(letter))


def _total(letters: dict[str, Counter[str]]) -> tuple[int, int]:
    return sum(signs.total() for signs in letters.values()), sum(_wrong(*item) for item in letters.items())


def _wrong(letter: str, signs: Counter[str]) -> int:
    return signs.total() - signs[transcripts.sign_of(letter)]


def _clusters(letters: Sequence[transcripts.Consonant], signs: Sequence[str]) -> Iterable[tuple[str, bool]]:
    """Each cluster, and whether it was recognized completely."""
    at = 0
    while at < len(letters):
        end = at + 1
        while end < len(letters) and letters[end - 1].joined:
            end += 1
        if end - at > 1:
            of = letters[at:end]
            yield (
                "्".join(letter.text for letter in of),
                all(letter.sign == sign for letter, sign in zip(of, signs[at:end], strict=True)),
            )
        at = end
