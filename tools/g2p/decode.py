"""From the scores of the labels to the phonemes of a word, as the library does it."""

import numpy as np

VOWELS = set("AIOWYiuɑæɔəɛɜɪʊʌᵊᵻ")


class Decoder:
    def __init__(self, labels: list[str]):
        self.labels = labels
        self.stressed = np.array(["ˈ" in label for label in labels])

    def phonemes(self, scores: np.ndarray) -> str:
        """The likeliest labels of which one, and only one, has the primary stress; without a vowel none has."""
        free = self.text(scores.argmax(-1))
        if free.count("ˈ") == 1 or free and not VOWELS & set(free):
            return free
        plain = np.where(self.stressed, -np.inf, scores)
        marked = np.where(self.stressed, scores, -np.inf)
        place = (marked.max(-1) - plain.max(-1)).argmax()
        chosen = plain.argmax(-1)
        chosen[place] = marked[place].argmax()
        return self.text(chosen)

    def text(self, chosen) -> str:
        return "".join(self.labels[label] for label in chosen)
