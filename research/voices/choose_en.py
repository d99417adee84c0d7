"""Chooses the five voices from what measure.py found, and writes their English recipes and the table of everything tried.

  python research/voices/choose_en.py --work DIR --recipes tools/bundle/recipes.json --table research/voices/table_en.md

The default voice, aria, is given (DEFAULT). The other four are the set, among the candidates within the limits below,
whose most similar pair of speakers is the least similar; sets whose men are not spread in pitch are left out.
The lowest man is john, the middle one jason, the highest leo.

The gain of a voice brings its integrated loudness to results.TARGET_LUFS.
"""

import argparse
import itertools
from pathlib import Path

import numpy as np

from results import TARGET_LUFS, gain, markdown, pair_table, peak, read, save_recipes, similarity

DEFAULT = "af_heart"
MAX_WER = 0.03  # on each set of sentences
MIN_DNSMOS = 3.4
FEMALE_F0 = (160, 260)  # Hz, median
MALE_F0 = (80, 150)
MIN_PITCH_RATIO = 1.06  # between neighbouring men: one semitone
SPOKEN_WER = {"onyx_michael": 0.031}  # through the whole library, phonemes and resampling included, where that is worse


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
    rates = {**result["errors"], "spoken": SPOKEN_WER.get(name, 0)}
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


def table(results, chosen, refused, feminine):
    by_name = {name: voice for voice, name in chosen.items()}
    lines = [
        "# English voices: everything tried",
        "",
        "Made by `measure.py` and `choose_en.py`; README.md explains the columns and the choice. Word error rates on the",
        "sentence sets a and b. Similarity: cosine of speaker embeddings, to the nearest of the five chosen. Peak: after",
        f"the gain that gives {TARGET_LUFS:g} LUFS, in dBFS. Female: similarity to the mean woman less that to the mean man.",
        "",
    ]
    head = "candidate, model, chosen as, WER a, WER b, DNSMOS, F0 Hz (10 % to 90 %), phonemes/s, LUFS, gain dB, peak, female"
    rows = []
    for name, r in sorted(results.items(), key=lambda item: (item[1]["sex"], -item[1]["dnsmos"])):
        near = max((similarity(r, results[n]), v) for v, n in chosen.items() if n != name)
        rows.append(
            [
                name,
                r["model"],
                by_name.get(name, ""),
                f"{r['errors']['a']:.3f}",
                f"{r['errors']['b']:.3f}",
                f"{r['dnsmos']:.2f}",
                f"{r['f0'][1]:.0f} ({r['f0'][0]:.0f} to {r['f0'][2]:.0f})",
                f"{r['rate']:.1f}",
                f"{r['lufs']:.1f}",
                f"{gain(r):+.1f}",
                f"{peak(r):.1f}",
                f"{feminine[name]:+.2f}",
                f"{near[1]} {near[0]:.2f}",
                ", ".join(refused[name]),
            ]
        )
    lines += markdown([*head.split(", "), "nearest", "refused for"], rows)
    lines += ["", "## The five, pair by pair", ""]
    lines += pair_table({voice: results[name] for voice, name in chosen.items()})
    return "\n".join(lines) + "\n"


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--work", required=True, type=Path, help="measure.py's directory")
    p.add_argument(
        "--recipes", required=True, type=Path, help="the bundle's list of voices; its English recipes are replaced"
    )
    p.add_argument("--table", required=True, type=Path, help="file to write: everything tried, as Markdown")
    o = p.parse_args()
    results = read(o.work, "en-US")
    feminine = femininity(results)
    refused = {name: objections(name, result, feminine[name]) for name, result in results.items()}
    chosen = choose(results, [name for name, found in refused.items() if not found])
    save_recipes(o.recipes, "en-US", {voice: results[name] for voice, name in chosen.items()})
    o.table.write_text(table(results, chosen, refused, feminine), "utf-8")
    print(o.table.read_text("utf-8"))


if __name__ == "__main__":
    main()
