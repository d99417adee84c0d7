"""Finds the words of a sentence that may be romanized Hindi, as `romanized/tokens.rs` does."""

from __future__ import annotations

import re
from dataclasses import dataclass

STRONG = set(".?!:;\"“”—|।…()[]'‘’")
DASHES = set("-–—|")


@dataclass
class Token:
    text: str
    start: int
    end: int
    label: str = ""
    """"H" or "E", or "" if both are right."""
    gap: int = 0
    """What precedes it: 0 nothing, 1 a comma or a number, 2 stronger punctuation."""
    gold: tuple[str, ...] = ()
    joined: bool = False
    after_number: bool = False

    @property
    def lower(self) -> str:
        return squeezed(self.text.lower())


def squeezed(word: str) -> str:
    """A word without elongated letters, as in kyaaaa."""
    return re.sub(r"(.)\1\1+", r"\1\1", word)


UNITS = set(
    "k kg kgs g gm gms mg km kms m cm mm ft l ml ltr litre litres min mins hr hrs sec secs am pm gb mb kb tb rs st nd rd th "
    "ha mi gal q yr yrs oz lb lbs in hp kw kwh v w hz mah mw mbps kbps db tsp tbsp".split()
)
"""Not words after a number."""
PREFIXES = {"rs", "inr", "no", "nos", "usd"}
"""Not words before a number."""


def tokenize(text: str) -> list[Token]:
    """The words in Latin letters, without parts of addresses, codes or quantities, and words with an apostrophe."""
    tokens: list[Token] = []
    gap, after_number = 2, False
    chunks = list(re.finditer(r"\S+", text))
    for i, chunk in enumerate(chunks):
        piece = chunk.group()
        core = piece.strip("".join(set(re.sub(r"[\w@#/\\`]", "", piece))))
        offset = piece.find(core) if core else 0
        before, after = piece[:offset], piece[offset + len(core) :]
        if set(before) & STRONG or not core and set(piece) & DASHES:
            gap = 2
        elif not core:
            gap = max(gap, 1)
        follows = chunks[i + 1].group() if i + 1 < len(chunks) else ""
        is_unit = after_number and (core.lower() in UNITS or core.isalpha() and core.isupper() and core.isascii())
        is_code = core.isupper() and (len(core) < 3 or not set(core) & set("AEIOU"))
        is_listed = core.lower() in PREFIXES
        names_code = after.startswith(".") and re.match(r"[A-Z].*[0-9]", follows) is not None
        is_prefix = follows[:1].isdigit() and (is_listed or is_code) or names_code and is_listed
        has_capitals = sum(map(str.isupper, core[1:])) > 1 and any(map(str.islower, core))
        is_letter = len(core) == 1 and core.isupper()
        if re.fullmatch(r"[A-Za-z]+(-[A-Za-z]+)*", core) and not (is_unit or is_prefix or is_letter or has_capitals):
            at = chunk.start() + offset
            for n, part in enumerate(core.split("-")):
                tokens.append(Token(part, at, at + len(part), gap=gap, joined=n > 0, after_number=after_number and n == 0))
                at += len(part) + 1
                gap = 0
            after_number = False
        else:
            gap = max(gap, 1)
            after_number = piece[-1:].isdigit() or core[-1:].isdigit() or is_unit or after_number and not core
        if set(after) & STRONG:
            gap = 2
        elif "," in after:
            gap = max(gap, 1)
    return tokens
