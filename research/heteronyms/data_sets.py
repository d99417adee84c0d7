"""The labeled sentences, and their features as computed by heteronyms.rs."""

from __future__ import annotations

import subprocess
import zlib
from pathlib import Path

from .model import Example, Reading

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
TABLE = ROOT / "core/text/src/languages/en_us/data/heteronyms.tsv"
WEIGHTS = ROOT / "core/text/src/languages/en_us/data/heteronym_weights.tsv"
TOPICS = HERE / "topics.tsv"

# Reading names in the sentences that differ from those of the table.
NAMES = {
    "evening.night": "noun",
    "evening.leveling": "verb",
    "lima.ohio": "bean",
    "separates.noun": "adj",
}
GENERAL_NAMES = {"nounadj": "noun"}


def read_rows(names: list[str]) -> list[tuple[str, str, str, str]]:
    """The word, the name of its reading, the text, and the word's occurrence in the text."""
    rows = []
    for name in names:
        for line in (HERE / "data" / name).read_text().splitlines():
            word, label, text, nth = line.split("\t")
            rows.append((word, reading_name(label), text, nth))
    return rows


def reading_name(label: str) -> str:
    name = label.split(".", 1)[1]
    return NAMES.get(label) or GENERAL_NAMES.get(name, name)


def export(rows: list[tuple[str, str, str, str]]) -> list[list[str]]:
    """The features of each row, computed by the library itself; none if its word was not found."""
    sentences = "".join("\t".join(row) + "\n" for row in rows)
    command = "cargo run --release --quiet -p speech-eval -- heteronyms"
    run = subprocess.run(command.split(), cwd=ROOT, input=sentences, stdout=subprocess.PIPE, check=True, text=True)
    return [line.split() for line in run.stdout.splitlines()]


def examples(names: list[str], table: dict[str, list[Reading]]) -> list[Example]:
    """The labeled sentences whose words are in the table."""
    rows = [row for row in read_rows(names) if reading_of(row, table) is not None]
    found = zip(rows, export(rows), strict=True)
    return [Example(row[0], reading_of(row, table) or 0, features, row[2]) for row, features in found if features]


def reading_of(row: tuple[str, str, str, str], table: dict[str, list[Reading]]) -> int | None:
    names = [reading.name for reading in table.get(row[0], [])]
    return names.index(row[1]) if row[1] in names else None


def fold(text: str, folds: int) -> int:
    """The fold of a text, so that all its heteronyms are in the same one."""
    return zlib.crc32(text.encode()) % folds
