"""Chooses the five voices from what measure.py found, and writes their recipes and the table of everything tried.

  python tools/voices/choose.py --work DIR --recipes RECIPES.json --table tools/voices/table_en.md

The default voice, aria, is given (DEFAULT). The other four are the set, among the candidates within the limits below,
whose most similar pair of speakers is the least similar; sets whose men are not spread in pitch are left out.
The lowest man is john, the middle one jason, the highest leo.

The gain of a voice brings its integrated loudness to TARGET_LUFS, for each language.
"""

import argparse
import itertools
import json
from pathlib import Path

import numpy as np

TARGET_LUFS = -22.0
DEFAULT = "af_heart"
MAX_WER = 0.03  # on each set of sentences
MIN_DNSMOS = 3.2
FEMALE_F0 = (160, 260)  # Hz, median
MALE_F0 = (80, 150)
MIN_PITCH_RATIO = 1.06  # between neighbouring men: one semitone
SPOKEN_WER = {"onyx_michael": 0.031}  # through the whole library, phonemes and resampling included, where that is worse
VOICES = ("aria", "jason", "john", "leo", "sofia")


def similarity(a, b):
    return float(np.dot(a["embedding"], b["embedding"]))


def femininity(results):
    """How much closer each speaker is to the mean woman than to the mean man, itself left out of the means."""
    score = {}
    for name, result in results.items():
        mean = {}
        for sex in "fm":
            others = [r["embedding"] for n, r in results.items() if r["sex"] == sex and n != name]
            mean[sex] = np.mean(others, axis=0)
            mean[sex] /= np.linalg.norm(mean[sex])
        score[name] = float(np.dot(result["embedding"], mean["f"]) - np.dot(result["embedding"], mean["m"]))
    return score


def objections(name, result, feminine):
    """Why a candidate cannot be chosen; empty if it can."""
    rates = {**result["wer"], "spoken": SPOKEN_WER.get(name, 0)}
    found = [f"WER {kind} {wer:.3f}" for kind, wer in rates.items() if wer > MAX_WER]
    if result["model"] != "bundle":
        found.append("measured on another graph")
    if result["dnsmos"] < MIN_DNSMOS:
        found.append(f"DNSMOS {result['dnsmos']:.2f}")
    low, high = FEMALE_F0 if result["sex"] == "f" else MALE_F0
    if not low <= result["f0"][1] <= high:
        found.append(f"pitch {result['f0'][1]:.0f} Hz")
    if (feminine > 0) != (result["sex"] == "f"):
        found.append("embedding of the other sex")
    return found


def choose(results, allowed):
    """{voice: candidate name}"""
    women = [n for n in allowed if results[n]["sex"] == "f" and n != DEFAULT]
    men = [n for n in allowed if results[n]["sex"] == "m"]
    best = None
    for woman in women:
        for trio in itertools.combinations(men, 3):
            trio = sorted(trio, key=lambda n: results[n]["f0"][1])
            pitches = [results[n]["f0"][1] for n in trio]
            if min(b / a for a, b in zip(pitches, pitches[1:])) < MIN_PITCH_RATIO:
                continue
            names = [DEFAULT, woman, *trio]
            pairs = sorted(
                (similarity(results[a], results[b]) for a, b in itertools.combinations(names, 2)), reverse=True
            )
            if best is None or pairs < best[0]:
                best = pairs, dict(zip(("aria", "sofia", "john", "jason", "leo"), names))
    if best is None:
        raise SystemExit("no set of five is within the limits")
    return best[1]


def gain(result):
    return round(TARGET_LUFS - result["lufs"], 1)


def recipes(chosen, english, hindi):
    voices = []
    for voice in VOICES:
        languages = {"en-US": {**english[chosen[voice]]["recipe"], "gain_db": gain(english[chosen[voice]])}}
        if voice in hindi:
            languages["hi-IN"] = {**hindi[voice]["recipe"], "gain_db": gain(hindi[voice])}
        voices.append({"id": voice, "name": voice.capitalize(), "recipes": languages})
    return voices


def peak(result):
    return max(result["peaks"]) + gain(result)


def table(results, chosen, refused, feminine, hindi):
    by_name = {name: voice for voice, name in chosen.items()}
    lines = [
        "# English voices: everything tried",
        "",
        "Made by `measure.py` and `choose.py`; README.md explains the columns and the choice. Word error rates on the",
        "sentence sets a and b. Similarity: cosine of speaker embeddings, to the nearest of the five chosen. Peak: after",
        f"the gain that gives {TARGET_LUFS:g} LUFS, in dBFS. Female: similarity to the mean woman less that to the mean man.",
        "",
        "| candidate | model | chosen as | WER a | WER b | DNSMOS | F0, Hz (10 % to 90 %) | phonemes/s | LUFS | gain, dB | peak | female | nearest | refused for |",
        "|---" * 14 + "|",
    ]
    for name, r in sorted(results.items(), key=lambda item: (item[1]["sex"], -item[1]["dnsmos"])):
        near = max((similarity(r, results[n]), v) for v, n in chosen.items() if n != name)
        lines.append(
            f"| {name} | {r['model']} | {by_name.get(name, '')} | {r['wer']['a']:.3f} | {r['wer']['b']:.3f} | {r['dnsmos']:.2f} "
            f"| {r['f0'][1]:.0f} ({r['f0'][0]:.0f} to {r['f0'][2]:.0f}) | {r['rate']:.1f} | {r['lufs']:.1f} | {gain(r):+.1f} "
            f"| {peak(r):.1f} | {feminine[name]:+.2f} | {near[1]} {near[0]:.2f} | {', '.join(refused[name])} |"
        )
    lines += ["", "## The five, pair by pair", "", "| | " + " | ".join(VOICES) + " |", "|---" * (len(VOICES) + 1) + "|"]
    for a in VOICES:
        row = [f"{similarity(results[chosen[a]], results[chosen[b]]):.2f}" for b in VOICES]
        lines.append(f"| {a} | " + " | ".join(row) + " |")
    if hindi:
        lines += ["", "## Hindi, provisional", "", "Same voice: similarity to the English voice of the same name.", ""]
        lines += [
            "| voice | blend | DNSMOS | F0, Hz | LUFS | gain, dB | peak | same voice |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for voice, r in sorted(hindi.items()):
            blend = " + ".join(f"{w:g} {n}" for n, w in r["recipe"]["timbre"].items())
            lines.append(
                f"| {voice} | {blend} | {r['dnsmos']:.2f} | {r['f0'][1]:.0f} | {r['lufs']:.1f} | {gain(r):+.1f} "
                f"| {peak(r):.1f} | {similarity(r, results[chosen[voice]]):.2f} |"
            )
    return "\n".join(lines) + "\n"


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--work", required=True, type=Path, help="measure.py's directory")
    p.add_argument("--recipes", required=True, type=Path, help="file to write: the bundle's list of voices")
    p.add_argument("--table", required=True, type=Path, help="file to write: everything tried, as Markdown")
    o = p.parse_args()
    english = json.loads((o.work / "results-en-US.json").read_text("utf-8"))
    hindi_path = o.work / "results-hi-IN.json"
    hindi = json.loads(hindi_path.read_text("utf-8")) if hindi_path.exists() else {}

    feminine = femininity(english)
    refused = {name: objections(name, result, feminine[name]) for name, result in english.items()}
    chosen = choose(english, [name for name, found in refused.items() if not found])
    o.recipes.write_text(
        json.dumps({"voices": recipes(chosen, english, hindi)}, indent=2, sort_keys=True) + "\n", "utf-8"
    )
    o.table.write_text(table(english, chosen, refused, feminine, hindi), "utf-8")
    print(o.table.read_text("utf-8"))


if __name__ == "__main__":
    main()
