"""Aligns letters with phonemes: each letter produces a chunk of zero to three phonemes.

Expectation maximization over all alignments, after Jiampojamarn et al., "Applying Many-to-Many Alignments and Hidden
Markov Models to Letter-to-Phoneme Conversion" (NAACL 2007), with single letters on one side. A stress mark belongs to
the phoneme after it.
"""

import re

import numpy as np

ALPHABET = "'abcdefghijklmnopqrstuvwxyz"
LONGEST_CHUNK = 3
ROUNDS = 8
BATCH = 8192

SOUND = re.compile("[ˈˌ]?[^ˈˌ]")

# Likelihood alone prefers few long chunks; this limits chunks of two and three phonemes to letters that need them, such
# as the x of "axis" and the u of "music".
WEIGHT = np.array([0.3, 1.0, 0.01, 0.0001])


def sounds(phonemes: str) -> list[str]:
    return SOUND.findall(phonemes)


class Batch:
    """Words of similar length, as arrays."""

    def __init__(self, pairs: list[tuple[str, list[str]]], chunks: dict[str, int]):
        self.size = len(pairs)
        self.letters = max(len(word) for word, _ in pairs)
        self.sounds = max(len(parts) for _, parts in pairs)
        self.letter = np.zeros((self.size, self.letters), np.int32)
        self.lengths = np.array([[len(word), len(parts)] for word, parts in pairs])
        # chunk[word, start, length]; the last chunk id stands for positions outside the word.
        self.chunk = np.full((self.size, self.sounds + 1, LONGEST_CHUNK + 1), -1, np.int32)
        for row, (word, parts) in enumerate(pairs):
            self.letter[row, : len(word)] = [ALPHABET.index(c) for c in word]
            for start in range(len(parts) + 1):
                for length in range(min(LONGEST_CHUNK, len(parts) - start) + 1):
                    text = "".join(parts[start : start + length])
                    self.chunk[row, start, length] = chunks.setdefault(text, len(chunks))

    def probabilities(self, table: np.ndarray, at: int) -> np.ndarray:
        found = table[self.letter[:, at][:, None, None], self.chunk]
        return np.where(self.chunk < 0, 0.0, found)

    def expectations(self, table: np.ndarray, counts: np.ndarray) -> float:
        rows = np.arange(self.size)
        forward = np.zeros((self.letters + 1, self.size, self.sounds + 1))
        forward[0, :, 0] = 1
        steps = [self.probabilities(table, at) for at in range(self.letters)]
        for at, step in enumerate(steps):
            for length in range(LONGEST_CHUNK + 1):
                stop = self.sounds + 1 - length
                forward[at + 1, :, length:] += forward[at, :, :stop] * step[:, :stop, length]
        total = forward[self.lengths[:, 0], rows, self.lengths[:, 1]]
        usable = total > 0
        scale = np.where(usable, 1 / np.where(usable, total, 1), 0)
        backward = np.zeros((self.size, self.sounds + 1))
        for at in range(self.letters, 0, -1):
            ends = self.lengths[:, 0] == at
            backward[ends] = 0
            backward[ends, self.lengths[ends, 1]] = scale[ends]
            step = steps[at - 1]
            before = np.zeros_like(backward)
            for length in range(LONGEST_CHUNK + 1):
                stop = self.sounds + 1 - length
                through = step[:, :stop, length] * backward[:, length:]
                before[:, :stop] += through
                weight = forward[at - 1, :, :stop] * through
                used = weight > 0
                letters = np.broadcast_to(self.letter[:, at - 1][:, None], used.shape)
                np.add.at(counts, (letters[used], self.chunk[:, :stop, length][used]), weight[used])
            backward = before
        return float(np.log(total[usable]).sum())

    def best(self, table: np.ndarray) -> list[list[int] | None]:
        """The chunk ids of the most likely alignment of each word."""
        with np.errstate(divide="ignore"):
            logs = np.log(table)
        score = np.full((self.size, self.sounds + 1), -np.inf)
        score[:, 0] = 0
        choices = np.zeros((self.letters, self.size, self.sounds + 1), np.int8)
        ends = np.zeros(self.size)
        for at in range(self.letters):
            found = logs[self.letter[:, at][:, None, None], self.chunk]
            step = np.where(self.chunk < 0, -np.inf, found)
            options = np.full((LONGEST_CHUNK + 1, self.size, self.sounds + 1), -np.inf)
            for length in range(LONGEST_CHUNK + 1):
                stop = self.sounds + 1 - length
                options[length, :, length:] = score[:, :stop] + step[:, :stop, length]
            choices[at] = options.argmax(0)
            score = options.max(0)
            done = self.lengths[:, 0] == at + 1
            ends[done] = score[done, self.lengths[done, 1]]
        return [self.trace(choices, row) if np.isfinite(ends[row]) else None for row in range(self.size)]

    def trace(self, choices: np.ndarray, row: int) -> list[int]:
        place, path = self.lengths[row, 1], []
        for at in range(self.lengths[row, 0] - 1, -1, -1):
            length = choices[at, row, place]
            place -= length
            path.append(int(self.chunk[row, place, length]))
        return path[::-1]


def align(words: list[tuple[str, str]]) -> list[list[str] | None]:
    """For each word and its phonemes the chunk of each letter, or `None` if no alignment exists."""
    order = sorted(range(len(words)), key=lambda i: len(words[i][0]))
    chunks: dict[str, int] = {"": 0}
    batches = []
    for start in range(0, len(order), BATCH):
        pairs = [(words[i][0], sounds(words[i][1])) for i in order[start : start + BATCH]]
        batches.append(Batch(pairs, chunks))
    names = list(chunks)
    weight = WEIGHT[[len(sounds(name)) for name in names]]
    table = np.tile(weight, (len(ALPHABET), 1))
    for round_ in range(ROUNDS):
        counts = np.zeros_like(table)
        likelihood = sum(batch.expectations(table, counts) for batch in batches)
        table = counts / np.maximum(counts.sum(1, keepdims=True), 1e-9) * weight
        print(f"alignment round {round_ + 1}: {likelihood / len(words):.3f} nats a word", flush=True)
    result: list[list[str] | None] = [None] * len(words)
    found = (path for batch in batches for path in batch.best(table))
    for i, path in zip(order, found):
        result[i] = path and [names[chunk] for chunk in path]
    return result
