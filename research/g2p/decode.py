"""Turns label scores into the phonemes of a word, as the library does."""

import numpy as np

from . import ngrams
from .ngrams import Ngrams

VOWELS = set("AIOWYiuɑæɔəɛɜɪʊʌᵊᵻ")
# The share of the n-grams in a label's score, next to the network's.
SHARE = 0.2
# Labels tried per letter, their lowest log probability, and the number of readings kept.
TRIED = 4
LEAST = -7.0
BEAM = 8


class Decoder:
    def __init__(self, labels: list[str], table: Ngrams):
        self.labels = labels
        self.stressed = np.array(["ˈ" in label for label in labels])
        self.canonical = ngrams.canonical(labels)
        self.table = table

    def phonemes(self, word: str, scores: np.ndarray) -> str:
        """The best reading with one primary stress; if there is none, or no vowel, the likeliest labels."""
        free = self.text(scores.argmax(-1))
        if free and not VOWELS & set(free):
            return free
        found = self.search(word, scores.astype(np.float64))
        return self.text(found) if found else self.with_one_stress(scores)

    def search(self, word: str, scores: np.ndarray) -> tuple[int, ...] | None:
        logs = scores - scores.max(-1, keepdims=True)
        logs -= np.log(np.exp(logs).sum(-1, keepdims=True))
        beam = [(0.0, (ngrams.START,) * (ngrams.ORDER - 1), (), False)]
        for letter, row in zip(word, logs):
            best = np.argsort(-row, kind="stable")[:TRIED]
            tried = [int(label) for i, label in enumerate(best) if i == 0 or row[label] >= LEAST]
            grown = []
            for score, history, labels, stressed in beam:
                for label in tried:
                    if stressed and self.stressed[label]:
                        continue
                    last = ngrams.graphone(letter, self.canonical[label])
                    total = score + row[label] + SHARE * self.table.log(history, last)
                    grown.append((total, (*history[1:], last), (*labels, label), stressed or self.stressed[label]))
            beam = distinct(sorted(grown, key=lambda reading: -reading[0]))[:BEAM]
        ends = [(score + SHARE * self.table.log(history, ngrams.END), labels) for score, history, labels, s in beam if s]
        return max(ends, key=lambda end: end[0])[1] if ends else None

    def with_one_stress(self, scores: np.ndarray) -> str:
        plain = np.where(self.stressed, -np.inf, scores)
        marked = np.where(self.stressed, scores, -np.inf)
        place = (marked.max(-1) - plain.max(-1)).argmax()
        chosen = plain.argmax(-1)
        chosen[place] = marked[place].argmax()
        return self.text(chosen)

    def text(self, chosen) -> str:
        return "".join(self.labels[label] for label in chosen)


def distinct(readings: list) -> list:
    """The first of the readings with the same continuation."""
    found = {}
    for reading in readings:
        found.setdefault((reading[1], reading[3]), reading)
    return list(found.values())
