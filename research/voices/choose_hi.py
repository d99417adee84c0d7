"""Chooses the Hindi recipes from what measure.py found, and writes them and the table of everything tried.

  python research/voices/choose_hi.py --work DIR --recipes tools/bundle/recipes.json --table research/voices/table_hi.md

Each voice is to be the person it is in English, whose recipe in the list of voices stays as it is. Candidates outside the
limits below are refused. Of the sets of five that are left, the best has the highest sum, over its voices, of

  similarity to the English self - largest similarity to another voice of the set
  - ERROR_WEIGHT * consonant error rate - PITCH_WEIGHT * semitones between its median pitch and that of the English self

The gain of a voice brings its integrated loudness to results.TARGET_LUFS.
"""

import argparse
import itertools
import json
import math
from dataclasses import dataclass
from pathlib import Path

from results import TARGET_LUFS, gain, markdown, pair_table, peak, read, save_recipes, similarity

MAX_ERRORS = 0.1  # of consonants
MAX_SPOKEN_ERRORS = 0.08  # through the whole library, on twelve other sentences
SPOKEN_ERRORS = {"sofia_d75_p0_beta": 0.081}  # where they are over that
MIN_DNSMOS = 3.4
MAX_SEMITONES = 3.5  # from the median pitch of the English self
ERROR_WEIGHT = 5.0
PITCH_WEIGHT = 0.01


@dataclass
class Candidate:
    """A recipe for one voice, and how like that voice in English it is."""

    name: str
    voice: str
    result: dict
    own: float  # similarity to the English self
    other: tuple[float, str]  # the largest similarity to the English self of another voice, and which
    semitones: float  # above the English self

    @property
    def errors(self):
        return self.result["errors"]["all"]

    def objections(self):
        """Why it cannot be chosen; empty if it can."""
        found = []
        if self.errors > MAX_ERRORS:
            found.append(f"errors {self.errors:.3f}")
        spoken = SPOKEN_ERRORS.get(self.name, 0)
        if spoken > MAX_SPOKEN_ERRORS:
            found.append(f"errors spoken {spoken:.3f}")
        if self.result["dnsmos"] < MIN_DNSMOS:
            found.append(f"DNSMOS {self.result['dnsmos']:.2f}")
        if abs(self.semitones) > MAX_SEMITONES:
            found.append(f"pitch {self.semitones:+.1f}")
        if self.own < self.other[0]:
            found.append(f"more like {self.other[1]}")
        return found

    def merit(self):
        """Its part of the sum, without the other voices of the set."""
        return self.own - ERROR_WEIGHT * self.errors - PITCH_WEIGHT * abs(self.semitones)


def english_selves(recipes, results):
    """{voice: what was measured of its English recipe}"""
    selves = {}
    for voice in json.loads(recipes.read_text("utf-8"))["voices"]:
        english = {part: voice["recipes"]["en-US"][part] for part in ("timbre", "prosody")}
        selves[voice["id"]] = next(r for r in results.values() if r["recipe"] == english)
    return selves


def candidate(name, result, selves):
    likeness = {voice: similarity(result, self) for voice, self in selves.items()}
    own = likeness.pop(result["voice"])
    other = max((value, voice) for voice, value in likeness.items())
    semitones = 12 * math.log2(result["f0"][1] / selves[result["voice"]]["f0"][1])
    return Candidate(name, result["voice"], result, own, other, semitones)


def nearest(one, chosen):
    return max((similarity(one.result, other.result), other.voice) for other in chosen if other is not one)


def choose(candidates, voices):
    """The best set of five: {voice: candidate}."""
    allowed = [[c for c in candidates if c.voice == voice and not c.objections()] for voice in voices]
    if not all(allowed):
        raise SystemExit(
            f"no candidate within the limits: {[v for v, a in zip(voices, allowed, strict=True) if not a]}"
        )
    best = max(
        itertools.product(*allowed),
        key=lambda five: sum(c.merit() - nearest(c, five)[0] for c in five),
    )
    return dict(zip(voices, best, strict=True))


def blend(weights):
    return " + ".join(name if weight == 1 else f"{weight:g} {name}" for name, weight in weights.items())


def figures(c):
    r = c.result
    return [
        f"{r['dnsmos']:.2f}",
        f"{c.own:.2f}",
        f"{c.other[1]} {c.other[0]:.2f}",
        f"{r['f0'][1]:.0f} ({c.semitones:+.1f})",
        f"{r['rate']:.1f}",
    ]


FIGURES = ["DNSMOS", "own", "other", "F0, Hz (semitones)", "phonemes/s"]


def chosen_table(chosen):
    five = list(chosen.values())
    rows = []
    for c in five:
        near = nearest(c, five)
        recipe = c.result["recipe"]
        levels = [f"{gain(c.result):+.1f}", f"{peak(c.result):.1f}", f"{near[1]} {near[0]:.2f}"]
        rows.append(
            [c.voice, blend(recipe["timbre"]), blend(recipe["prosody"]), f"{c.errors:.3f}", *figures(c), *levels]
        )
    return markdown(["voice", "timbre", "prosody", "errors", *FIGURES, "gain, dB", "peak", "nearest in Hindi"], rows)


def measured_table(candidates, chosen):
    rows = []
    for c in sorted(candidates, key=lambda c: (c.voice, -c.merit())):
        status = "chosen" if chosen[c.voice].name == c.name else ", ".join(c.objections())
        rows.append([c.name, f"{c.errors:.3f}", f"{c.result['score']:.2f}", *figures(c), f"{c.merit():.3f}", status])
    return markdown(["candidate", "errors", "score", *FIGURES, "merit", "refused for"], rows)


def document(screened, candidates, chosen):
    lines = [
        "# Hindi voices: everything tried",
        "",
        "Made by `measure.py` and `choose_hi.py`; README.md explains the choice. A candidate `VOICE_tT_pP_HINDI` has T % of the",
        "voice's English blend in the timbre and P % in the prosody; the rest is the Hindi style vector. `VOICE_dD_pP_HINDI` has",
        "the whole English timbre, moved D % of the way from the mean English to the mean Hindi style vector. Errors: of",
        "consonants, by Whisper. Score: the log probability, a token, that Whisper gives to the sentences. Own: similarity to the",
        "voice in English. Other: the same for the most similar of the other four. Semitones: the median pitch above the voice in",
        "English. Merit: what `choose_hi.py` maximizes, without the similarity to the others in the set.",
        "",
        "## Chosen",
        "",
        f"Gain: to {TARGET_LUFS:g} LUFS. Peak: after the gain, in dBFS.",
        "",
        *chosen_table(chosen),
        "",
        "In Hindi, pair by pair:",
        "",
        *pair_table({voice: c.result for voice, c in chosen.items()}),
        "",
        "## Heard on the sentences of sets a and b",
        "",
        *measured_table(candidates, chosen),
        "",
        "## Screened on the sentences of set a",
        "",
        *markdown(["candidate", *FIGURES], [[c.name, *figures(c)] for c in screened]),
    ]
    return "\n".join(lines) + "\n"


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--work", required=True, type=Path, help="measure.py's directory, with results of both languages")
    p.add_argument(
        "--recipes", required=True, type=Path, help="the bundle's list of voices; its Hindi recipes are replaced"
    )
    p.add_argument("--table", required=True, type=Path, help="file to write: everything tried, as Markdown")
    o = p.parse_args()
    selves = english_selves(o.recipes, read(o.work, "en-US"))
    screened, candidates = (
        [candidate(name, r, selves) for name, r in read(o.work, "hi-IN", sets).items()] for sets in ("a", "ab")
    )
    chosen = choose(candidates, sorted(selves))
    save_recipes(o.recipes, "hi-IN", {voice: c.result for voice, c in chosen.items()})
    o.table.write_text(document(screened, candidates, chosen), "utf-8")
    print(o.table.read_text("utf-8"))


if __name__ == "__main__":
    main()
