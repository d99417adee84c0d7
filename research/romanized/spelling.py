"""Models how Hindi words are spelled in Latin letters: a noisy channel from the sounds of a Devanagari word to letters.

A word is a row of symbols: consonants, vowels (letter and sign alike), `ə` for an inherent vowel, `ɘ` for one that is
silent between syllables, `Ə` for one at the end of the word, `N` for an anusvara or chandrabindu. Each symbol is
spelled independently, in one of its listed spellings; their probabilities are learned from pairs by expectation
maximization.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import defaultdict

VIRAMA = "्"
NUKTA = "़"
SIGNS = dict(zip("ािीुूृेैोौॉ", "आइईउऊऋएऐओऔऑ"))
VOWELS = "अआइईउऊऋएऐओऔऑ"

_CONSONANTS = {
    "क": "k c q ck kk", "ख": "kh k", "ग": "g gg", "घ": "gh g", "ङ": "n ng", "च": "ch c chh", "छ": "chh ch c h",
    "ज": "j z g jj", "झ": "jh j z", "ञ": "n ny", "ट": "t tt", "ठ": "th t tth h", "ड": "d dd", "ढ": "dh d", "ण": "n nn",
    "त": "t th tt", "थ": "th t h", "द": "d dh dd", "ध": "dh d h", "न": "n nn", "प": "p pp", "फ": "ph f p ff",
    "ब": "b bb v", "भ": "bh b", "म": "m mm", "य": "y i e yy", "र": "r rr", "ल": "l ll", "व": "v w o u b", "श": "sh s ssh",
    "ष": "sh s", "स": "s c ss sh", "ह": "h", "ळ": "l", "क़": "q k", "ख़": "kh k", "ग़": "g gh", "ज़": "z j zz", "फ़": "f ph p ff",
    "ड़": "d r rh dh", "ढ़": "rh dh d r", "ज्ञ": "gy gn jn g jny gyn", "क्ष": "ksh x ks chh kch sh kshy",
}
_VOWELS = {
    "अ": "a u e aa", "आ": "a aa wa ya aaa", "इ": "i e ee yi y ii", "ई": "i ee e yi y ii ie ey", "उ": "u oo o wu uu",
    "ऊ": "u oo uu o", "ऋ": "ri r ru re", "ए": "e ye ei yei ey ai ay ee a y i eh", "ऐ": "ai e ei ay ey a ae", "ओ": "o wo oh oo u ou oa au",
    "औ": "au o ou ow ao aw", "ऑ": "o a au aw", "ə": "a u e o i aa", "ɘ": "a u e o i", "Ə": "a", VIRAMA: "a e i", "N": "n m ng nn", "ः": "h ha",
}
_FULL = set(VOWELS) | {"ə"}
SPELLINGS = {
    symbol: [*spellings.split(), ""] for symbol, spellings in {**_CONSONANTS, **_VOWELS}.items()
}
"""The spellings of each symbol; every symbol may also be left out."""

SYMBOLS = sorted(SPELLINGS)
POSITIONS = 3
"""First, inner and last symbols of a word are spelled differently."""


def symbols(word: str) -> list[str]:
    """The symbols of a word in Devanagari."""
    word = unicodedata.normalize("NFC", word.replace("ँ", "ं"))
    word = unicodedata.normalize("NFD", word)
    out: list[str] = []
    letters = re.findall(r"ज्ञ|क्ष|.़?", word)
    for at, letter in enumerate(letters):
        after = letters[at + 1] if at + 1 < len(letters) else ""
        if letter in _CONSONANTS:
            out.append(letter)
            if not after:
                out.append("Ə")
            elif after != VIRAMA and after not in SIGNS:
                out.append("ə")
        elif letter in SIGNS and out and out[-1] in _CONSONANTS:
            out.append(SIGNS[letter])
        elif letter in VOWELS:
            out.append(letter)
        elif letter == "ं":
            out.append("N")
        elif letter == "ः":
            out.append("ः")
        elif letter == VIRAMA and after:
            out.append(VIRAMA)
        elif letter != VIRAMA:
            return []
    for at in range(3, len(out) - 2):
        if out[at] == "ə" and out[at - 2] in _VOWELS and out[at + 1] in _CONSONANTS and out[at + 2] in _FULL:
            out[at] = "ɘ"
    return out


def position(at: int, count: int) -> int:
    """0 for the first symbol of a word, 2 for the last or one before a final inherent vowel, else 1."""
    return 0 if at == 0 else 2 if at >= count - 1 else 1


def key(latin: str) -> str:
    """The consonant skeleton that all usual spellings of a word share.

    It omits vowels, h, y and v except at the start, n where no vowel follows, and m before a labial.
    """
    text = re.sub("c+h+", "C", latin.lower())
    text = text.replace("x", "ks").replace("ck", "k").replace("ph", "p").replace("sh", "s")
    text = text.translate(str.maketrans("qcfzwd", "kkpjvr"))
    first = text[:1]
    rest = re.sub("n(?![aeiou])", "", text[1:])
    rest = re.sub("[aeiouyhv]", "", rest)
    rest = re.sub("m(?=[pb])", "", rest)
    first = "a" if first and first in "aeiou" else latin[:1].lower() if latin[:1].lower() == "d" else first
    return re.sub(r"(.)\1+", r"\1", first + rest)


_SKELETON = {
    **{c: s.split()[0][0] for c, s in _CONSONANTS.items()}, "च": "C", "छ": "C", "फ": "p", "फ़": "p", "ज़": "j", "क़": "k",
    "ड": "r", "ढ": "r", "ड़": "r", "ढ़": "r", "द": "r", "ध": "r", "ज्ञ": "g", "क्ष": "ks", "ऋ": "r",
}


def keys_of(row: list[str]) -> set[str]:
    """The skeletons of a word's symbols: two if its inherent vowels may be silent."""
    outs = {""}
    for at, symbol in enumerate(row):
        after = row[at + 1] if at + 1 < len(row) else ""
        if at == 0:
            first = "ar" if symbol == "ऋ" else "a" if symbol in _VOWELS else "d" if symbol in "दधडढ" else _SKELETON[symbol]
            outs = {first}
        elif symbol in "नणञङ":
            kept = {out + "n" for out in outs}
            if after in ("ə", "ɘ") and at + 2 < len(row):
                outs = outs | kept
            elif after in _VOWELS and after not in ("Ə", "N", VIRAMA):
                outs = kept
        elif symbol == "N" and (after and after in "वयरलसशह" or not after and row[at - 1] == "ə" and row[at - 2] in "यव"):
            outs = outs | {out + "m" for out in outs}
        elif symbol in _SKELETON and symbol not in "यहव":
            outs = {out + _SKELETON[symbol] for out in outs}
    outs = {out[:1] + re.sub("m(?=[pb])", "", out[1:]) for out in outs}
    return {re.sub(r"(.)\1+", r"\1", out) for out in outs}


class Channel:
    """The costs (negative logarithms) of spelling a symbol at a position."""

    def __init__(self) -> None:
        self.cost: dict[tuple[str, int], dict[str, float]] = {}
        for symbol, spellings in SPELLINGS.items():
            weights = [2.0 ** -i for i in range(len(spellings) - 1)] + [0.05]
            if symbol in ("Ə", "ɘ", VIRAMA):
                weights = [0.02] * len(spellings[1:]) + [1.0]
            for place in range(POSITIONS):
                total = sum(weights)
                self.cost[symbol, place] = {s: -math.log(w / total) for s, w in zip(spellings, weights)}

    def score(self, row: list[str], latin: str) -> float:
        """The cost of spelling a word as `latin`."""
        return self._align(row, latin)[0]

    def _align(self, row: list[str], latin: str) -> tuple[float, list[tuple[str, int, str]]]:
        best: list[tuple[float, tuple | None]] = [(math.inf, None)] * (len(latin) + 1)
        best[0] = (0.0, ())
        for at, symbol in enumerate(row):
            place = position(at, len(row))
            after: list[tuple[float, tuple | None]] = [(math.inf, None)] * (len(latin) + 1)
            for i, (cost, path) in enumerate(best):
                if path is None:
                    continue
                for spelling, own in self.cost[symbol, place].items():
                    end = i + len(spelling)
                    if latin.startswith(spelling, i) and cost + own < after[end][0]:
                        after[end] = (cost + own, (path, (symbol, place, spelling)))
            best = after
        cost, path = best[-1]
        steps = []
        while path:
            path, step = path
            steps.append(step)
        return cost, steps

    def learn(self, pairs: list[tuple[str, str, float]], rounds: int = 6) -> None:
        """Fits the costs to pairs of a word and its spelling, with weights."""
        rows = [(symbols(word), latin, weight) for word, latin, weight in pairs]
        for _ in range(rounds):
            counts: dict[tuple[str, int], dict[str, float]] = defaultdict(lambda: defaultdict(float))
            for row, latin, weight in rows:
                cost, steps = self._align(row, latin)
                if cost < math.inf:
                    for symbol, place, spelling in steps:
                        counts[symbol, place][spelling] += weight
            for (symbol, place), costs in self.cost.items():
                spellings = SPELLINGS[symbol]
                pooled = {s: sum(counts[symbol, p][s] for p in range(POSITIONS)) for s in spellings}
                total = sum(pooled.values())
                start = {s: 2.0 ** -i for i, s in enumerate(spellings)}
                start[""] = 1.0 if symbol in ("Ə", "ɘ", VIRAMA) else 0.05
                norm = sum(start.values())
                prior = {s: (pooled[s] + 2 * start[s] / norm) / (total + 2) for s in spellings}
                own = sum(counts[symbol, place].values())
                weights = {s: counts[symbol, place][s] + 4 * prior[s] for s in spellings}
                norm = sum(weights.values())
                self.cost[symbol, place] = {s: -math.log(w / norm) for s, w in weights.items()}
