"""The Hindi words that romanized Hindi is read as, with their frequencies."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

from spelling import SIGNS, VIRAMA, VOWELS, symbols

CONSONANT_ENDINGS = (
    "- ना ने नी ता ते ती तीं ा े ी ीं ूँ ूँगा ूँगी े ें ेगा ेगी ेंगे ेंगी ो ोगे ोगी िए िएगा कर के कर-के ने-वाला वाना वाया"
).split()
VOWEL_ENDINGS = (
    "- ना ने नी ता ते ती तीं या ए ई ईं ऊँ ऊँगा ऊँगी एँ एगा एगी एँगे एँगी ओ ओगे ओगी इए इएगा कर के"
).split()
COMPOUND_STEMS = "कर बता दे ले भेज रख चला बना लगा डाल लिख पढ़ खा पी सुना दिखा मिला बुला".split()
COMPOUND_TAILS = "दो दे लो ले दिया दी देना लेना दूँगा लूँगा देंगे लेंगे दीजिए लीजिए".split()
"""Verbs that people write as one word: krdo."""

STRANGE = "मा दु हमे डेटा गन वैट हरों मच बी सी टू मे मि हुँ मै नही हे भुख हें मां".split()
"""Words with inflated counts: errors, and names of letters."""


def composed(word: str) -> str:
    """A word in normal form: nukta letters composed, no joiners."""
    return unicodedata.normalize("NFC", word.replace("\u200d", "").replace("\u200c", ""))


def folded(word: str) -> str:
    """The common form of a word's variants: no nukta, one nasal sign."""
    word = unicodedata.normalize("NFD", word).replace("़", "").replace("ँ", "ं")
    word = re.sub("(?:ङ्|ञ्|ण्)(?=[क-म])|न्(?=[तथदध])|म्(?=[पफबभ])", "ं", word)
    return word.replace("ये", "ए").replace("यी", "ई")


RARE_ENDINGS = {"तीं", "ीं", "ईं", "ूँगी", "ऊँगी", "ेंगी", "एँगी", "ोगी", "ओगी", "िएगा", "इएगा"}
"""Excluded forms of verbs without any counts."""


def blurred(word: str) -> str:
    """The common form of a word and its usual misspellings: no nasals, no viramas, no aspiration."""
    word = re.sub("[ंँ़्]", "", unicodedata.normalize("NFD", word))
    return word.translate(str.maketrans("खघछझठढथधफभणष", "कगचजटडतदपबनश"))


def verb_forms(stem: str) -> list[str]:
    """The regular forms of a verb."""
    if stem[-1] in "ीू":
        short = stem[:-1] + {"ी": "ि", "ू": "ु"}[stem[-1]]
        perfect = {"ी": ["या", "ए"], "ू": ["आ", "ए", "ई"]}[stem[-1]]
        plain = [stem + e for e in "ना ने नी ता ते ती कर के".split()]
        return [stem, *plain, *(short + e for e in perfect), *(short + e for e in VOWEL_ENDINGS if e[0] in "ऊएओइ")]
    endings = VOWEL_ENDINGS if stem[-1] in SIGNS or stem[-1] in VOWELS else CONSONANT_ENDINGS
    return [stem if e == "-" else stem + e for e in endings if "-" not in e[1:]]


def lexemes(path: Path) -> tuple[dict[str, list[str]], list[str]]:
    """The forms of each verb, and all other words."""
    verbs: dict[str, list[str]] = {}
    words: list[str] = []
    section = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("##"):
            section = line
        elif line and not line.startswith("#"):
            for word in line.split():
                if "verb" in section:
                    verbs[word] = verb_forms(word)
                elif "-ा" in section and word.endswith("ा"):
                    words += [word, *(word[:-1] + e for e in ("े", "ी", "ों"))]
                elif "-ी" in section and word.endswith("ी"):
                    words += [word, word[:-1] + "ियाँ", word[:-1] + "ियों"]
                elif "-ी" in section and word.endswith("ई"):
                    words += [word, word[:-1] + "इयाँ", word[:-1] + "इयों"]
                elif "other" in section:
                    joint = word[-1] in SIGNS or word[-1] in VOWELS
                    words += [word, *([word + "ओं", word + "एँ"] if joint else [word + "ों", word + "ें"])]
                else:
                    words.append(word)
    return verbs, words


def frequencies(counts: dict[str, float], path: Path, texts: list[str], names: list[str]) -> dict[str, float]:
    """The frequency of each word: counted, or by its verb's stem, or a default for known words."""
    verbs, words = lexemes(path)
    out: Counter[str] = Counter()
    for word, count in counts.items():
        out[composed(word)] += count
    for text in texts:
        for word in re.findall("[\u0900-\u0963]+", text):
            out[composed(word)] += 2
    shares: dict[str, float] = defaultdict(float)
    stems: dict[str, float] = {}
    for stem, forms in verbs.items():
        stems[stem] = sum(out[form] for form in forms)
        for form in forms:
            shares[form[len(stem):]] += out[form]
    total = sum(shares.values())
    for stem, forms in verbs.items():
        for form in set(forms):
            if stems[stem] == 0 and form[len(stem):] in RARE_ENDINGS:
                continue
            share = shares[form[len(stem):]] / total
            out[form] += 0.3 + 0.4 * stems[stem] * share
    for word in words:
        out[word] += 1
    for word in out:
        if "ॉ" in word or "ऑ" in word:
            out[word] *= 0.2
    for word in STRANGE:
        out[word] *= 0.02
    for stem in COMPOUND_STEMS:
        for tail in COMPOUND_TAILS:
            out[stem + tail] += 0.2
    for name in names:
        out[composed(name)] += 0.7
    known_words = set(words) | {form for forms in verbs.values() for form in forms}
    most: dict[str, float] = defaultdict(float)
    for word, count in out.items():
        most[blurred(word)] = max(most[blurred(word)], count)
    best: dict[str, tuple[str, float]] = {}
    for word, count in out.items():
        if len(word) < 2 and word not in "न आ ओ ए व":
            continue
        is_slip = counts.get(word, 0) <= 2 and word not in known_words and most[blurred(word)] > 5 * count
        if VIRAMA == word[-1] or is_slip or not symbols(word):
            continue
        key = folded(word)
        known, sum_ = best.get(key, ("", 0.0))
        rank = lambda one: (one in known_words, "ँ" in one, out[one])  # noqa: E731
        prefer = not known or rank(word) > rank(known)
        best[key] = (word if prefer else known, sum_ + count)
    return {word: count for word, count in best.values()}
