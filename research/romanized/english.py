"""English words: those of the library's lexicon, and their frequency in English texts."""

from __future__ import annotations

import re
from pathlib import Path


def lexicon(path: Path) -> dict[str, int]:
    """The words of lexicon.bin (see core/text/src/languages/en_us/phonemize/lexicon.rs), lower case: 2 if gold, else 1."""
    data = path.read_bytes()
    blocks = int.from_bytes(data[:4], "little")
    offsets = 5 + 2 * 128
    body = offsets + 4 * blocks

    def after_last(at: int) -> int:
        while not data[at] & 0x80:
            at += 1
        return at + 1

    words: dict[str, int] = {}
    for block in range(blocks):
        at = body + int.from_bytes(data[offsets + 4 * block : offsets + 4 * block + 4], "little")
        last = offsets + 4 * (block + 1)
        end = body + int.from_bytes(data[last : last + 4], "little") if block + 1 < blocks else len(data)
        word = b""
        while at < end:
            head = data[at]
            after = after_last(at + 1)
            word = word[: head & 0x3F] + bytes(b & 0x7F for b in data[at + 1 : after])
            at = after
            if head & 0x40:
                count, at = data[at], at + 1
                for _ in range(count):
                    at = after_last(at + 1) if not data[at] & 0x80 else at + 1
            else:
                at = after_last(at)
            text = word.decode()
            if text.islower():
                grade = 1 if head & 0x80 else 2
            else:
                grade = 1
            words[text.lower()] = max(words.get(text.lower(), 0), grade)
    return words


SUFFIXES = [("ies", "y"), ("ied", "y"), ("es", ""), ("es", "e"), ("s", ""), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("ly", ""), ("er", ""), ("er", "e")]
"""Endings of inflected forms, and the corresponding ending of the stem."""


def grade(word: str, words: dict[str, int]) -> int:
    """2 for a word of the gold lexicon or a form of one, 1 for one of the silver lexicon or a name, else 0."""
    known = words.get(word, 0)
    if known < 2 and len(word) > 4:
        stems = (word[: -len(e)] + s for e, s in SUFFIXES if word.endswith(e))
        if any(len(stem) > 2 and words.get(stem, 0) == 2 for stem in stems):
            return 2
    return known


def common(texts: list[str], words: dict[str, int], count: int) -> dict[str, int]:
    """The most common English words in texts."""
    counts: dict[str, int] = {}
    for text in texts:
        for word in re.findall(r"[a-z]+", text.lower()):
            counts[word] = counts.get(word, 0) + 1
    known = [(n, word) for word, n in counts.items() if words.get(word, 0) == 2]
    return {word: n for n, word in sorted(known, reverse=True)[:count]}
