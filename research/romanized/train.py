"""Trains the reading of romanized Hindi, and writes the tables of core/text/src/languages/hi_in/romanized.

    python research/romanized/train.py [--fold N]      (from the root of the repository; see README.md)

With --fold it writes nothing: every fifth labeled row, starting with N, is left out of the training and scored.
"""

from __future__ import annotations

import argparse
import math
import random
import re
from collections import Counter, defaultdict
from pathlib import Path

from context import MOST, WIDEST, Chooser
from english import grade, lexicon
from label import Field, Words, common_class, features
from lexicon import composed, folded, frequencies
from oov import Sounds
from spelling import Channel, key, keys_of, position, symbols
from tables import write
from tokens import Token, squeezed, tokenize

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DEV = ROOT / "tools/eval/data/everyday/dev"
DEVANAGARI = re.compile("[\u0900-\u0963]+")
ENGLISH = 0.8
"""The penalty against English words being Hindi: real texts vary more than the training texts."""
UNKNOWN = 3.0
"""The count of words known only by their spellings."""
HINDI_TEXTS = [
    ("tools/eval/data/everyday/dev/hi_d.tsv", 1), ("tools/eval/data/tn_own_hi.tsv", 1), ("core/text/tests/data/sentences_own_hi.tsv", 0),
    ("tools/eval/data/tn_everyday_hi.tsv", 1), ("research/voices/sentences_hi.tsv", 0),
]
ENGLISH_TEXTS = [
    *((f"tools/eval/data/everyday/dev/en_{part}.tsv", 1) for part in "abc"), ("tools/eval/data/tn_own_en.tsv", 1),
    *((f"research/heteronyms/data/sentences_{part}.tsv", 2) for part in ("a", "b", "more")),
]


def column(path: str, number: int) -> list[str]:
    rows = (line.split("\t") for line in (ROOT / path).read_text(encoding="utf-8").splitlines())
    return [row[number].replace("\\n", "\n") for row in rows if len(row) > number]


def choices(reading: str) -> list[str]:
    """The readings of one word: `{a|b}` or a single one."""
    return [one.replace("_", " ") for one in reading.strip(".,?!'\"").strip("{}").split("|")]


def romanised_rows() -> list[list[tuple[str, list[str]]]]:
    """Sentences as words with their readings."""
    rows = []
    for line in (DEV / "romanised.tsv").read_text(encoding="utf-8").splitlines():
        text, reading = line.split("\t")[:2]
        reading = re.sub(r"\{([^}]*)\}", lambda m: "{" + m[1].replace(" ", "_") + "}", reading)
        rows.append(list(zip(text.split(), map(choices, reading.split()))))
    return rows


def labelled_row(row: list[tuple[str, list[str]]]) -> list[Token]:
    text = " ".join(word for word, _ in row)
    starts, at = {}, 0
    for word, readings in row:
        starts.update(dict.fromkeys(range(at, at + len(word)), readings))
        at += len(word) + 1
    tokens = tokenize(text)
    for token in tokens:
        readings = starts[token.start]
        hindi = [bool(DEVANAGARI.search(one)) for one in readings]
        token.label = "H" if all(hindi) else "" if any(hindi) else "E"
        token.gold = tuple(one for one in readings if DEVANAGARI.search(one))
    return tokens


def traps(path: Path) -> list[list[Token]]:
    """Sentences with a label for each word."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        _, text, labels, *_ = line.split("\t")
        words = [word for word in re.finditer(r"\S+", text)]
        labels = labels.split()
        if len(words) != len(labels):
            words = [word for word in words if re.search(r"\w", word.group())]
        tokens = tokenize(text)
        for token in tokens:
            at = next(i for i, word in enumerate(words) if word.start() <= token.start < word.end())
            token.label = {"h": "H", "e": "E"}.get(labels[at], "")
        rows.append(tokens)
    return rows


def marked(path: Path) -> list[list[Token]]:
    """Sentences with `=` before each English word."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            tokens = tokenize(line.replace("=", ""))
            english = [word.startswith("=") for word in re.findall(r"=?[A-Za-z]+", line) if word.strip("=") not in ("A", "I")]
            assert len(english) == len(tokens), line
            for token, is_english in zip(tokens, english):
                token.label = "E" if is_english else "H"
            rows.append(tokens)
    return rows


class Model:
    """Everything learned before the labels and the context."""

    def __init__(self, rows, seed: int) -> None:
        self.random = random.Random(seed)
        words = [line.split("\t") for line in (DEV / "romanised_words.tsv").read_text(encoding="utf-8").splitlines()]
        counts = {word: float(count) for word, count in (l.split("\t") for l in (HERE / "data/words.tsv").read_text(encoding="utf-8").splitlines())}
        texts = [text for path, number in HINDI_TEXTS for text in column(path, number)]
        texts += [" ".join(readings[0] for _, readings in row) for row in rows]
        texts += [word for word, _ in words for _ in range(6)]
        names = self._names()
        self.counts = frequencies(counts, HERE / "data/lexemes.txt", texts, list(names.values()))
        self.total = sum(self.counts.values())
        pairs = [(word, latin.lower(), 1 / (1 + i)) for word, spellings in words for i, latin in enumerate(spellings.split())]
        self.known: dict[str, dict[str, float]] = defaultdict(dict)
        for word, spellings in words:
            for i, latin in enumerate(spellings.split()):
                self.known[latin.lower()][composed(word)] = 0.7 + 0.7 * i
        for row in rows:
            for written, readings in row:
                latin = squeezed(re.sub("[^a-z]", "", written.lower()))
                if DEVANAGARI.fullmatch(readings[0]) and latin:
                    pairs.append((readings[0], latin, 1.0))
                    self.known[latin].setdefault(composed(readings[0]), 1.4)
        for line in (HERE / "data/spellings.tsv").read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                latin, words_ = line.split("\t")
                for i, word in enumerate(words_.split()):
                    word, _, cost = word.partition(":")
                    self.known[latin][word] = float(cost) if cost else min(self.known[latin].get(word, 9), 0.7 + 1.2 * i)
        for line in (ROOT / "core/text/src/languages/hi_in/data/transliterations.tsv").read_text(encoding="utf-8").splitlines():
            if line.startswith("## ") and "India" not in line:
                break
            if not line.startswith("#") and "\t" in line:
                latin, word = line.split("\t")
                self.known[latin.lower()].setdefault(composed(word), 0.7)
        self.channel = Channel()
        self.channel.learn(pairs)
        self.pairs = pairs
        self.index = defaultdict(list)
        for word in self.counts:
            row = symbols(word)
            for skeleton in keys_of(row):
                self.index[skeleton].append((word, row))
        self.sounds = Sounds(self.counts)
        self.names = names
        self._cache: dict[str, list[tuple[float, str]]] = {}

    @staticmethod
    def _names() -> dict[str, str]:
        rows = map(str.split, (ROOT / "core/text/src/languages/data/names.tsv").read_text(encoding="utf-8").splitlines())
        return {row[0].lower(): composed(row[2]) for row in rows if len(row) == 3 and DEVANAGARI.fullmatch(row[2])}

    def prior(self, word: str) -> float:
        return -math.log(self.counts.get(word, UNKNOWN) / self.total)

    def candidates(self, latin: str) -> list[tuple[float, str]]:
        """The words that a spelling may stand for with their costs, the likeliest first."""
        if latin not in self._cache:
            known = dict(self.known.get(latin, {}))
            if latin in self.names:
                known.setdefault(self.names[latin], 0.7)
            out = []
            for word, row in self.index.get(key(latin), ()):
                cost = known.pop(word) if word in known else self.channel.score(row, latin)
                if cost < math.inf:
                    out.append((cost + self.prior(word), word))
            out += [(cost + self.prior(word), word) for word, cost in known.items()]
            self._cache[latin] = sorted(out)
        return self._cache[latin]

    def cost(self, latin: str) -> float:
        found = self.candidates(latin)
        return found[0][0] if found else math.inf

    def sample(self, row: list[str]) -> str:
        """A random spelling of a word, by the learned probabilities."""
        out = ""
        for at, symbol in enumerate(row):
            costs = self.channel.cost[symbol, position(at, len(row))]
            out += self.random.choices(list(costs), [math.exp(-cost) for cost in costs.values()])[0]
        return out

    def romanized(self, text: str) -> list[Token]:
        """A Devanagari text with its Hindi words spelled in Latin letters."""
        out, gold = "", {}
        for part in re.split("([\u0900-\u0963]+)", text.replace("।", ".")):
            row = symbols(part) if DEVANAGARI.fullmatch(part) else []
            if row:
                gold[len(out)] = part
            out += self.sample(row) if row else part
        tokens = tokenize(out)
        for token in tokens:
            token.label = "H" if token.start in gold else "E"
            token.gold = (gold[token.start],) if token.start in gold else ()
        return tokens

    def lattice(self, tokens: list[Token]) -> tuple[list[list[tuple[float, str]]], list[str]]:
        """The candidates of each word, and the right ones."""
        row, gold = [], []
        for token in tokens:
            if token.after_number:
                row.append([(0.0, "#")])
                gold.append("#")
            found = self.candidates(token.lower) if token.label == "H" else []
            if not found:
                row.append([(0.0, "E")])
                gold.append("E")
                continue
            found = [(cost - found[0][0], word) for cost, word in found[:MOST] if cost < found[0][0] + WIDEST]
            wanted = {folded(word.replace(" ", "")) for word in token.gold}
            right = [word for _, word in found if folded(word) in wanted]
            row.append(found)
            gold.append(right[0] if right else found[0][1])
        return row, gold


class Odds:
    """How much more Hindi than English the letters of a word are, by trigrams."""

    def __init__(self, hindi, english) -> None:
        (self.h3, self.h2), (self.e3, self.e2) = self._counts(hindi), self._counts(english)

    @staticmethod
    def _counts(words):
        three, two = Counter(), Counter()
        for word, weight in words:
            for gram in grams(word):
                three[gram] += weight
                two[gram[:2]] += weight
        return three, two

    def of(self, gram: str) -> float:
        hindi = (self.h3[gram] + 0.5) / (self.h2[gram[:2]] + 15)
        return math.log(hindi * (self.e2[gram[:2]] + 15) / (self.e3[gram] + 0.5))

    def word(self, word: str) -> float:
        return sum(map(self.of, grams(word)))


def grams(word: str) -> list[str]:
    word = f"^{word}$"
    return [word[i : i + 3] for i in range(len(word) - 2)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fold", type=int)
    fold = parser.parse_args().fold
    left_out = lambda i: fold is not None and i % 5 == fold  # noqa: E731
    rows = romanised_rows()
    model = Model([row for i, row in enumerate(rows) if not left_out(i)], seed=1)
    english = lexicon(ROOT / "core/text/src/languages/en_us/data/lexicon.bin")
    counts = dict(line.split("\t") for line in (HERE / "data/english.tsv").read_text(encoding="utf-8").splitlines())
    common = {word: common_class(int(count)) for word, count in counts.items()}
    common = {word: c for word, c in common.items() if c > 1 or c == 1 and model.cost(word) < 15}

    top = sorted(model.counts, key=lambda word: -model.counts[word])[:12000]
    hindi = [(latin, 1.0) for _, latin, _ in model.pairs]
    hindi += [(model.sample(symbols(word)), 0.3 + math.log(1 + model.counts[word]) / 3) for word in top]
    plain = [(word, 0.5 + math.log(1 + int(counts.get(word, 0))) / 3) for word, g in english.items() if g == 2 and word.isalpha()]
    odds = Odds(hindi, plain)
    words = Words(model.cost, lambda word: grade(word, english), lambda word: common.get(word, 0), odds.word, model.names)

    labelled = [labelled_row(row) for row in rows]
    trapped = traps(DEV / "romanised_traps.tsv")
    own = (HERE / "data/sentences.txt").read_text(encoding="utf-8").splitlines()
    texts = [text for path, number in HINDI_TEXTS for text in column(path, number) if DEVANAGARI.search(text)]
    synthetic = [model.romanized(text) for text in texts + own * 3]
    mixed = marked(HERE / "data/mixed.txt")
    englishes = []
    for text in dict.fromkeys(text for path, number in ENGLISH_TEXTS for text in column(path, number)):
        tokens = tokenize(text)
        for token in tokens:
            token.label = "E"
        englishes.append(tokens)

    seen = [tokens for source in (labelled, trapped) for i, tokens in enumerate(source) if not left_out(i)]
    repeats = Counter(token.lower for tokens in seen + mixed for token in tokens)
    spelled = Counter(token.lower for tokens in synthetic for token in tokens if token.label == "H")
    frequent = {word for word, n in repeats.items() if n >= 3} | {word for word, n in spelled.items() if n >= 12}

    def examples(sentences, weight):
        return [
            (features(tokens, words, frequent), [t.gap for t in tokens], [t.label for t in tokens], weight)
            for tokens in sentences if tokens
        ]

    data = examples([t for i, t in enumerate(labelled) if not left_out(i)], 1.0)
    data += examples([t for i, t in enumerate(trapped) if not left_out(i)], 1.5)
    data += examples(mixed, 1.5) + examples(synthetic, 0.5) + examples(englishes, 0.5)
    field = Field()
    field.learn(data, rounds=8, shuffle=model.random.shuffle)
    for cost in range(10):
        for class_ in range(4):
            field.weights[f"w{cost}.2.{class_}"] -= ENGLISH

    wordlist = Counter(word for text in own + texts for word in DEVANAGARI.findall(text))
    wordlist.update(word for i, row in enumerate(rows) if not left_out(i) for _, r in row for word in r[:1])
    chooser = Chooser({composed(word) for word, n in wordlist.items() if n >= 4 and DEVANAGARI.fullmatch(word)})
    data = [model.lattice(tokens) for i, tokens in enumerate(labelled) if not left_out(i) for _ in (0, 1)]
    data += [model.lattice(model.romanized(text)) for _ in range(3) for text in texts + own * 2]
    chooser.learn([pair for pair in data if pair[0]], rounds=6, shuffle=model.random.shuffle)

    if fold is None:
        anchors = {w for w, n in repeats.items() if n >= 3} & {t.lower for s in labelled for t in s if t.label == "H"}
        anchors |= {latin for latin, found in model.known.items() if any(model.counts.get(w, 0) > 150 for w in found)}
        anchors = {w for w in anchors if len(w) > 1 and grade(w, english) < 2 and words.kind(w) in "Hh"}
        write(ROOT / "core/text/src/languages/hi_in/data/romanized.bin", model, odds, field, chooser, common, anchors)
        return
    score(model, field, chooser, words, frequent, [t for i, t in enumerate(labelled) if left_out(i)], "rows")
    score(model, field, chooser, words, frequent, [t for i, t in enumerate(trapped) if left_out(i)], "traps")


def score(model, field, chooser, words, frequent, sentences, name) -> None:
    """Prints the numbers of words labeled and read right, and the wrong ones."""
    right = total = whole = 0
    for tokens in sentences:
        if not tokens:
            continue
        scores = field.limited(field.scores(features(tokens, words, frequent)), tokens, words)
        labels = field.best(scores, [token.gap for token in tokens])
        wanted = [(token.label, token.gold) for token in tokens]
        for token, label in zip(tokens, labels):
            token.label = label
        said = iter([place for place in zip(chooser.best(model.lattice(tokens)[0]), model.lattice(tokens)[0]) if place[1][0][1] != "#"])
        wrong = []
        for token, (label, gold) in zip(tokens, wanted):
            word, _ = next(said)
            if token.label == "H" and word == "E":
                word = model.sounds.best(model.channel, token.lower)
            good = not label or label == token.label
            good = good and (token.label != "H" or not gold or folded(word) in {folded(one.replace(" ", "")) for one in gold})
            right, total = right + good, total + 1
            if not good:
                wrong.append(f"{token.text}: {token.label} {word}, want {label} {'|'.join(gold)}")
        whole += not wrong
        if wrong:
            print("  ", " ".join(token.text for token in tokens), "   ", "; ".join(wrong))
    print(f"{name}: words {right}/{total} = {right / total:.4f}, rows {whole}/{len(sentences)} = {whole / len(sentences):.3f}")


if __name__ == "__main__":
    main()
