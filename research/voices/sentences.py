"""The sentences that voices are measured on."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

_DATA = Path(__file__).with_name("data")
_SCREENED = 4


@dataclass(frozen=True)
class Sentence:
    """A sentence, and how it is said in words, which is what the recogniser's words are compared with."""

    kind: str
    text: str
    spoken: str


def sentences(language: str, part: str) -> list[Sentence]:
    """The sentences of a part: `choice`, that recipes are chosen on; `kept`, that nothing is chosen on; `reserve`, for when too much
    is known of those; or `screen`, every fourth of those of the choice, which has each kind."""
    rows = read_tsv(_DATA / f"sentences_{language[:2]}.tsv")
    chosen = [row for row in rows if row["part"] == ("choice" if part == "screen" else part)]
    if part == "screen":
        chosen = chosen[::_SCREENED]
    return [Sentence(row["kind"], row["text"], row["spoken"]) for row in chosen]


def read_tsv(path: Path) -> list[dict[str, str]]:
    """The rows of a table by the names in its first line."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
