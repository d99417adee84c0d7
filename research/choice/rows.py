"""Tables of texts with their acceptable readings, and checks of a text's reading against them.

A table has one row per text: language, text (`\\n` is a line break), readings separated by ` || `, family, number of
sentences or nothing. In a reading {a|b|} is a choice, which may nest, and ~ an optional "and". Case, punctuation,
accents and spaces do not count; in Hindi neither do nukta and the spellings of nasals, and Latin capitals stand for
letters in either script.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

LETTERS = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "ए बी सी डी ई एफ जी एच आई जे के एल एम एन ओ पी क्यू आर एस टी यू वी डब्ल्यू एक्स वाई जेड".split(),
    )
)


@dataclass(frozen=True)
class Row:
    language: str
    text: str
    readings: tuple[str, ...]
    family: str
    sentences: int | None


def read_rows(table: Path) -> list[Row]:
    rows = []
    for line in table.read_text(encoding="utf-8").splitlines():
        columns = line.split("\t")
        if len(columns) == 3 and columns[0] != "class" and not line.startswith("#"):
            # A table of tools/eval: class, text, and readings separated by `|`.
            language = "hi-IN" if table.stem.endswith("hi") else "en-US"
            readings = tuple(plain(reading) for reading in columns[2].split("|"))
            rows.append(Row(language, columns[1].replace("\\n", "\n"), readings, columns[0], None))
        if len(columns) < 4:
            continue
        language, text, readings, family, *rest = columns
        sentences = int(rest[0]) if rest and rest[0] else None
        rows.append(Row(language, text.replace("\\n", "\n"), tuple(readings.split(" || ")), family, sentences))
    return rows


@dataclass(frozen=True)
class Labelled:
    """A sentence with one labeled place."""

    text: str
    start: int
    """The first byte of the place."""
    label: str
    language: str


def read_labelled(table: Path) -> list[Labelled]:
    """Sentences with a place between ⟦ and ⟧, a tab, and the label of that place; Hindi ones in tables named `hi_*`."""
    language = "hi-IN" if table.name.startswith("hi_") else "en-US"
    labelled = []
    for line in table.read_text(encoding="utf-8").splitlines():
        marked, _, label = line.partition("\t")
        before, _, rest = marked.partition("⟦")
        place, _, after = rest.partition("⟧")
        if label and place:
            labelled.append(Labelled(before + place + after, len(before.encode()), label.strip(), language))
    return labelled


MAGNITUDES = ("हज़ार", "मिलियन", "बिलियन")
"""Labels of numbers with a letter for their magnitude, and no unit."""


def bears(label: str, kind: str, features: list[str]) -> bool:
    """Whether a reading of a place matches its label."""
    units = {feature.removeprefix("unit=") for feature in features if feature.startswith("unit=") and "&" not in feature}
    if label in ("apart", "minus"):
        return kind in ("cardinal", "money", "measure", "fraction", "pairs", "digits", "year", "time", "length", "code")
    if label == "time":
        return kind == "time"
    if label == "fraction" and kind == "phrase":
        return any(feature.startswith("words=आध") for feature in features)
    if label in MAGNITUDES:
        return kind == "measure" and not units
    return kind == label or label in units


def plain(reading: str) -> str:
    """A reading without pattern characters."""
    return re.sub("[{}|~]", " ", reading)


def is_right(row: Row, said: list[str]) -> bool:
    if row.sentences is not None and len([s for s in said if s.strip()]) != row.sentences:
        return False
    line = fold(" ".join(said))
    return any(pattern(reading, row.language == "hi-IN").fullmatch(line) for reading in row.readings)


def fold(text: str) -> str:
    text = unicodedata.normalize("NFD", text).lower()
    text = re.sub("[\u0300-\u036f\u093c\u200b-\u200f\u2060\ufe0f]", "", text)
    text = re.sub("(?:ङ्|ञ्|ण्)(?=[क-म])|न्(?=[तथदध])|म्(?=[पफबभ])|ँ", "ं", text)
    text = re.sub("रु?ू?प(?:ये|ए|यों|या|ओं)(?![ऀ-ॿ])", "रुपए", text)
    text = re.sub("छः|छे(?= )", "छह", text)
    for variant, usual in (("नवे", "नबे"), ("ये", "ए"), ("यी", "ई"), ("डब्लू", "डब्ल्यू")):
        text = text.replace(variant, usual)
    return "".join(c for c in text if unicodedata.category(c)[0] in "LNM")


@lru_cache(maxsize=None)
def pattern(reading: str, hindi: bool) -> re.Pattern[str]:
    out = []
    for part in re.split(r"([{}|~]|\.\.(?=[|}]))", reading):
        special = {"{": "(?:", "}": ")", "|": "|", "~": "(?:and)?", "..": ".*?"}.get(part)
        if special is not None:
            out.append(special)
        elif hindi:
            for word in re.split(r"([A-Z]+(?![a-z])(?<![a-z].))", part):
                if re.fullmatch("[A-Z]+", word):
                    out.append(f"(?:{word.lower()}|{fold(''.join(LETTERS[c] for c in word))})")
                else:
                    out.append(fold(word))
        else:
            out.append(fold(part))
    return re.compile("".join(out))
