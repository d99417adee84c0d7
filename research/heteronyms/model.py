"""The linear heteronym model: softmax over the readings of a word, trained with numpy alone."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

# The ridge strength by kind of group or feature; a feature's kind is its name before "=".
RIDGE = {"class": 0.12, "lemma": 0.25, "topic": 0.02}
LASSO = 0.04
# The initial scale of features: those of the whole sentence count less than those next to the word.
SCALE = {"k0": 0.5, "p": 0.5, "b": 0.6, "n": 0.6, "aa": 0.7, "cc": 0.7, "ac": 0.7, "a2": 0.7, "c2": 0.7}
STEPS = 250
# The margin that a reading needs if it is not its word's common one, and if the table calls it rare.
OTHER = 0.3
RARE = 1.0
# Capitals distinguish names from other words, which depends on the lemma.
OWN_SCALE = SCALE | {"k0": 2.0, "p": 1.0}
# Smaller weights are dropped.
SMALLEST = 0.25


@dataclass
class Reading:
    word: str
    lemma: str
    name: str
    group: str
    is_rare: bool
    phonemes: str

    @property
    def own(self) -> str:
        return f"{self.lemma}.{self.name}"


@dataclass
class Example:
    word: str
    reading: int
    features: list[str]
    text: str = ""


@dataclass
class Model:
    """The weights of the features in each group."""

    weights: dict[str, dict[str, float]] = field(default_factory=dict)

    def scores(self, readings: list[Reading], features: list[str]) -> list[float]:
        groups = [[self.weights.get(reading.group, {}), self.weights.get(reading.own, {})] for reading in readings]
        return [sum(group.get(f, 0.0) for group in pair for f in features) for pair in groups]

    def choose(self, readings: list[Reading], features: list[str]) -> int:
        scores = self.scores(readings, features)
        return max(range(len(scores)), key=lambda i: (scores[i], -i))


def read_table(path: Path) -> dict[str, list[Reading]]:
    table: dict[str, list[Reading]] = {}
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            word, lemma, name, group, use, phonemes = line.split("\t")
            table.setdefault(word, []).append(Reading(word, lemma, name, group, use == "rare", phonemes))
    return table


def read_topics(path: Path) -> dict[str, set[str]]:
    rows = (line.split("\t") for line in path.read_text().splitlines() if not line.startswith("#"))
    return {own: {stem(word) for word in words.split()} for own, words in rows}


def stem(word: str) -> str:
    """A word without its inflection, roughly; the same as in heteronyms.rs."""
    for ending in ("ing", "ed"):
        if word.endswith(ending):
            if len(word) - len(ending) > 2:
                return without_e(word[: -len(ending)])
            return without_e(word)
    for ending in ("es", "s"):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return without_e(rest if len(rest) > 2 and rest[-1] not in "sui" else word)
    return without_e(word)


def without_e(word: str) -> str:
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def pairs(table: dict[str, list[Reading]]) -> list[tuple[str, str]]:
    """The readings of the lemmas that have two, the common one first."""
    readings: dict[str, list[str]] = {}
    for word in table.values():
        for reading in word:
            own = readings.setdefault(reading.lemma, [])
            if reading.own not in own:
                own.append(reading.own)
    return [(own[0], own[1]) for own in readings.values() if len(own) == 2]


def kind(feature: str) -> str:
    return re.split("=", feature, maxsplit=1)[0]


def scale(group: str, feature: str) -> float:
    return (OWN_SCALE if "." in group else SCALE).get(kind(feature), 1.0)


def train(examples: list[Example], table: dict[str, list[Reading]], topics: dict[str, set[str]]) -> Model:
    """Minimizes the negative log likelihood with a ridge and a lasso, by accelerated proximal gradient steps."""
    # The first two parameters are the weights of topic words anywhere in the sentence (b) and near the word (n).
    index: dict[tuple[str, str], int] = {("", "b"): 0, ("", "n"): 1}
    columns: list[int] = []
    values: list[float] = []
    counts: list[int] = []
    starts: list[int] = []
    gold: list[int] = []
    for example in examples:
        readings = table[example.word]
        starts.append(len(counts))
        gold.append(len(counts) + example.reading)
        for reading in readings:
            before = len(columns)
            for group in (reading.group, reading.own):
                if group == "-":
                    continue
                for feature in example.features:
                    columns.append(index.setdefault((group, feature), len(index)))
                    values.append(scale(group, feature))
            words = topics.get(reading.own, set())
            for place in ("b", "n"):
                hits = sum(f.startswith(place + "=") and f[2:] in words for f in example.features)
                columns.append(index["", place])
                values.append(float(hits))
            counts.append(len(columns) - before)
    column = np.array(columns)
    value = np.array(values)
    row = np.repeat(np.arange(len(counts)), counts)
    row_starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    example_starts = np.array(starts)
    sizes = np.diff(np.concatenate([example_starts, [len(counts)]]))
    example_of_row = np.repeat(np.arange(len(examples)), sizes)
    is_gold = np.zeros(len(counts))
    is_gold[gold] = 1.0

    keys = list(index)
    is_topic = np.array([group == "" for group, _ in keys])
    is_own = np.array(["." in group for group, _ in keys])
    ridge = np.where(is_topic, RIDGE["topic"], np.where(is_own, RIDGE["lemma"], RIDGE["class"]))
    lasso = np.where(is_topic, 0.0, LASSO)

    def gradient(weights: np.ndarray) -> np.ndarray:
        scores = np.add.reduceat(value * weights[column], row_starts)
        scores -= np.maximum.reduceat(scores, example_starts)[example_of_row]
        odds = np.exp(scores)
        share = odds / np.add.reduceat(odds, example_starts)[example_of_row]
        return np.bincount(column, value * (share - is_gold)[row], len(keys)) + ridge * weights

    # The largest curvature, by power iteration on X'X / 2.
    vector = np.ones(len(keys)) / np.sqrt(len(keys))
    largest = 1.0
    for _ in range(15):
        product = np.add.reduceat(value * vector[column], row_starts)
        vector = np.bincount(column, value * product[row], len(keys))
        largest = float(np.linalg.norm(vector))
        vector /= largest
    step = 1.0 / (largest / 2 + ridge.max())

    weights = np.zeros(len(keys))
    ahead = weights
    momentum = 1.0
    for _ in range(STEPS):
        moved = ahead - step * gradient(ahead)
        shrunk = np.sign(moved) * np.maximum(np.abs(moved) - step * lasso, 0.0)
        following = (1 + np.sqrt(1 + 4 * momentum * momentum)) / 2
        ahead = shrunk + (momentum - 1) / following * (shrunk - weights)
        weights, momentum = shrunk, following

    model = Model()
    for (group, feature), weight in zip(keys, weights, strict=True):
        if group and weight:
            model.weights.setdefault(group, {})[feature] = weight * scale(group, feature)
    owns = {reading.own for readings in table.values() for reading in readings}
    for own, words in topics.items():
        if own in owns:
            group = model.weights.setdefault(own, {})
            for place, weight in (("b", weights[0]), ("n", weights[1])):
                for word in words:
                    group[f"{place}={word}"] = group.get(f"{place}={word}", 0.0) + weight
    others = {reading.own: reading for readings in table.values() for reading in readings[1:]}
    for own, reading in others.items():
        group = model.weights.setdefault(own, {})
        group["1"] = group.get("1", 0.0) - (RARE if reading.is_rare else OTHER)
    for first, second in pairs(table):
        # For two readings only the difference of their weights matters.
        group = model.weights.setdefault(second, {})
        for feature, weight in model.weights.pop(first, {}).items():
            group[feature] = group.get(feature, 0.0) - weight
    for group in model.weights.values():
        for feature in [feature for feature, weight in group.items() if abs(weight) < SMALLEST]:
            del group[feature]
    return model
