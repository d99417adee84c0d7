"""Words outside every list: the likeliest symbols for the letters, by the channel and a bigram model of symbols."""

from __future__ import annotations

import math
from collections import Counter

from spelling import SYMBOLS, VIRAMA, VOWELS, position, symbols

BEAM = 24
ENDS = "#"


class Sounds:
    """A bigram model of the symbols of words."""

    def __init__(self, counts: dict[str, float]) -> None:
        pairs: Counter[tuple[str, str]] = Counter()
        for word, count in counts.items():
            row = [ENDS, *symbols(word), ENDS]
            for pair in zip(row, row[1:]):
                pairs[pair] += 1 + math.log1p(count)
        firsts: Counter[str] = Counter()
        for (a, _), n in pairs.items():
            firsts[a] += n
        self.cost = {
            (a, b): min(15.9, -math.log((pairs[a, b] + 0.002) / (firsts[a] + 1)))
            for a in (*SYMBOLS, ENDS) for b in (*SYMBOLS, ENDS)
        }

    def best(self, channel, latin: str) -> str:
        """The likeliest word for a spelling."""
        beams: list[dict[tuple[str, ...], float]] = [{} for _ in range(len(latin) + 1)]
        beams[0][()] = 0.0
        done: list[tuple[float, tuple[str, ...]]] = []
        for at in range(len(latin) + 1):
            for _ in range(3):
                states = sorted(beams[at].items(), key=lambda x: x[1])[:BEAM]
                grown = False
                for row, cost in states:
                    if row and row[0] == "*":
                        continue
                    for symbol in SYMBOLS:
                        step = self.cost[row[-1] if row else ENDS, symbol]
                        if step > 9:
                            continue
                        for spelling, own in channel.cost[symbol, 0 if not row else 1].items():
                            if not spelling and symbol not in ("ɘ", "Ə", VIRAMA):
                                continue
                            end = at + len(spelling)
                            if not latin.startswith(spelling, at):
                                continue
                            total = cost + step + own
                            longer = (*row, symbol)
                            if total < beams[end].get(longer, math.inf):
                                beams[end][longer] = total
                                grown |= end == at
                if not grown:
                    break
        for row, cost in beams[-1].items():
            done.append((cost + self.cost[row[-1], ENDS] if row else math.inf, row))
        return written(min(done)[1]) if done else ""


def written(row: tuple[str, ...]) -> str:
    """Symbols as Devanagari."""
    from spelling import SIGNS, _CONSONANTS

    signs = {vowel: sign for sign, vowel in SIGNS.items()}
    out = ""
    for at, symbol in enumerate(row):
        if symbol in ("ə", "ɘ", "Ə"):
            continue
        after_consonant = at > 0 and row[at - 1] in _CONSONANTS
        if symbol in signs and after_consonant:
            out += signs[symbol]
        else:
            out += {"N": "ं"}.get(symbol, symbol)
    return out
