"""Misaki's American lexicons, from their published wheel, and additional word lists."""

import hashlib
import json
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

from .errors import UserError

WHEEL = "misaki-0.9.4-py3-none-any.whl"
WHEEL_SHA256 = "90e2eeb169786c014c429e5058d2ea6bcd02d651f2a24450ba6c9ffc0f8da15a"

WORD = re.compile(r"[A-Za-z]['A-Za-z]*")

# Transcription style is a property of the lexicon: silver marks fewer secondary stresses, for one.
GOLD, NAME, SILVER = range(3)


@dataclass(frozen=True)
class Entry:
    """A word with its pronunciations, the usual one first."""

    word: str
    phonemes: tuple[str, ...]
    style: int

    @property
    def letters(self) -> str:
        return self.word.lower()


def misaki(downloads: Path) -> tuple[list[Entry], list[Entry]]:
    """The words of the gold and the silver lexicon, without capitalized and multi-part words."""
    wheel = downloads / WHEEL
    if not wheel.is_file():
        raise UserError(f"{wheel} is missing: pip download --no-deps misaki==0.9.4 -d {downloads}")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    if digest != WHEEL_SHA256:
        raise UserError(f"{wheel} has SHA-256 {digest}, not {WHEEL_SHA256}")
    with zipfile.ZipFile(wheel) as archive:
        gold = json.loads(archive.read("misaki/data/us_gold.json"))
        silver = json.loads(archive.read("misaki/data/us_silver.json"))
    silver = {word: value for word, value in silver.items() if word not in gold}
    return list(entries(gold, GOLD)), list(entries(silver, SILVER))


def entries(lexicon: dict, style: int):
    for word, value in sorted(lexicon.items()):
        capitals = sum(letter.isupper() for letter in word)
        if not WORD.fullmatch(word) or capitals > 1 and word.isupper():
            continue
        variants = value.values() if isinstance(value, dict) else [value]
        phonemes = tuple(dict.fromkeys(kokoro(p) for p in variants if p))
        if phonemes:
            yield Entry(word, phonemes, NAME if capitals else style)


def kokoro(phonemes: str) -> str:
    """The symbols of Kokoro-82M v1.0, which has `T` for the flap and no glottal stop."""
    return phonemes.replace("ɾ", "T").replace("ʔ", "t")


def extra(path: Path) -> list[Entry]:
    """A word list: word and phonemes, tab-separated; `#` begins a comment."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split("\t")
        if line.startswith("#") or len(fields) < 2 or not WORD.fullmatch(fields[0]):
            continue
        word, phonemes = fields[0], kokoro(fields[1])
        if phonemes and " " not in phonemes:
            found.append(Entry(word, (phonemes,), NAME if word[0].isupper() else GOLD))
    return found
