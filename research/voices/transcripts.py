"""The distance of a transcript from the text.

English is counted in words. Whisper base writes Devanagari badly but recognizes Hindi well, so it is made to write Urdu
script, in which the same spoken language is written, and both sides are compared as skeletons of consonants: no vowels,
glides, aspiration or doubling, and one sign for letters that sound alike. That is the consonant error rate. A nasal at
the end of a word is a nasal vowel, and an h there is hardly spoken and in Urdu often only the sign of a vowel: neither
counts.
"""

import json
import re
import subprocess
import unicodedata
from typing import NamedTuple

from g2p.score import distance

NUMBER = re.compile(r"[0-9۰-۹]+(?:[.,:/٫][0-9۰-۹]+)*")
NUKTA = "\u093c"
VIRAMA = "\u094d"
FINAL_OF_URDU = re.compile(r"ں|[حہه](?!\w)")
FINAL_OF_HINDI = re.compile("[हंँ](?![\u0900-\u0963])")
ASCII_DIGITS = str.maketrans("۰۱۲۳۴۵۶۷۸۹٫", "0123456789.")
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
    """The consonants of a text in Urdu script; پھ counts as ف, as फ counts as फ़ in Hindi. Numbers in it are in
    Devanagari."""
    text = FINAL_OF_URDU.sub("", unicodedata.normalize("NFC", text).replace("پھ", "ف"))
    text = re.sub("[\u0900-\u097f]+", lambda word: f" {hindi_skeleton(word[0])} ", text)
    return _undoubled(URDU.get(letter, letter if letter.isascii() and letter.isalpha() else "") for letter in text)


def hindi_skeleton(text):
    """The consonants of a text in Devanagari, in the same signs."""
    return "".join(consonant.sign for consonant in hindi_consonants(text))


class Consonant(NamedTuple):
    """A consonant of a text in Devanagari: its letter, its sign, and whether a virama joins it to the next."""

    text: str
    sign: str
    joined: bool


def hindi_consonants(text):
    """The consonants of a text in Devanagari; a doubled one, or one followed by another with the same sign, counts
    once."""
    found = []
    text = FINAL_OF_HINDI.sub("", unicodedata.normalize("NFD", text))
    for letter, virama in re.findall(f"(.{NUKTA}?)({VIRAMA}?)", text):
        if sign := sign_of(letter):
            if found and found[-1].sign == sign:
                found.pop()
            found.append(Consonant(letter, sign, bool(virama)))
    return found


def sign_of(letter):
    """The sign of a Devanagari letter; empty for letters that are not consonants."""
    return HINDI.get(letter, HINDI.get(letter[0], ""))


def words(text):
    """The words of an English text, without case and punctuation."""
    return re.sub(r"[^a-z0-9\s]", " ", text.lower().replace("'", "")).split()


def errors(reference, heard, language):
    """(errors, length of the reference): words for en-US, consonants for hi-IN, whose `heard` is in Urdu script."""
    if language == "hi-IN":
        reference, heard = hindi_skeleton(reference), urdu_skeleton(heard)
    else:
        reference, heard = words(reference), words(heard)
    return distance(reference, heard), len(reference)


def in_words(speech, heard, language):
    """The transcripts, one per recording, with numbers and abbreviations in words, as read by `speech inspect`:
    Whisper's "$5" was "five dollars". In Hindi, whose transcripts are in Urdu script, only numbers are converted."""
    if language != "hi-IN":
        return _read(speech, heard, language)
    numbers = [number for text in heard for number in NUMBER.findall(text)]
    said = iter(_read(speech, [number.translate(ASCII_DIGITS) for number in numbers], language))
    return [NUMBER.sub(lambda _: next(said), text) for text in heard]


def _read(speech, texts, language):
    """The words of each text as normalized by `speech inspect`."""
    read = inspected(speech, texts, language)
    return [" ".join(sentence["normalized"] for sentence in sentences) for sentences in read]


def inspected(speech, texts, language):
    """The sentences of each text as returned by `speech inspect`."""
    if not texts:
        return []
    command = [speech, "inspect", "--lines", "--language", language]
    lines = "".join(" ".join(text.split()) + "\n" for text in texts)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    read = [json.loads(line)["sentences"] for line in done.stdout.splitlines()]
    if len(read) != len(texts):
        raise ValueError(f"{len(texts)} texts were to be read and {len(read)} were")
    return read
