"""What Whisper hears in a recording, and how far that is from what was to be said.

English is counted in words. Whisper base writes Devanagari badly but hears Hindi well, so it is made to write Urdu
script, in which the same spoken language is written, and both sides are compared as skeletons of consonants: no
vowels, glides, aspiration or doubling, and one sign for letters that sound alike. That is the consonant error rate.
It cannot see vowels; `Listener.score` can: the probability Whisper gives to the text that was to be said.
"""

import re
import unicodedata
from functools import cache

import numpy as np
from faster_whisper import WhisperModel
from faster_whisper.tokenizer import Tokenizer

SAMPLE_RATE = 16_000
WHISPER_LANGUAGE = {"en-US": "en", "hi-IN": "ur"}
SPELT = {"20": "twenty"}  # Whisper writes numbers as digits
ENCODED_FRAMES = 1500  # of 30 s
FLOOR = 1e-9  # of a probability, so that one token cannot decide
DEFAULT_SUPPRESSED = -1  # stands for Whisper's own list
NUKTA = "\u093c"
LETTERS_OF_URDU = {
    "b": "ب", "p": "پ", "t": "تط", "T": "ٹ", "j": "ج", "c": "چ", "h": "حہه", "k": "خقكک", "d": "د", "D": "ڈڑ",
    "r": "ر", "z": "زذضظژ", "s": "سصث", "S": "ش", "g": "غگ", "f": "ف", "l": "ل", "m": "م", "n": "نں",
}  # fmt: skip
LETTERS_OF_HINDI = {
    "b": "बभ", "p": "प", "f": "फ", "t": "तथ", "T": "टठ", "j": "जझ", "c": "चछ", "h": "ह", "k": "कख", "d": "दध",
    "D": "डढ", "r": "रऋृ", "s": "स", "S": "शष", "g": "गघ", "l": "ल", "m": "म", "n": "नणञङंँ",
}  # fmt: skip


def _by_letter(letters):
    return {letter: consonant for consonant, group in letters.items() for letter in group}


URDU = _by_letter(LETTERS_OF_URDU)
HINDI = _by_letter(LETTERS_OF_HINDI) | {"ज" + NUKTA: "z"}


def _undoubled(consonants):
    return re.sub(r"(.)\1", r"\1", "".join(consonants))


def urdu_skeleton(text):
    """The consonants of a text in Urdu script; پھ counts as ف, as फ counts as फ़ in Hindi."""
    text = unicodedata.normalize("NFC", text).replace("پھ", "ف")
    return _undoubled(URDU.get(letter, "") for letter in text)


def hindi_skeleton(text):
    """The consonants of a text in Devanagari, in the same signs."""
    letters = re.findall(f".{NUKTA}?", unicodedata.normalize("NFD", text))
    return _undoubled(HINDI.get(letter, HINDI.get(letter[0], "")) for letter in letters)


def words(text):
    """The words of an English text, without case and punctuation."""
    found = re.sub(r"[^a-z0-9'\s]", " ", text.lower()).split()
    return [SPELT.get(word, word) for word in found]


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (x != y))
    return row[-1]


def errors(reference, heard, language):
    """(errors, length of the reference): words for en-US, consonants for hi-IN, whose `heard` is in Urdu script."""
    if language == "hi-IN":
        reference, heard = hindi_skeleton(reference), urdu_skeleton(heard)
    else:
        reference, heard = words(reference), words(heard)
    return edit_distance(reference, heard), len(reference)


def _is_banned(token, language):
    """Whether a token has letters of a script that is not to be written."""
    letters = [letter for letter in token if letter.isalpha()]
    if language == "hi-IN":
        # Half a letter decodes to U+FFFD: Urdu letters are written with such tokens too.
        return "\ufffd" not in token and any(not "\u0600" <= letter <= "\u06ff" for letter in letters)
    return any(letter > "\u024f" for letter in letters)


class _Whisper(WhisperModel):
    """Keeps what it last encoded, so that a recording is encoded once for both figures."""

    def encode(self, features):
        self.encoded = super().encode(features)
        return self.encoded


class Listener:
    """Whisper base in CTranslate2's format, on one thread. Samples are at SAMPLE_RATE, 30 s at most."""

    def __init__(self, whisper):
        self.whisper = _Whisper(str(whisper), device="cpu", compute_type="int8", cpu_threads=1)
        self._suppressed = cache(self._find_suppressed)

    def _find_suppressed(self, language):
        tokenizer = self.whisper.hf_tokenizer
        ordinary = range(tokenizer.token_to_id("<|endoftext|>"))
        return [DEFAULT_SUPPRESSED, *(i for i in ordinary if _is_banned(tokenizer.decode([i]), language))]

    def transcribe(self, samples, language):
        """What is heard: in Urdu script for hi-IN."""
        segments, _ = self.whisper.transcribe(
            samples,
            language=WHISPER_LANGUAGE[language],
            beam_size=5,
            temperature=0.0,
            condition_on_previous_text=False,
            suppress_tokens=self._suppressed(language),
        )
        return " ".join(segment.text.strip() for segment in segments)

    def score(self, text, language):
        """How well `text`, in its own script, fits what was transcribed last: mean log probability a token."""
        tokenizer = Tokenizer(self.whisper.hf_tokenizer, True, task="transcribe", language=language[:2])
        start = [*tokenizer.sot_sequence, tokenizer.no_timestamps]
        tokens = tokenizer.encode(f" {text}")
        found = self.whisper.model.align(self.whisper.encoded, start, [tokens], ENCODED_FRAMES)[0]
        return float(np.mean(np.log(np.maximum(found.text_token_probs, FLOOR))))
