"""Chooses the held-out words: a sample of gold words, with every word of their stems.

A word is drawn by the SHA-256 of its letters, so that the draw depends on nothing else. No word with the stem of a
drawn word is trained on, nor any that extends that stem only by suffixes.
"""

import hashlib
import re
from dataclasses import dataclass

import snowballstemmer

from .lexicon import GOLD, NAME, Entry

HELD_OUT_WORDS = 3000
HELD_OUT_NAMES = 1000
# For model selection, so that the held-out words are not used for it.
VALIDATION_WORDS = 1500

SUFFIXES = """
    able ably age al ally an ance ances ancy ant ar ary ate ated ates ating ation ations ative ator ators d dom e ed
    edly ee eer en ence ency ened ening ent er ers es ess est ette ful fully hood ia iable ial ian ians ibility ible
    ibly ic ical ically ics ie ied ier ies iest ily iness ing ingly ings ion ions ious ise ised iser ises ish ising
    ism isms ist istic ists ite ities ity ive ively iveness ization ize ized izer izes izing less lessly like ly ment
    mental ments ness nesses or ors ory ous ously r rs s ship ships some st th ties ty ual ure ward wards ways wise y
    's s'
"""
EXTENSION = re.compile("(?:" + "|".join(SUFFIXES.split()) + ")+")
# A short stem begins many words that have nothing to do with it ("art" and "arterialize"): one suffix, of these.
SHORT_SUFFIXES = "able d dom ed en er ers es est ful ing ings ish ism ist ists less like ly ness r s ship st th y 's s'"
SHORT_EXTENSION = re.compile("|".join(SHORT_SUFFIXES.split()))
SHORT = 4
SHORTEST_EXTENDED = 3

_stemmer = snowballstemmer.stemmer("english")


def stem(letters: str) -> str:
    return _stemmer.stemWord(letters.removesuffix("'s").replace("'", ""))


@dataclass
class Split:
    words: list[Entry]
    names: list[Entry]
    validation: list[Entry]
    training: list[Entry]


def split(gold: list[Entry], others: list[Entry]) -> Split:
    lower = {entry.word for entry in gold if entry.style == GOLD}
    by_hash = sorted(gold, key=lambda entry: hashlib.sha256(entry.word.encode()).digest())
    words = [e for e in by_hash if e.style == GOLD and "'" not in e.word]
    names = [e for e in by_hash if e.style == NAME and "'" not in e.word and e.letters not in lower]
    stems: set[str] = set()
    held_words = draw(words, HELD_OUT_WORDS, stems)
    held_names = draw(names, HELD_OUT_NAMES, stems)
    validation = draw(words, VALIDATION_WORDS, stems)
    held_out = Stems(held_words + held_names + validation)
    training = [entry for entry in gold + others if not held_out.include(entry.letters)]
    return Split(held_words, held_names, validation, training)


def draw(ordered: list[Entry], count: int, stems: set[str]) -> list[Entry]:
    """The first word of each new stem; adds the stems to `stems`."""
    drawn = []
    for entry in ordered:
        if len(drawn) == count:
            break
        if stem(entry.letters) not in stems:
            stems.add(stem(entry.letters))
            drawn.append(entry)
    return drawn


class Stems:
    """The stems of words, and the test whether a word belongs to one of them."""

    def __init__(self, held: list[Entry]):
        self.stems = {stem(entry.letters) for entry in held}
        self.beginnings = self.stems | {entry.letters for entry in held}

    def include(self, letters: str) -> bool:
        if stem(letters) in self.stems or letters in self.beginnings:
            return True
        return any(
            letters[:end] in self.beginnings
            and (SHORT_EXTENSION if end <= SHORT else EXTENSION).fullmatch(letters[end:])
            for end in range(SHORTEST_EXTENDED, len(letters))
        )
