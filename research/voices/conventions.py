"""Decides open questions of how to write Hindi in the model's symbols, by measurement.

    python -m voices.conventions --model DIR --styles DIR --whisper DIR --work DIR [--choices 1 11] [--sentences 8]

speaks the sentences of sentences_conventions_hi.tsv in every variant of a choice, with the voices of VOICES, and writes
table_conventions_hi.md. A variant is a transformation of the phonemes in the file, so that no text front end is needed.
A choice is tested on the sentences in which it changes most. Every recording is measured once and stored in
WORK/conventions.jsonl.

For each recording:

    errors     consonants misheard by Whisper (transcripts.py)
    score      mean log probability per token that Whisper gives to the text; also covers vowels
    dnsmos     DNSMOS overall quality, over 9 s in which the recording repeats
    seconds    length without the model's silence; tail: the silence after it

A variant is compared with the first of its choice, on the same sentences and voices. The intervals contain 95% of
RESAMPLES bootstrap resamples of the sentences. People make the decisions from the figures; decisions_conventions_hi.tsv
records them with their reasons.
"""

import argparse
import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import librosa
import numpy as np
from g2p.score import distance
from speechmos import dnsmos

from . import hear, kokoro, transcripts
from .levels import speech_bounds
from .sentences import read_tsv

HERE = Path(__file__).parent
RECIPES = HERE.parents[1] / "tools" / "bundle" / "recipes.json"
SENTENCES = HERE / "sentences_conventions_hi.tsv"
DECISIONS = HERE / "decisions_conventions_hi.tsv"
TABLE = HERE / "table_conventions_hi.md"
VOICES = ("aria", "john")
LANGUAGE = "hi-IN"
DNSMOS_SAMPLES = int(9.02 * hear.SAMPLE_RATE)
RESAMPLES = 10_000

NASAL = "\u0303"
CONSONANT = "[kɡŋcɟɲʈɖɳtdnpbmjɾlʋʃʂshɽzf]"
WORD_END = r"(?=[ .,?]|$)"
HOMORGANIC = {"kɡ": "ŋ", "cɟ": "ɲ", "ʈɖ": "ɳ", "pb": "m"}
LONG_NASAL = re.compile(f"([aeiouɛɔ]){NASAL}ː?(?={CONSONANT})")
SHORT_NASAL = re.compile(f"([ɪʊ]){NASAL}(?={CONSONANT})")
ANY_NASAL = re.compile(f".{NASAL}ː?(?={CONSONANT})")


def same(phonemes):
    return phonemes


def replaced(**symbols):
    """A transformation that replaces single symbols."""
    return lambda phonemes: phonemes.translate(str.maketrans(symbols))


def substituted(pattern, replacement):
    """A transformation that replaces the matches of a pattern."""
    return lambda phonemes: re.sub(pattern, replacement, phonemes)


def homorganic(match):
    """The nasal consonant with the place of articulation of the sound after a match."""
    following = match.string[match.end()]
    return next((nasal for places, nasal in HOMORGANIC.items() if following in places), "n")


def with_homorganic(phonemes):
    return ANY_NASAL.sub(lambda match: match[0] + homorganic(match), phonemes)


def long_nasals(phonemes):
    return re.sub(f"([aiou]){NASAL}(?={CONSONANT})", rf"\1{NASAL}ː", phonemes)


def close_short_nasals(phonemes):
    """hɪ̃di as hĩdi."""
    return phonemes.replace(f"ɪ{NASAL}", f"i{NASAL}").replace(f"ʊ{NASAL}", f"u{NASAL}")


def short_as_consonant(phonemes):
    """hɪ̃di as hɪndi."""
    return SHORT_NASAL.sub(lambda match: match[1] + homorganic(match), phonemes)


def long_as_consonant(phonemes):
    """ɡãdʰi as ɡaːndʰi."""
    return LONG_NASAL.sub(lambda match: f"{match[1]}ː{homorganic(match)}", phonemes)


def unstressed(phonemes):
    return re.sub("[ˈˌ]", "", phonemes)


def all_stressed(phonemes):
    """Primary stress in every word, including function words."""
    words = phonemes.replace("ˌ", "ˈ").split(" ")
    return " ".join(word if "ˈ" in word else re.sub("[aeiouəɛɔɪʊ]", r"ˈ\g<0>", word, count=1) for word in words)


def with_secondary(phonemes):
    """Secondary stress two vowels before or after the primary one."""
    vowels = f"[aeiouəʌɛɔɪʊ]{NASAL}?ː?"
    between = rf"(?:(?!{vowels})[^ ])*"
    after = rf"(ˈ{vowels}{between}{vowels}{between})({vowels})"
    before = rf"({vowels})({between}{vowels}{between}ˈ)"
    return re.sub(before, r"ˌ\1\2", re.sub(after, r"\1ˌ\2", phonemes))


def lowered(phonemes):
    """pʌhleː as pɛhleː, ʃʌhəɾ as ʃɛhɛɾ; not ɾəhaː."""
    phonemes = re.sub("[əʌ]h(ˈ?)[əʌ]", r"ɛh\1ɛ", phonemes)
    return re.sub(f"(?<![ʋj]ˌ)[əʌ]h(?={CONSONANT}|[ .,?]|$)", "ɛh", phonemes)


def loans_with_native_sounds(phonemes):
    return phonemes.replace("z", "ɟ").replace("f", "pʰ")


def words_for_this_and_that(phonemes):
    return phonemes.replace("jˌəh", "jeː").replace("ʋˌəh", "ʋoː")


@dataclass(frozen=True)
class Choice:
    """Named variants; the others are compared with the first."""

    number: str
    question: str
    variants: dict[str, Callable[[str], str]]
    among: tuple[str, ...] = ()  # sets of sentences; without any, all but those whose sounds only one choice can say

    def spoken(self, sentences, count):
        """The sentences that most variants change, and of those the ones with the most changes for their length."""
        base, *others = self.variants.values()

        def change(sentence):
            phonemes = sentence["phonemes"]
            changed = [distance(base(phonemes), other(phonemes)) for other in others]
            return sum(map(bool, changed)), sum(changed) / len(phonemes)

        found = [s for s in sentences if (s["set"] in self.among if self.among else s["set"] != "anusvara")]
        return sorted((s for s in found if any(change(s))), key=change, reverse=True)[:count]


CHOICES = (
    Choice(
        "1",
        "ड़ and ढ़",
        {
            "ɽ ɽʰ": same,
            "r. r.ʰ": replaced(ɽ="r."),
            "r. r.h": lambda phonemes: phonemes.replace("ɽʰ", "r.h").replace("ɽ", "r."),
            "ɾ ɾʰ": replaced(ɽ="ɾ"),
        },
        ("flap",),
    ),
    Choice("11", "च and ज", {"c ɟ": same, "ʧ ʤ": replaced(c="ʧ", ɟ="ʤ")}),
    Choice(
        "7",
        "stress",
        {
            "function words reduced": same,
            "ˈ in every word": all_stressed,
            "ˌ added": with_secondary,
            "none": unstressed,
        },
    ),
    Choice("15", "the inherent vowel", {"ʌ if stressed, else ə": same, "ə everywhere": replaced(ʌ="ə")}),
    Choice(
        "5a",
        "chandrabindu before a consonant",
        {
            "ãp": same,
            "ãnp": substituted(ANY_NASAL, r"\g<0>n"),
            "ãmp": with_homorganic,
            "ãːp": long_nasals,
            "ãːmp": lambda phonemes: with_homorganic(long_nasals(phonemes)),
            "aːmp": long_as_consonant,
        },
        ("moon",),
    ),
    Choice(
        "5b",
        "anusvara after a vowel other than अ",
        {
            "hĩdi ɡãdʰi": close_short_nasals,
            "hɪ̃di ɡãdʰi": same,
            "hɪndi ɡãdʰi": short_as_consonant,
            "hɪndi ɡaːndʰi": lambda phonemes: long_as_consonant(short_as_consonant(phonemes)),
            "hĩdi ɡaːndʰi": lambda phonemes: close_short_nasals(long_as_consonant(phonemes)),
            "hĩndi ɡãndʰi": lambda phonemes: with_homorganic(close_short_nasals(phonemes)),
        },
        ("anusvara",),
    ),
    Choice("2", "the end of a sentence", {".": same, "nothing": substituted(r"\.$", "")}),
    Choice("10", "final ई", {"i": same, "iː": substituted(f"i{WORD_END}", "iː")}),
    Choice("17", "यह and वह", {"jˌəh ʋˌəh": same, "jeː ʋoː": words_for_this_and_that}),
    Choice("12", "व", {"ʋ": same, "v": replaced(ʋ="v"), "w": replaced(ʋ="w")}),
    Choice(
        "4",
        "a stop before य",
        {
            "kj": same,
            "kːj tːj pːj": substituted("([ktp])j", r"\1ːj"),
            "Cːj after a short vowel": substituted("([əʌɪʊ][kɡtdpb]ʰ?)j", r"\1ːj"),
        },
        ("cluster",),
    ),
    Choice("8", "the inherent vowel before ह", {"ʌh": same, "ɛh": lowered}, ("before_h",)),
    Choice(
        "9",
        "a final cluster with य, व or र",
        {"no vowel": same, "ə": substituted(f"(?<={CONSONANT})(ʰ?[jʋɾ]){WORD_END}", r"\1ə")},
        ("final",),
    ),
    Choice(
        "3",
        "-ओं after आ",
        {
            "ˈaːõ": same,
            "ˈaːw": substituted(f"aːo{NASAL}", "aːw"),
            "ˈaːõː": substituted(f"aːo{NASAL}", f"aːo{NASAL}ː"),
            "aːˈõ": substituted(f"ˈaːo{NASAL}", f"aːˈo{NASAL}"),
        },
        ("plural",),
    ),
    Choice("14", "ज़ and फ़", {"z f": same, "ɟ pʰ": loans_with_native_sounds}, ("loan",)),
    Choice("16", "a doubled consonant", {"kk": same, "kː": substituted(f"({CONSONANT})\\1(ʰ?)", r"\1\2ː")}),
)


class Recorder:
    """Speaks and measures; reads earlier measurements from `path`."""

    def __init__(self, options):
        self.path = options.work / "conventions.jsonl"
        self.options = options
        self.known = {}
        if self.path.exists():
            lines = self.path.read_text("utf-8").splitlines()
            self.known = {entry["key"]: entry for entry in map(json.loads, lines)}
        self.voices = voices(options.styles)
        self.acoustic = self.listener = None

    def result(self, voice, text, phonemes):
        """The figures of a recording; None if there are none and only stored ones are used."""
        table, recipe = self.voices[voice]
        key = hashlib.sha256(json.dumps([recipe, text, phonemes]).encode()).hexdigest()[:16]
        if key not in self.known and self.options.kept:
            return None
        if key not in self.known:
            self.known[key] = {"key": key, "voice": voice, "text": text, "phonemes": phonemes}
            self.known[key] |= self.measure(text, phonemes, table, recipe["gain_db"])
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps(self.known[key], ensure_ascii=False) + "\n")
        return self.known[key]

    def measure(self, text, phonemes, table, gain_db):
        if self.acoustic is None:
            self.acoustic = kokoro.Acoustic.from_float_model(self.options.model)
            self.listener = hear.Listener(self.options.whisper)
        raw = self.acoustic.speak(phonemes, table) * np.float32(10 ** (gain_db / 20))
        first, last = speech_bounds(raw, kokoro.SAMPLE_RATE)
        speech = raw[first:last]
        samples = librosa.resample(speech, orig_sr=kokoro.SAMPLE_RATE, target_sr=hear.SAMPLE_RATE)
        samples = np.clip(samples, -1, 1).astype(np.float32)
        heard = self.listener.transcribe(samples, LANGUAGE)
        errors, consonants = transcripts.errors(text, heard, LANGUAGE)
        return {
            "heard": heard,
            "errors": errors,
            "consonants": consonants,
            "score": round(self.listener.score(text, LANGUAGE), 4),
            "dnsmos": round(float(dnsmos.run(np.resize(samples, DNSMOS_SAMPLES), hear.SAMPLE_RATE)["ovrl_mos"]), 3),
            "seconds": round(len(speech) / kokoro.SAMPLE_RATE, 3),
            "tail": round((len(raw) - last) / kokoro.SAMPLE_RATE, 3),
        }


def voices(styles):
    """The style table and the recipe of each voice of VOICES."""
    vectors = kokoro.StyleVectors(styles)
    known = {voice["id"]: voice["recipes"][LANGUAGE] for voice in json.loads(RECIPES.read_text("utf-8"))["voices"]}
    return {name: (vectors.table(known[name]), known[name]) for name in VOICES}


def interval(statistic, count):
    """The 95% interval of a statistic of a resample's indices."""
    draws = np.random.default_rng(0).integers(0, count, (RESAMPLES, count))
    return np.percentile([statistic(draw) for draw in draws], [2.5, 97.5])


def compared(results, base):
    """The figures of a variant's [sentence][voice] results, compared with those of the first variant."""

    def column(which, name):
        return np.array([np.mean([result[name] for result in row]) for row in which])

    consonants = column(results, "consonants")
    wrong, wrong_base = column(results, "errors"), column(base, "errors")
    figures = {"rate": wrong.sum() / consonants.sum()}
    for name in ("errors", "consonants"):
        figures[name] = sum(result[name] for row in results for result in row)
    more = wrong - wrong_base
    figures["rate_more"] = more.sum() / consonants.sum()
    figures["rate_interval"] = interval(lambda draw: more[draw].sum() / consonants[draw].sum(), len(more))
    for name in ("score", "dnsmos", "seconds", "tail"):
        each = column(results, name)
        more_of_it = each - column(base, name)
        figures[name], figures[f"{name}_more"] = each.mean(), more_of_it.mean()
        figures[f"{name}_interval"] = interval(lambda draw, more=more_of_it: more[draw].mean(), len(more_of_it))
    return figures


def difference(figures, name, digits):
    low, high = figures[f"{name}_interval"]
    star = " \\*" if low > 0 or high < 0 else ""
    return f"{figures[f'{name}_more']:+.{digits}f} [{low:+.{digits}f}, {high:+.{digits}f}]{star}"


def section(choice, by_variant, decision):
    """The part of the table for one choice."""
    names = list(choice.variants)
    base = by_variant[names[0]]
    lines = [f"## {choice.number}. {choice.question[0].upper()}{choice.question[1:]}", ""]
    taken = ["", f"Taken: **{decision['taken']}**. {decision['reason']}"] if decision else []
    if not base:
        return [*lines, "Not measured.", *taken, ""]
    lines += [
        f"{len(base)} sentences, {sum(map(len, base))} recordings of each variant.",
        "",
        "| variant | misheard | rate | difference | score | difference | DNSMOS | difference | seconds | tail |",
        "|---" * 10 + "|",
    ]
    for name in names:
        f = compared(by_variant[name], base)
        shown = [difference(f, *column) for column in (("rate", 3), ("score", 3), ("dnsmos", 2))]
        rate, score, quality = shown if name != names[0] else ("", "", "")
        lines.append(
            f"| {name} | {f['errors']}/{f['consonants']} | {f['rate']:.3f} | {rate} | {f['score']:.3f} | {score} "
            f"| {f['dnsmos']:.2f} | {quality} | {f['seconds']:.2f} | {f['tail']:.2f} |"
        )
    return [*lines, *taken, ""]


def tried(choice, sentences, recorder):
    """The results of each variant: for each sentence a list, by voice, of the voices that spoke all variants of it."""
    options = recorder.options
    by_variant = {name: [] for name in choice.variants}
    for sentence in choice.spoken(sentences, options.sentences):
        turn = VOICES[sentences.index(sentence) % len(VOICES)]
        spoken = []
        for voice in VOICES if options.all_voices or options.kept else [turn]:
            said = [variant(sentence["phonemes"]) for variant in choice.variants.values()]
            spoken.append([recorder.result(voice, sentence["text"], phonemes) for phonemes in said])
        spoken = [results for results in spoken if None not in results]
        if spoken:
            for name, *results in zip(by_variant, *spoken):
                by_variant[name].append(results)
    return by_variant


HEAD = f"""# Hindi in the model's symbols: what was tried

Made by `conventions.py`; its docstring explains the columns. Voices: {", ".join(VOICES)}. Differences are to the first
variant of the choice, with the interval that holds 95% of bootstrap resamples of the sentences; a star marks the ones
whose interval leaves out zero. A lower rate, a higher score and a higher DNSMOS are better. With the few sentences of
each choice only large differences show; where none does, the convention that the model was trained on stays,
unless it is wrong Hindi. Nobody has listened; the phonemes were not reviewed by a native speaker. The voices had the
recipes of recipes.json.
"""


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--model", required=True, help="the output of `python -m bundle float`")
    p.add_argument("--styles", required=True, help="directory of the published style vectors, NAME.bin")
    p.add_argument("--whisper", required=True, help="directory of Whisper base in CTranslate2 format")
    p.add_argument("--work", required=True, type=Path, help="directory for results")
    p.add_argument("--choices", nargs="*", help="only these choices")
    p.add_argument("--sentences", type=int, default=12, help="the number of sentences per choice")
    p.add_argument("--kept", action="store_true", help="only write the table from the results in WORK")
    p.add_argument("--all-voices", action="store_true", help="speak each sentence with every voice, not in turn")
    o = p.parse_args()
    o.work.mkdir(parents=True, exist_ok=True)
    recorder = Recorder(o)
    sentences = read_tsv(SENTENCES)
    decisions = {row["choice"]: row for row in read_tsv(DECISIONS)}
    lines = HEAD.splitlines() + [""]
    for choice in CHOICES:
        if o.choices and choice.number not in o.choices:
            continue
        by_variant = tried(choice, sentences, recorder)
        found = section(choice, by_variant, decisions.get(choice.number))
        print("\n".join(found), flush=True)
        lines += found
    if not o.choices:
        TABLE.write_text("\n".join(lines), "utf-8")


if __name__ == "__main__":
    main()
