"""Evaluates mixed-language sentences with different ways of speaking the words of the other language.

    python -m voices.mixed --speech target/debug/speech --model DIR --styles DIR --whisper DIR --work DIR \
        [--into hi-IN] [--voices aria john] [--variants us indian] [--rows 0 12]

Into hi-IN: the English words of mixed_hi.tsv, spoken by Hindi voices. Into en-US: the Hindi words of mixed_en.tsv,
spoken by English voices. `speech inspect` gives the phonemes of every word in its own language; a variant maps those of
the cross-lingual words to other symbols, and each sentence is spoken with each variant. `built` is the library's own
output, and `devanagari` the reference: the cross-lingual words as written in Hindi. Whisper transcribes Hindi sentences
in Urdu script; both sides are compared as consonant skeletons (transcripts.py). The consonant errors of the
cross-lingual words alone come from the alignment of the two skeletons; no sentence counts more errors than it has
consonants. Transcripts are stored in WORK/heard-INTO.json.
"""

import argparse
import json
import re
import subprocess
from pathlib import Path

import librosa
import numpy as np
from speechmos import dnsmos

from . import hear, kokoro, transcripts
from .sentences import read_tsv

HERE = Path(__file__).parent
LOUDNESS = 0.08  # root mean square of what is listened to
RECIPES = HERE.parents[1] / "tools" / "bundle" / "recipes.json"

# Rules from English to Hindi symbols, applied in order.
CONSONANTS = [
    ("T", "ʈ"), ("t", "ʈ"), ("d", "ɖ"), ("θ", "tʰ"), ("ð", "d"), ("ɹ", "ɾ"), ("[vw]", "ʋ"), ("ʧ", "c"), ("ʤ", "ɟ"),
    ("ʒ", "z"), ("ŋ(?![kɡ])", "ŋɡ"),
]  # fmt: skip
VOWELS = [
    ("ɪɹ(?![ˈˌ]?[AIOWYaæɑɐəɛɪiuʊʌᵊᵻɔ])", "ɪjəɹ"), ("ɛɹ(?![ˈˌ]?[AIOWYaæɑɐəɛɪiuʊʌᵊᵻɔ])", "eːjəɹ"), ("ʊɹ", "uːɹ"),
    ("ɔɹ", "oːɹ"), ("ˈɜ", "ˈʌ"), ("ɜ", "ə"), ("ɑ(?=ɹ)", "aː"), ("ɑ", "ɔ"), ("æ", "ɛː"), ("ɛ(?!ː)", "eː"), ("(?<!^ð)ə$", "aː"),
    ("ᵊ", "ə"), ("ᵻ", "ɪ"), ("ɐ", "ə"), ("(?<=[ˈˌ])i", "iː"), ("u(?!ː)", "uː"),
]  # fmt: skip
DIPHTHONGS = [("A", "eː"), ("O", "oː"), ("I", "aːɪ"), ("W", "aːʊ"), ("Y", "ɔːj")]
# Rules from Hindi to American English symbols, applied in order.
AMERICAN = [
    ("ʈ", "t"), ("ɖ", "d"), ("ɽ", "ɹ"), ("ɾ", "ɹ"), ("ʋ", "v"), ("c", "ʧ"), ("ɟ", "ʤ"), ("ɳ", "n"), ("ɲ", "n"),
    ("ʂ", "ʃ"), ("q", "k"), ("x", "k"), ("ɣ", "ɡ"), ("ʰ", ""), ("eː", "A"), ("e", "A"), ("oː", "O"), ("o", "O"),
    ("aː", "ɑ"), ("a", "ɑ"), ("ɛː", "æ"), ("ɔː", "ɔ"), ("ːː", "ː"), ("ː", ""), ("[̃](?=[ˈˌ]?[pbm])", "m"),
    ("[̃](?=[ˈˌ]?[kɡ])", "ŋ"), ("[̃]", "n"),
]  # fmt: skip


def without(sound):
    """The rules for vowels except one."""
    return [rule for rule in VOWELS if rule[0] != sound]


VARIANTS = {
    "hi-IN": {
        "us": [],
        "consonants": CONSONANTS,
        "vowels": VOWELS + DIPHTHONGS,
        "diphthongs": VOWELS + CONSONANTS,
        "indian": VOWELS + DIPHTHONGS + CONSONANTS,
        "diphthongs, short e": without("ɛ(?!ː)") + CONSONANTS,
        "diphthongs, t and d": VOWELS + [rule for rule in CONSONANTS if rule[0] not in "td"],
        "diphthongs, ʧ and ʤ": VOWELS + [rule for rule in CONSONANTS if rule[0] not in "ʧʤ"],
    },
    "en-US": {"hindi": [], "american": AMERICAN},
}
CROSS_LINGUAL = {"hi-IN": re.compile("[A-Za-z]"), "en-US": re.compile("[ऀ-ॿ]")}


def inspect(speech, texts, language):
    """The words of each text: [(first byte, text, phonemes), ...]."""
    command = [speech, "inspect", "--lines", "--language", language]
    lines = subprocess.run(command, input="\n".join(texts), capture_output=True, text=True, check=True).stdout
    found = []
    for line in lines.splitlines():
        words = [word for sentence in json.loads(line)["sentences"] for word in sentence["words"]]
        found.append([(word["start"], word["normalized"], word["phonemes"]) for word in words])
    return found


def mapped(phonemes, rules):
    for pattern, symbols in rules:
        phonemes = re.sub(pattern, symbols, phonemes)
    return phonemes


def lines_of(texts, speech, into, rules):
    """The phonemes of each text: every word is read in its own language, and `rules` map the cross-lingual words."""
    cross_lingual = CROSS_LINGUAL[into]
    hindi, english = inspect(speech, texts, "hi-IN"), inspect(speech, texts, "en-US")
    lines = []
    for text, words, others in zip(texts, hindi, english, strict=True):
        if into == "en-US":
            words, others = others, words
        phonemes = {start: said for start, _, said in others}
        said = [mapped(phonemes[at], rules) if cross_lingual.search(word) else own for at, word, own in words]
        lines.append(with_marks(text, words, said))
    return lines


def with_marks(text, words, said):
    """The phonemes of the words, with the punctuation after them."""
    raw = text.encode()
    line = ""
    for (start, word, _), phonemes in zip(words, said, strict=True):
        after = raw[start:].decode()[len(word) :].strip()[:1]
        line += f" {phonemes}" + {"।": ".", ",": ",", "?": "?", ".": "."}.get(after, "")
    return line.strip()


def alignment(reference, heard):
    """The number of errors at each consonant of the reference."""
    rows, columns = len(reference) + 1, len(heard) + 1
    cost = np.zeros((rows, columns), int)
    cost[:, 0], cost[0] = range(rows), range(columns)
    for i in range(1, rows):
        for j in range(1, columns):
            same = reference[i - 1] == heard[j - 1]
            cost[i, j] = min(cost[i - 1, j] + 1, cost[i, j - 1] + 1, cost[i - 1, j - 1] + (not same))
    errors = [0] * len(reference)
    i, j = rows - 1, columns - 1
    while i or j:
        if i and j and cost[i, j] == cost[i - 1, j - 1] + (reference[i - 1] != heard[j - 1]):
            errors[i - 1] += int(reference[i - 1] != heard[j - 1])
            i, j = i - 1, j - 1
        elif i and cost[i, j] == cost[i - 1, j] + 1:
            errors[i - 1] += 1
            i -= 1
        else:
            errors[max(i - 1, 0)] += 1
            j -= 1
    return errors


def errors_of(row, heard, into):
    """Errors and consonants of the sentence, and of its cross-lingual words."""
    whole = transcripts.hindi_skeleton(row["reference"])
    words = [transcripts.hindi_skeleton(word) for word in row["reference"].split()]
    flags = []
    for word, text in zip(words, row["text"].split(), strict=True):
        for consonant in word:
            # Two equal consonants where words meet are one in the skeleton of the sentence.
            if len(flags) < len(whole) and not (flags and consonant == whole[len(flags) - 1] != whole[len(flags)]):
                flags.append(bool(CROSS_LINGUAL[into].search(text)))
    flags += [False] * (len(whole) - len(flags))
    errors = alignment(whole, transcripts.urdu_skeleton(heard))
    cross_lingual = [count for count, flag in zip(errors, flags) if flag]
    # An endless repetition by Whisper counts as a sentence that was not understood.
    return min(sum(errors), len(whole)), len(whole), min(sum(cross_lingual), len(cross_lingual)), len(cross_lingual)


def table(results, sentences, into):
    lines = ["| variant | voice | consonant errors | in the other language's words | DNSMOS |", "|---|---|---|---|---|"]
    for variant in results:
        for voice in results[variant]:
            said = results[variant][voice]
            rows = [row for row in sentences if row["text"] in said]
            counts = np.sum([errors_of(row, said[row["text"]]["heard"], into) for row in rows], axis=0)
            quality = np.mean([said[row["text"]]["dnsmos"] for row in rows])
            lines.append(
                f"| {variant} | {voice} ({len(rows)}) | {counts[0] / counts[1]:.3f} ({counts[0]} of {counts[1]}) "
                f"| {counts[2] / counts[3]:.3f} ({counts[2]} of {counts[3]}) | {quality:.2f} |"
            )
    return "\n".join(lines)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--speech", required=True, help="the command line program")
    p.add_argument("--model", required=True, help="the output of `python -m bundle float`")
    p.add_argument("--styles", required=True, help="directory of the published style vectors, NAME.bin")
    p.add_argument("--whisper", required=True, help="directory of Whisper base in CTranslate2 format")
    p.add_argument("--work", required=True, type=Path, help="directory for the transcripts")
    p.add_argument("--into", default="hi-IN", choices=list(VARIANTS), help="the language of the voices")
    p.add_argument("--voices", nargs="+", default=["aria", "john"])
    p.add_argument("--variants", nargs="+")
    p.add_argument("--rows", type=int, nargs=2, default=[0, 1000], help="the sentences: first, and one past the last")
    o = p.parse_args()
    variants = VARIANTS[o.into]
    sentences = read_tsv(HERE / f"mixed_{o.into[:2]}.tsv")
    chosen = sentences[slice(*o.rows)]
    texts = [row["text"] for row in chosen]
    lines = {}
    for variant in o.variants or [*variants, "devanagari"]:
        if variant in ("devanagari", "built"):
            said = texts if variant == "built" else [row["reference"] for row in chosen]
            words = inspect(o.speech, said, o.into if variant == "built" else "hi-IN")
            lines[variant] = [with_marks(t, w, [x[2] for x in w]) for t, w in zip(said, words, strict=True)]
        else:
            lines[variant] = lines_of(texts, o.speech, o.into, variants[variant])

    kept = o.work / f"heard-{o.into}.json"
    results = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    listener = hear.Listener(o.whisper)
    acoustic, styles = kokoro.Acoustic.from_float_model(o.model), kokoro.StyleVectors(o.styles)
    recipes = {v["id"]: v["recipes"] for v in json.loads(RECIPES.read_text("utf-8"))["voices"]}
    for voice in o.voices:
        style = styles.table(recipes[voice][o.into])
        for i, text in enumerate(texts):
            for variant in lines:
                said = results.setdefault(variant, {}).setdefault(voice, {})
                line = lines[variant][i]
                if said.get(text, {}).get("phonemes") == line:
                    continue
                same = [kept[voice].get(text, {}) for kept in results.values() if voice in kept]
                same = [heard for heard in same if heard.get("phonemes") == line]
                if same:
                    said[text] = same[0]
                    continue
                samples = acoustic.speak(line, style)
                samples = librosa.resample(samples, orig_sr=kokoro.SAMPLE_RATE, target_sr=hear.SAMPLE_RATE)
                samples = np.clip(samples * LOUDNESS / np.sqrt(np.mean(samples**2)), -1, 1).astype(np.float32)
                quality = round(float(dnsmos.run(samples, hear.SAMPLE_RATE)["ovrl_mos"]), 3)
                said[text] = {"phonemes": line, "heard": listener.transcribe(samples, "hi-IN"), "dnsmos": quality}
                kept.write_text(json.dumps(results, ensure_ascii=False, indent=1), "utf-8")
    kept.write_text(json.dumps(results, ensure_ascii=False, indent=1), "utf-8")
    print(table(results, sentences, o.into))


if __name__ == "__main__":
    main()
