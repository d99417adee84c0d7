"""Training sentences: those of other data sets of this project, and variations of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

RESEARCH = Path(__file__).parents[1]
VOICES = ("aria", "jason", "john", "leo", "sofia")
LANGUAGES = ("en-US", "hi-IN")

# The rates requested of the model itself; the library makes faster speech by time scaling.
_RATES = (0.6, 1.15)
_SEMITONES = (-4.0, 4.0)
_ALTERED = 0.25

_MONTHS = {
    "en-US": "January February March April May June July August September October November December".split(),
    "hi-IN": "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर".split(),
}


class Language:
    """The sentences and words of a language."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_english = name == "en-US"
        self.sentences = sorted(set(_english() if self.is_english else _hindi()))
        self.words = sorted({word.strip(".,?!।;:\"'“”()") for line in self.sentences for word in line.split()} - {""})
        if not self.is_english:
            self.words = sorted({*self.words, *_hindi_words()})

    def text(self, random: Random) -> str:
        """One sentence, of a random kind."""
        kinds: list[tuple[Callable[[Random], str], float]] = [
            (self._sentence, 0.62),
            (self._joined, 0.14),
            (self._list, 0.08),
            (self._word, 0.06),
            (self._number, 0.06),
            (self._any_words, 0.04),
        ]
        makers, weights = zip(*kinds)
        return random.choices(makers, weights)[0](random)

    def _end(self, random: Random) -> str:
        return random.choices(("." if self.is_english else "।", "?", "!"), (0.8, 0.12, 0.08))[0]

    def _sentence(self, random: Random) -> str:
        sentence = random.choice(self.sentences)
        return sentence if sentence[-1] in '.?!।"”' else sentence + self._end(random)

    def _clause(self, random: Random) -> str:
        return random.choice(self.sentences).rstrip('.?!।"”')

    def _joined(self, random: Random) -> str:
        mark = random.choice((", ", ", ", "; ", " — ", ": ", " ... "))
        return self._clause(random) + mark + self._clause(random) + self._end(random)

    def _list(self, random: Random) -> str:
        words = random.sample(self.words, random.randint(3, 6))
        conjunction = random.choice((" and ", " or ") if self.is_english else (" और ", " या "))
        return ", ".join(words[:-1]) + conjunction + words[-1] + self._end(random)

    def _word(self, random: Random) -> str:
        return " ".join(random.sample(self.words, random.randint(1, 2))) + random.choice(("", ".", "?", "!"))

    def _number(self, random: Random) -> str:
        n, month = random.randint(1, 10 ** random.randint(1, 7)), random.choice(_MONTHS[self.name])
        number = random.choice(
            (
                f"{n:,}",
                f"{n}",
                f"{random.randint(1, 12)}:{random.randint(0, 59):02}",
                f"{random.randint(1, 28)} {month} {random.randint(1900, 2040)}",
                f"{random.random() * 100:.2f}",
                f"{random.randint(1, 100)}%",
                f"${n:,}" if self.is_english else f"₹{n:,}",
            )
        )
        word = random.choice(self.words)
        return random.choice((f"{number}.", f"{word} {number}{self._end(random)}", f"{number} {word}."))

    def _any_words(self, random: Random) -> str:
        return " ".join(random.sample(self.words, random.randint(4, 12))) + self._end(random)


def _english() -> Iterator[str]:
    for name in ("a", "b", "c", "pairs", "more"):
        for line in (RESEARCH / f"heteronyms/data/sentences_{name}.tsv").read_text(encoding="utf-8").splitlines():
            yield line.split("\t")[2]


def _hindi() -> Iterator[str]:
    lines = (RESEARCH / "romanized/data/sentences.txt").read_text(encoding="utf-8").splitlines()
    return (line for line in lines if line and not line.startswith("#"))


def _hindi_words() -> Iterator[str]:
    lines = (RESEARCH / "romanized/data/words.tsv").read_text(encoding="utf-8").splitlines()
    return (line.split("\t")[0] for line in lines if line and not line.startswith("#"))


def line(text: str, pair: str, rate: float = 1.0, pitch: float = 0.0) -> str:
    """A line for the teacher: a text, and the voice and language that say it."""
    return json.dumps({"text": text, "pair": pair, "rate": rate, "pitch": pitch}, ensure_ascii=False)


def lines(seed: int, count: int, altered: float = _ALTERED) -> Iterator[str]:
    """Lines for the teacher, `count` per voice and language; a fraction of them faster, slower, higher or lower."""
    random = Random(seed)
    languages = [Language(name) for name in LANGUAGES]
    for _ in range(count):
        for language in languages:
            for voice in VOICES:
                rate = random.uniform(*_RATES) if random.random() < altered else 1.0
                pitch = random.uniform(*_SEMITONES) if random.random() < altered else 0.0
                yield line(language.text(random), f"{voice}/{language.name}", rate, pitch)
