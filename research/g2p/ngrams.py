"""Probabilities of a chunk given the previous letters and chunks: pruned 4-grams of graphones.

A graphone is a letter with its chunk. Probabilities are estimated by absolute discounting, with a constant back-off
factor where a longer history is not in the table, as in Brants et al., "Large Language Models in Machine Translation"
(EMNLP 2007). The n-grams that differ most from their back-off are kept.
`core/text/src/languages/en_us/phonemize/oov/ngrams.rs` reads the table.
"""

import math
from collections import Counter, defaultdict

from .align import ALPHABET
from .lexicon import SILVER

ORDER = 4
DISCOUNT = 0.8
GOLD_COUNT = 2
KEPT = 180_000

START, END = 0, 1
BUCKETS = 25_000
BUCKET = 8
STEP = 0.5
LEVELS = 16
UNSEEN = -12.0
BACK_OFF = math.log(0.4)


def canonical(labels: list[str]) -> list[int]:
    """The first label with the same sounds."""
    return [labels.index(label) for label in labels]


def graphone(letter: str, label: int) -> int:
    return (1 + ALPHABET.index(letter)) << 8 | label


def hash_of(history: tuple[int, ...], last: int) -> int:
    """64-bit FNV-1a of the graphones, two bytes each."""
    found = 0xCBF29CE484222325
    for symbol in (*history, last):
        for byte in (symbol & 0xFF, symbol >> 8):
            found = (found ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    # The low bits alone hardly depend on the first graphones.
    return found ^ found >> 29


def place(history: tuple[int, ...], last: int) -> tuple[int, int]:
    """The bucket of an n-gram and its fingerprint of twelve bits, which is never 0."""
    found = hash_of(history, last)
    return found % BUCKETS, max(found >> 52, 1)


class Ngrams:
    """Buckets of fingerprints, each with a level of four bits: how many steps the log probability is below 0."""

    def __init__(self, buckets: list[dict[int, int]]):
        self.buckets = buckets

    @classmethod
    def of(cls, entries: list, alignments: list, labels: list[str]) -> "Ngrams":
        buckets: list[dict[int, int]] = [{} for _ in range(BUCKETS)]
        for history, last, log in kept(probabilities(entries, alignments, labels)):
            bucket, fingerprint = place(history, last)
            if len(buckets[bucket]) < BUCKET:
                buckets[bucket].setdefault(fingerprint, min(LEVELS - 1, round(-log / STEP)))
        return cls(buckets)

    def log(self, history: tuple[int, ...], last: int) -> float:
        penalty = 0.0
        for start in range(len(history) + 1):
            bucket, fingerprint = place(history[start:], last)
            level = self.buckets[bucket].get(fingerprint)
            if level is not None:
                return penalty - level * STEP
            penalty += BACK_OFF
        return penalty + UNSEEN

    def bytes(self) -> bytes:
        slots = []
        for bucket in self.buckets:
            row = [fingerprint << 4 | level for fingerprint, level in bucket.items()]
            slots += row + [0] * (BUCKET - len(row))
        return b"".join(slot.to_bytes(2, "little") for slot in slots)


def probabilities(entries: list, alignments: list, labels: list[str]) -> dict:
    """The weight (count times difference) and the log probability of each n-gram, by history and last graphone."""
    ids = {label: label_id for label_id, label in reversed(list(enumerate(labels)))}
    counts: list[dict] = [defaultdict(Counter) for _ in range(ORDER)]
    for entry, path in zip(entries, alignments):
        if path is None or len(path) != len(entry.letters) or any(chunk not in ids for chunk in path):
            continue
        count = 1 if entry.style == SILVER else GOLD_COUNT
        graphones = [graphone(letter, ids[chunk]) for letter, chunk in zip(entry.letters, path)]
        word = [START] * (ORDER - 1) + graphones + [END]
        for at in range(ORDER - 1, len(word)):
            for length in range(ORDER):
                counts[length][tuple(word[at - length : at])][word[at]] += count
    found: dict = {}
    for length, histories in enumerate(counts):
        for history, lasts in histories.items():
            total, kinds = lasts.total(), len(lasts)
            for last, count in lasts.items():
                lower = found[history[1:], last][1] if length else 1 / (len(histories[()]) + 2)
                chance = (count - DISCOUNT) / total + DISCOUNT * kinds / total * lower
                found[history, last] = count, chance
    return found


def kept(found: dict):
    """The n-grams worth storing, the best first: all single graphones, then the longer n-grams."""

    def worth(item):
        (history, last), (count, chance) = item
        if not history:
            return math.inf
        return count * abs(math.log(chance) - math.log(found[history[1:], last][1]) - BACK_OFF)

    for (history, last), (_, chance) in sorted(found.items(), key=worth, reverse=True)[:KEPT]:
        yield history, last, math.log(chance)
