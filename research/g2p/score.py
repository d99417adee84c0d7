"""Phoneme and word error rates."""

from collections.abc import Sequence
from dataclasses import dataclass, field

STRESS = str.maketrans("", "", "ˈˌ")


def distance(a: Sequence[str], b: Sequence[str]) -> int:
    """The Levenshtein distance between sequences of symbols or words."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


@dataclass
class Score:
    """The errors against the nearest of several references."""

    errors: int = 0
    symbols: int = 0
    wrong: int = 0
    words: int = 0
    misses: list = field(default_factory=list)

    def add(self, word: str, found: str, references: tuple[str, ...]):
        errors, near = min((distance(found, r), r) for r in references)
        self.errors += errors
        self.symbols += len(near)
        self.words += 1
        if errors:
            self.wrong += 1
            self.misses.append((word, found, near))

    def __str__(self) -> str:
        return f"PER {self.errors / self.symbols:.2%} WER {self.wrong / self.words:.2%}"


def segments(phonemes: str) -> str:
    return phonemes.translate(STRESS)


def scores(rows: list[tuple[str, str, tuple[str, ...]]]) -> tuple[Score, Score]:
    """The scores of (word, output, references) rows: by segments, and with stress marks."""
    plain, stressed = Score(), Score()
    for word, found, references in rows:
        plain.add(word, segments(found), tuple(map(segments, references)))
        stressed.add(word, found, references)
    return plain, stressed
