"""Trains the weights of the choice between readings (core/text/src/normalize/choice).

    python train.py SPEECH_EVAL ROWS... [--labelled TABLES...] --out DIR [--language L] [--l2 X] [--folds K]

ROWS are tables of texts with their acceptable readings (see README.md). Every ambiguous place is read in each of its
ways; a reading is right if the whole text is then right. For each language, a log-linear model of a place's readings is
fitted to the right ones, and to sentences with a labeled place (numpy, gradient descent with L2), and written to
DIR/<language>/data/choice.tsv.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rows import Labelled, Row, bears, is_right, read_labelled, read_rows

PACKS = {"en-US": "en_us", "hi-IN": "hi_in"}
"""The folder names of the languages."""

LATER = 0.2
"""The weight of further right readings relative to the first: if several are right, the recognizers' order should
win."""

MOST_PLACES = 6
"""The most places of a text that are tried."""


class FrontEnd:
    """A `speech-eval choices` process, queried line by line."""

    def __init__(self, program: str) -> None:
        self._process = subprocess.Popen([program, "choices"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def read(self, row: Row, forced: dict[int, int]) -> dict:
        return self.ask(row.text, row.language, forced)

    def ask(self, text: str, language: str, forced: dict[int, int]) -> dict:
        request = {"text": text, "language": language, "forced": sorted(forced.items())}
        self._process.stdin.write(json.dumps(request, ensure_ascii=False) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


@dataclass(frozen=True)
class Place:
    """A place of a text: the features of its readings, and which of them are right."""

    row: int
    language: str
    readings: tuple[tuple[str, tuple[str, ...]], ...]
    right: tuple[bool, ...]
    taken: int


def places(front_end: FrontEnd, rows: list[Row]) -> tuple[list[Place], dict[str, int]]:
    """The informative places, and the numbers of rows that are right now, can be made right, and cannot."""
    found, counts = [], defaultdict(int)
    for number, row in enumerate(rows):
        answer = front_end.read(row, {})
        now = is_right(row, answer["said"])
        counts["rows"] += 1
        counts["right"] += now
        base: dict[int, int] = {}
        if not now:
            base = _repair(front_end, row, answer) or {}
            counts["could be right"] += bool(base)
            if not base:
                continue
            answer = front_end.read(row, base)
        for place in answer["places"][:MOST_PLACES]:
            start = place["start"]
            right = []
            for candidate in range(len(place["readings"])):
                if candidate == place["taken"]:
                    right.append(True)
                    continue
                other = front_end.read(row, {**base, start: candidate})
                right.append(is_right(row, other["said"]))
            if not all(right):
                readings = tuple((r["kind"], tuple(r["features"])) for r in place["readings"])
                default = 0
                found.append(Place(number, row.language, readings, tuple(right), default))
    return found, dict(counts)


def labelled_places(front_end: FrontEnd, labelled: list[Labelled]) -> tuple[list[Place], dict[str, int]]:
    """The labeled places with both a right and a wrong reading, and counts: right now, and with a right reading."""
    found, counts = [], defaultdict(int)
    for number, sentence in enumerate(labelled):
        answer = front_end.ask(sentence.text, sentence.language, {})
        place = next((place for place in answer["places"] if place["start"] == sentence.start), None)
        counts["labelled"] += 1
        if place is None:
            counts["one reading"] += 1
            continue
        right = tuple(bears(sentence.label, r["kind"], r["features"]) for r in place["readings"])
        counts["right"] += right[place["taken"]]
        counts["has a right one"] += any(right)
        if any(right) and not all(right):
            readings = tuple((r["kind"], tuple(r["features"])) for r in place["readings"])
            found.append(Place(-1 - number, sentence.language, readings, right, 0))
    return found, dict(counts)


def _repair(front_end: FrontEnd, row: Row, answer: dict) -> dict[int, int] | None:
    """Readings, at one or two places, that make a text right."""
    options = [(p["start"], c) for p in answer["places"][:MOST_PLACES] for c in range(len(p["readings"])) if c != p["taken"]]
    for option in options:
        if is_right(row, front_end.read(row, dict([option]))["said"]):
            return dict([option])
    for i, one in enumerate(options):
        # A choice may change which other places are ambiguous.
        first = front_end.read(row, dict([one]))
        more = [(p["start"], c) for p in first["places"] for c in range(len(p["readings"])) if c != p["taken"] and p["start"] != one[0]]
        for other in (more if i < 40 else []):
            both = dict([one, other])
            if is_right(row, front_end.read(row, both)["said"]):
                return both
    return None


def fit(training: list[Place], l2: float, least: int, steps: int = 400) -> dict[tuple[str, str], float]:
    """The weights by kind and feature, for features that occur in at least `least` places."""
    seen: dict[tuple[str, str], set[int]] = defaultdict(set)
    for place in training:
        for kind, features in place.readings:
            for feature in features:
                seen[kind, feature].add(place.row)
    index = {key: i for i, key in enumerate(sorted(k for k, rows in seen.items() if len(rows) >= least or k[1] in ("bias", "first")))}
    rows, columns, groups, right = [], [], [], []
    for number, place in enumerate(training):
        first = place.right.index(True)
        for at, ((kind, features), good) in enumerate(zip(place.readings, place.right)):
            known = [index[kind, f] for f in features if (kind, f) in index]
            rows.extend([len(groups)] * len(known))
            columns.extend(known)
            groups.append(number)
            right.append(good * (1.0 if at == first else LATER))
    rows, columns, groups = map(np.asarray, (rows, columns, groups))
    right = np.asarray(right, float)
    # The order of the recognizers is a good guess, so its prior mean is not zero.
    prior = np.array([2.0 if key[1] == "first" else 0.0 for key in index])
    weights = prior.copy()
    moment, velocity = np.zeros_like(weights), np.zeros_like(weights)
    count = int(groups.max()) + 1

    def normalized(scores: np.ndarray) -> np.ndarray:
        top = np.full(count, -np.inf)
        np.maximum.at(top, groups, scores)
        e = np.exp(scores - top[groups])
        return e / np.bincount(groups, e, count)[groups]

    for step in range(1, steps + 1):
        scores = np.bincount(rows, weights[columns], len(groups))
        p = normalized(scores)
        mass = np.bincount(groups, p * right, count)[groups]
        wanted = p * right / np.maximum(mass, 1e-12)
        gradient = np.bincount(columns, (p - wanted)[rows], len(weights)) + l2 * (weights - prior)
        moment = 0.9 * moment + 0.1 * gradient
        velocity = 0.999 * velocity + 0.001 * gradient**2
        weights -= 0.1 * (moment / (1 - 0.9**step)) / (np.sqrt(velocity / (1 - 0.999**step)) + 1e-8)
    return {key: float(weights[i]) for key, i in index.items()}


def accuracy(weights: dict[tuple[str, str], float], test: list[Place]) -> tuple[int, int]:
    """The number of places whose best reading is right: with these weights, and by the order alone."""
    good = before = 0
    for place in test:
        scores = [sum(weights.get((kind, f), 0.0) for f in features) for kind, features in place.readings]
        good += place.right[int(np.argmax(scores))]
        before += place.right[place.taken]
    return good, before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="speech-eval")
    parser.add_argument("tables", nargs="+", type=Path)
    parser.add_argument("--labelled", nargs="*", type=Path, default=[], help="tables of sentences with a labeled place")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--language", choices=PACKS, nargs="*", default=list(PACKS), help="the languages to train")
    parser.add_argument("--l2", type=float, default=1.0)
    parser.add_argument("--least", type=int, default=2, help="the minimum number of rows of a feature")
    parser.add_argument("--folds", type=int, default=5)
    options = parser.parse_args()
    rows = [row for table in options.tables for row in read_rows(table)]
    front_end = FrontEnd(options.program)
    found, counts = places(front_end, rows)
    print(counts)
    marked = [sentence for table in options.labelled for sentence in read_labelled(table)]
    more, counts = labelled_places(front_end, marked)
    print(counts)
    found += more
    for language in options.language:
        own = [place for place in found if place.language == language]
        good = before = 0
        for fold in range(options.folds):
            training = [place for place in own if place.row % options.folds != fold]
            test = [place for place in own if place.row % options.folds == fold]
            if training and test:
                a, b = accuracy(fit(training, options.l2, options.least), test)
                good, before = good + a, before + b
        print(f"{language}: {len(own)} places; {good} right with folds left out, {before} by the order alone")
        if options.out and own:
            # Without enough rows the order of the recognizers is the better guide.
            weights = fit(own, options.l2, options.least) if good > before else {}
            lines = ["# Kind, feature, weight: learned by research/choice/train.py, not written by hand."]
            lines += [f"{k}\t{f}\t{w:.2f}" for (k, f), w in sorted(weights.items()) if abs(w) >= 0.05]
            (options.out / PACKS[language] / "data" / "choice.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
