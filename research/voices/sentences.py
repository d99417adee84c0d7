"""The sentences that voices are measured on."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

_DATA = Path(__file__).with_name("data")
_SCREENED = 4


@dataclass(frozen=True)
class Sentence:
    """A sentence, and its wording in words, with which the recognized words are compared."""

    kind: str
    text: str
    spoken: str


def sentences(language: str, part: str) -> list[Sentence]:
    """The sentences of a part: `choice`, on which recipes are chosen; `kept`, on which nothing is chosen; `reserve`, to
    replace those once too much is known about them; or `screen`, every fourth sentence of `choice`, with each kind."""
    rows = read_tsv(_DATA / f"sentences_{language[:2]}.tsv")
    chosen = [row for row in rows if row["part"] == ("choice" if part == "screen" else part)]
    if part == "screen":
        chosen = chosen[::_SCREENED]
    return [Sentence(row["kind"], row["text"], row["spoken"]) for row in chosen]


def read_tsv(path: Path) -> list[dict[str, str]]:
    """The rows of a table by the names in its first line."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
