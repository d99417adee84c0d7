"""The language of each word: a linear-chain conditional random field with two labels, Hindi and English."""

from __future__ import annotations

import math
from collections import defaultdict

LABELS = "HE"


def cost_class(cost: float) -> int:
    """How well a word is spelled as a Hindi one, in classes of 2; 9 for not at all."""
    return 9 if cost == math.inf else max(0, min(8, int((cost - 5) / 2)))


def common_class(count: int) -> int:
    return 3 if count > 2000 else 2 if count > 200 else 1 if count > 20 else 0


class Words:
    """The context-free properties of words."""

    def __init__(self, cost, grade, common, odds, names) -> None:
        self.cost, self.grade, self.common, self.odds, self.names = cost, grade, common, odds, names
        self._cache: dict[str, tuple] = {}

    def facts(self, word: str) -> tuple[int, int, int, int]:
        if word not in self._cache:
            odds = max(-4, min(4, round(self.odds(word) / 1.5)))
            self._cache[word] = (cost_class(self.cost(word)), self.grade(word), self.common(word), odds)
        return self._cache[word]

    def kind(self, word: str) -> str:
        """A coarse class for the neighbors: Hindi only, English only, both, or neither."""
        cost, grade, common, _ = self.facts(word)
        if word in self.names and grade < 2:
            return "n"
        hindi = cost <= 4
        if hindi and grade < 2:
            return "H" if cost <= 2 else "h"
        if hindi:
            return "B" if common else "b"
        return ("E" if common >= 2 else "e") if grade == 2 else "u" if grade == 0 else "s"


def features(tokens, words: Words, frequent: set[str]) -> list[list[str]]:
    """The features of each token."""
    kinds = [words.kind(token.lower) for token in tokens]
    strong = sum(kind == "H" for kind in kinds)
    english = sum(kind == "E" for kind in kinds)
    sentence = f"{min(strong, 4)}/{min(english, 4)}"
    capitals = sum(token.text.isupper() for token in tokens) * 2 > len(tokens)
    out = []
    for at, token in enumerate(tokens):
        cost, grade, common, odds = words.facts(token.lower)
        length = min(len(token.text), 5) // 2
        row = ["1", f"w{cost}.{grade}.{common}", f"l{cost}.{min(grade, 1)}.{length}", f"o{odds}.{grade}", "s" + sentence]
        row.append(f"sw{kinds[at]}.{sentence}")
        if token.text.isupper() and not capitals and len(token.text) > 1:
            row.append("AA")
        elif token.text[0].isupper() and not capitals and token.gap < 2:
            row += ["Aa", f"Aa{kinds[at]}"]
        near = []
        for step in (-2, -1, 1, 2):
            there = at + step
            inside = 0 <= there < len(tokens)
            lo, hi = min(at, there), max(at, there)
            cut = inside and any(tokens[i].gap == 2 for i in range(lo + 1, hi + 1))
            near.append((kinds[there] + ("|" if cut else "")) if inside else "^")
        row += [f"{step}{kind}" for step, kind in zip("a-+b", near)]
        row += [f"{step}{kind}{kinds[at]}" for step, kind in zip("a-+b", near)]
        row.append(f"-+{near[1]}{kinds[at]}{near[2]}")
        if token.lower in frequent:
            word = token.lower
            row += [f"i{word}", f"i-{word}.{near[1]}", f"i+{word}.{near[2]}"]
            for step, name in ((-1, "<"), (1, ">")):
                if 0 <= at + step < len(tokens):
                    row.append(f"{name}{word}.{tokens[at + step].lower}")
        for step, name in ((-1, "p"), (1, "n")):
            if 0 <= at + step < len(tokens) and tokens[at + step].lower in frequent:
                row.append(f"{name}{tokens[at + step].lower}.{kinds[at]}")
        out.append(row)
    return out


class Field:
    """The weights: of features for Hindi against English, and of two adjacent labels."""

    def __init__(self) -> None:
        self.weights: dict[str, float] = defaultdict(float)
        self.links: dict[tuple[int, str], float] = defaultdict(float)

    def scores(self, rows: list[list[str]]) -> list[float]:
        return [sum(self.weights.get(f, 0.0) for f in row) for row in rows]

    def link(self, gap: int, a: int, b: int) -> float:
        return self.links[gap, LABELS[a] + LABELS[b]]

    def chances(self, scores: list[float], gaps: list[int], allowed: list[str]):
        """The log of the sum over all allowed paths, the probability of Hindi at each token, and that of each label
        pair."""
        n = len(scores)
        ok = [[label in (allowed[i] or LABELS) for label in LABELS] for i in range(n)]
        emit = [[scores[i] if ok[i][0] else -math.inf, 0.0 if ok[i][1] else -math.inf] for i in range(n)]
        forward, backward = [emit[0]], [[0.0, 0.0]]
        for i in range(1, n):
            forward.append([emit[i][b] + _sum(forward[-1][a] + self.link(gaps[i], a, b) for a in (0, 1)) for b in (0, 1)])
        for i in range(n - 1, 0, -1):
            backward.append([_sum(self.link(gaps[i], a, b) + emit[i][b] + backward[-1][b] for b in (0, 1)) for a in (0, 1)])
        backward.reverse()
        total = _sum(forward[-1])
        single = [math.exp(forward[i][0] + backward[i][0] - total) for i in range(n)]
        pairs = []
        for i in range(1, n):
            pairs.append({(a, b): math.exp(forward[i - 1][a] + self.link(gaps[i], a, b) + emit[i][b] + backward[i][b] - total) for a in (0, 1) for b in (0, 1)})
        return total, single, pairs

    @staticmethod
    def limited(scores: list[float], tokens, words: Words) -> list[float]:
        """The scores, with no chance of Hindi for English words that are not spelled like Hindi ones."""
        facts = [words.facts(token.lower) for token in tokens]
        return [-99.0 if cost >= 7 and grade == 2 else score for score, (cost, grade, *_) in zip(scores, facts)]

    def best(self, scores: list[float], gaps: list[int]) -> str:
        costs, paths = [scores[0], 0.0], ["H", "E"]
        for i in range(1, len(scores)):
            steps = [max((costs[a] + self.link(gaps[i], a, b), a) for a in (0, 1)) for b in (0, 1)]
            paths = [paths[steps[b][1]] + LABELS[b] for b in (0, 1)]
            costs = [steps[0][0] + scores[i], steps[1][0]]
        return paths[0] if costs[0] > costs[1] else paths[1]

    def learn(self, sentences, rounds: int = 12, rate: float = 0.3, l2: float = 1e-5, shuffle=None) -> None:
        """Maximizes the likelihood of the labels by stochastic gradient ascent (Adagrad)."""
        squares: dict = defaultdict(lambda: 1.0)

        def move(table, name, gradient):
            gradient -= l2 * table[name]
            squares[name] += gradient * gradient
            table[name] += rate * gradient / math.sqrt(squares[name])

        for _ in range(rounds):
            shuffle(sentences)
            for rows, gaps, labels, weight in sentences:
                scores = self.scores(rows)
                _, free, free_pairs = self.chances(scores, gaps, [""] * len(rows))
                _, held, held_pairs = self.chances(scores, gaps, labels)
                for row, a, b in zip(rows, held, free):
                    if abs(a - b) > 1e-3:
                        for name in row:
                            move(self.weights, name, weight * (a - b))
                for i, (a, b) in enumerate(zip(held_pairs, free_pairs)):
                    for pair in a:
                        if abs(a[pair] - b[pair]) > 1e-3:
                            move(self.links, (gaps[i + 1], LABELS[pair[0]] + LABELS[pair[1]]), weight * (a[pair] - b[pair]))


def _sum(values) -> float:
    values = list(values)
    most = max(values)
    return most if most == -math.inf else most + math.log(sum(math.exp(v - most) for v in values))
