"""Trains and scores the heteronym model of American English."""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter, defaultdict
from pathlib import Path

from .data_sets import TABLE, TOPICS, WEIGHTS, examples, fold, read_rows, reading_of
from .model import Example, Model, Reading, read_table, read_topics, train

SENTENCES = [f"sentences_{name}.tsv" for name in ("a", "b", "c", "more", "pairs")]
HELD_OUT = [f"heldout_{name}.tsv" for name in ("a", "b", "c", "pairs")]
FOLDS = 5
HEADER = """\
# The weights of the heteronym chooser, in hundredths; made by research/heteronyms. A line for each group: a class of
# readings, or a lemma and its reading; a tab; the features, each with its weight after a colon.
"""


def write(model: Model, path: Path) -> None:
    lines = [HEADER]
    for group, weights in sorted(model.weights.items()):
        pairs = [f"{feature}:{round(100 * weight)}" for feature, weight in sorted(weights.items())]
        if pairs:
            lines.append(f"{group}\t{' '.join(pairs)}\n")
    path.write_text("".join(lines))


def cross_validate(found: list[Example], table: dict[str, list[Reading]], topics: dict[str, set[str]]) -> None:
    right = common = 0
    for part in range(FOLDS):
        model = train([e for e in found if fold(e.text, FOLDS) != part], table, topics)
        for example in found:
            if fold(example.text, FOLDS) == part:
                readings = table[example.word]
                chosen = readings[model.choose(readings, example.features)]
                right += chosen.phonemes == readings[example.reading].phonemes
                common += example.reading == 0
    total = len(found)
    print(f"cross-validation: {right}/{total} = {right / total:.3f}; always the common reading: {common / total:.3f}")


def score(speech: Path, names: list[str], by_word: bool) -> None:
    """Scores a build of the command-line program on rows, next to the majority reading in the training rows."""
    table = read_table(TABLE)
    rows = read_rows(names)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for word, name, _, _ in read_rows(SENTENCES[:2]):
        counts[word][name] += 1
    command = [str(speech), "inspect", "--lines"]
    text = "".join(row[2] + "\n" for row in rows)
    run = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    common = majority = 0
    for row, line in zip(rows, run.stdout.splitlines(), strict=True):
        gold = reading_of(row, table)
        if gold is None:
            continue
        word, name, _, nth = row
        readings = table[word]
        said = sounds(json.loads(line), word, int(nth))
        near = min(readings, key=lambda reading: (distance(said, reading.phonemes), readings.index(reading)))
        right[word] += near.phonemes == readings[gold].phonemes
        total[word] += 1
        common += gold == 0
        majority += bool(counts[word]) and counts[word].most_common(1)[0][0] == name
    rows_count = total.total()
    print(f"{rows_count} rows of {len(total)} words: right {right.total() / rows_count:.4f} ({right.total()}), "
          f"the common reading {common / rows_count:.4f}, the majority in training {majority / rows_count:.4f}")
    if by_word:
        print(" ".join(f"{word}:{right[word]}/{total[word]}" for word in sorted(total) if right[word] < total[word]))


def sounds(inspected: dict, word: str, nth: int) -> str:
    """The phonemes of a word of a text; for part of a hyphenated word, those of the whole."""
    words = [w for sentence in inspected["sentences"] for w in sentence["words"]]
    for found in words:
        parts = found["normalized"].lower().replace("'s", "").split("-")
        nth -= parts.count(word)
        if nth < 1:
            return found["phonemes"]
    return ""


def distance(said: str, reading: str) -> int:
    """The smallest number of edits from a reading to a part of the phonemes."""
    row = [0] * (len(said) + 1)
    for i, symbol in enumerate(reading):
        before, row = row, [i + 1]
        for j, other in enumerate(said):
            row.append(min(before[j + 1] + 1, row[j] + 1, before[j] + (symbol != other)))
    if abs(len(said) - len(reading)) <= 3:
        return row[-1] if row else len(reading)
    return min(row)


def main() -> None:
    parser = argparse.ArgumentParser(prog="heteronyms", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("train", help="write the weights")
    commands.add_parser("validate", help="cross-validate on the training sentences")
    scored = commands.add_parser("score", help="score a program on the held-out sentences")
    scored.add_argument("speech", type=Path)
    scored.add_argument("--words", action="store_true", help="list the words with errors")
    arguments = parser.parse_args()
    if arguments.command == "score":
        score(arguments.speech, HELD_OUT, arguments.words)
        return
    table, topics = read_table(TABLE), read_topics(TOPICS)
    found = examples(SENTENCES, table)
    if arguments.command == "validate":
        cross_validate(found, table, topics)
    else:
        write(train(found, table, topics), WEIGHTS)


if __name__ == "__main__":
    main()
