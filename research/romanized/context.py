"""Chooses between the words that a spelling may stand for: a linear model of word pairs, and of words and sentence."""

from __future__ import annotations

from collections import defaultdict

SIGNS = "ािीुूेैोौंँआइईउऊएऐओऔ"
MOST = 5
WIDEST = 8.0
"""Candidates that cost more than the best one by this are dropped."""

MARGIN = 1.0
"""The margin by which a right word must win, in training."""

CUES = ("कृपया", "आप", "हम", "लोग", "अगर", "सभी", "मैं", "तू", "तुम", "हूँ")


def ending(word: str) -> str:
    """The last vowel sign of a word with a nasal after it, or `-`."""
    word = word.replace("ँ", "ं")
    if word.endswith("ं"):
        return word[-2:] if len(word) > 1 and word[-2] in SIGNS else "ं"
    return word[-1] if word[-1] in SIGNS else "-"


def pair_features(before: str, word: str, frequent: set[str]) -> list[str]:
    """The features of two adjacent words; `^` and `$` are the ends of a sentence, `E` an English word, `#` a number."""
    a, b = before if before in frequent else "", word if word in frequent else ""
    ea, eb = ending(before), ending(word)
    out = [f"{ea}_{eb}"]
    if a:
        out.append(f"{a}_{eb}.")
    if b:
        out.append(f".{ea}_{b}")
    if a and b:
        out.append(f"{a}_{b}")
    return out


def own_features(word: str, cues: list[str], frequent: set[str]) -> list[str]:
    shown = word if word in frequent else "." + ending(word)
    return [f"{cue}~{shown}" for cue in cues] + ([f"={word}"] if word in frequent else [])


class Chooser:
    def __init__(self, frequent: set[str]) -> None:
        self.weights: dict[str, float] = defaultdict(float)
        self.frequent = frequent | {"^", "$", "E", "#"}

    def _sum(self, features: list[str]) -> float:
        return sum(self.weights.get(f, 0.0) for f in features)

    def best(self, row: list[list[tuple[float, str]]]) -> list[str]:
        """The likeliest words; a place has candidates with their costs, or a single given one without cost."""
        row = [*row, [(0.0, "$")]]
        cues = self.cues(row)
        costs: list[tuple[float, list[str]]] = [(0.0, ["^"])]
        for place in row:
            after = []
            for cost, word in place:
                own = self._sum(own_features(word, cues, self.frequent)) - cost
                score, path = max(((s + self._sum(pair_features(p[-1], word, self.frequent)), p) for s, p in costs), key=lambda x: x[0])
                after.append((score + own, [*path, word]))
            costs = after
        return max(costs, key=lambda x: x[0])[1][1:-1]

    def cues(self, row) -> list[str]:
        firsts = {place[0][1] for place in row if place}
        return [cue for cue in CUES if cue in firsts]

    def learn(self, sentences, rounds: int = 8, shuffle=None) -> None:
        """Averaged structured perceptron with a margin; a sentence is its rows of candidates and the right words."""
        totals: dict[str, float] = defaultdict(float)
        step = 1
        for _ in range(rounds):
            shuffle(sentences)
            for row, gold in sentences:
                got = self.best([[(cost - MARGIN * (word != right), word) for cost, word in place] for place, right in zip(row, gold)])
                if got != gold:
                    for words, sign in ((gold, 1.0), (got, -1.0)):
                        cues = self.cues(row)
                        names = [f for a, b in zip(["^", *words], [*words, "$"]) for f in pair_features(a, b, self.frequent)]
                        names += [f for w in words for f in own_features(w, cues, self.frequent)]
                        for name in names:
                            self.weights[name] += sign * 0.5
                            totals[name] += sign * 0.5 * step
                step += 1
        for name in self.weights:
            self.weights[name] -= totals[name] / step
