"""Measures the error of timestamps against the audio, at clear edges found in the samples alone.

An edge is clear where the sound changes quickly and lastingly: between a vowel or a sonorant and a voiceless sibilant,
into and out of the closure of a stop, into and out of a nasal, and next to silence. From the middle of one phoneme to
that of the next, and a little beyond, the time is chosen that splits an energy curve into two levels, by least squares.
An edge counts if the levels differ enough and explain most of the variance. The curves are the energy below 1.2 kHz,
above 3.5 kHz and in total, over windows of 8 ms every millisecond. Silence is 38 dB below the 95th percentile of the
energy.

    python edges.py [--rows FROM:TO] -- PROGRAM say [OPTIONS of the program]
"""

import argparse
import csv
import itertools
import json
import subprocess
import tempfile
import wave
from collections import defaultdict
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

SENTENCES = Path(__file__).parent.parent / "voices" / "data"
VOICES = ["aria", "jason", "john", "leo", "sofia"]
VOWELS = "aeiouæɑɔəɛɜɪʊʌɐ"
LOWER, UPPER = 1200, 3500
WINDOW = 0.008
SILENCE = 38
# How far beyond the middles of two phonemes their edge is searched for, in seconds: errors may be large.
REACH = 0.04
# A pause in the text is a gap of at least the first, in seconds, in the events; silence lasts at least the second.
PAUSE, SHORTEST_SILENCE = 0.1, 0.03


class Curves:
    """Energies in decibels, one value per millisecond."""

    def __init__(self, samples: np.ndarray, rate: int) -> None:
        window = int(WINDOW * rate)
        padded = np.pad(samples, (window // 2, window))
        starts = (np.arange(len(samples) * 1000 // rate) * rate / 1000).astype(int)
        frames = sliding_window_view(padded, window)[starts] * np.hanning(window)
        power = np.abs(np.fft.rfft(frames, 512)) ** 2
        frequencies = np.fft.rfftfreq(512, 1 / rate)
        energy = lambda band: 10 * np.log10(power[:, band].sum(1) + 1e-8)
        self.low = energy(frequencies < LOWER)
        self.tilt = energy(frequencies > UPPER) - self.low
        self.whole = energy(frequencies > 60)
        self.is_silent = self.whole < np.percentile(self.whole, 95) - SILENCE


def edge(curve: np.ndarray, start: float, end: float, sign: int, least: float) -> float | None:
    """The time that splits a range of a curve into two levels that differ by `least` or more, up (1) or down (-1)."""
    first = max(0, round(start * 1000))
    part = curve[first : round(end * 1000)]
    if len(part) < 15:
        return None
    at = np.arange(3, len(part) - 3)
    sums, squares = np.cumsum(part), np.cumsum(part * part)
    left = squares[at - 1] - sums[at - 1] ** 2 / at
    right = squares[-1] - squares[at - 1] - (sums[-1] - sums[at - 1]) ** 2 / (len(part) - at)
    best = int(np.argmin(left + right))
    cut = int(at[best])
    jump = part[cut:].mean() - part[:cut].mean()
    explained = 1 - (left + right)[best] / max(part.var() * len(part), 1e-9)
    return (first + cut) / 1000 if jump * sign >= least and explained >= 0.65 else None


def kind(before: str, after: str) -> tuple[str, str, int, float] | None:
    """The name of an edge, the curve that shows it, its direction and its minimum height in decibels."""
    vowel_before, vowel_after = before[-1] in VOWELS + "ː", after[0] in VOWELS
    sonorant = "mnŋlɹwjr"
    if (vowel_before or before in sonorant) and after[0] in "sʃ":
        return "into a sibilant", "tilt", 1, 12
    if before[-1] in "sʃ" and (vowel_after or after[0] in sonorant):
        return "out of a sibilant", "tilt", -1, 12
    if vowel_before and after[0] in "ptkʈbdɡɖ":
        return "into a stop", "whole", -1, 12
    if before in "ptkbdɡ" and vowel_after:
        return "out of a stop", "low", 1, 12
    if vowel_before and after[0] in "mn":
        return "into a nasal", "tilt", -1, 5
    if before in "mn" and vowel_after:
        return "out of a nasal", "tilt", 1, 5
    return None


def errors(curves: Curves, events: list[dict]) -> list[tuple[str, float]]:
    """The name of each clear edge, and by how many seconds the event is late."""
    sounds = [event for event in events if event["event"] == "phoneme"]
    heard = np.nonzero(~curves.is_silent)[0] / 1000
    found = [("first sound", sounds[0]["start"] - heard[0]), ("last sound", sounds[-1]["end"] - heard[-1])]
    for before, after in itertools.pairwise(sounds):
        middles = [(sound["start"] + sound["end"]) / 2 for sound in (before, after)]
        if after["start"] - before["end"] > PAUSE:
            inside = heard[(heard > middles[0]) & (heard < middles[1])]
            gaps = np.diff(inside)
            if len(gaps) and gaps.max() >= SHORTEST_SILENCE:
                at = int(gaps.argmax())
                found.append(("before a pause", before["end"] - inside[at]))
                found.append(("after a pause", after["start"] - inside[at + 1]))
            continue
        names = [sound["ipa"].lstrip("ˈˌ") for sound in (before, after)]
        of = kind(names[0], names[1])
        at = of and edge(getattr(curves, of[1]), middles[0] - REACH, middles[1] + REACH, of[2], of[3])
        if at is not None:
            # Where a space is between the phonemes, the edge is in it.
            error = max(before["end"] - at, 0.0) + min(after["start"] - at, 0.0)
            found.append((of[0], error))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="0:50", help="the range of sentences in the voices' tables")
    parser.add_argument("--language", default="en-US", choices=["en-US", "hi-IN"])
    parser.add_argument("command", nargs="+", help="the program, `say` and its options")
    arguments = parser.parse_args()
    with (SENTENCES / f"sentences_{arguments.language[:2]}.tsv").open(encoding="utf-8") as file:
        texts = [row["text"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    first, last = (int(row) for row in arguments.rows.split(":"))
    table = defaultdict(list)
    for index, text in enumerate(texts[first:last]):
        with tempfile.TemporaryDirectory() as folder:
            sound, lines = Path(folder, "sound.wav"), Path(folder, "events.jsonl")
            options = ["--language", arguments.language, "--voice", VOICES[index % len(VOICES)]]
            files = ["--output", str(sound), "--events", str(lines)]
            subprocess.run([*arguments.command, *options, *files, text], check=True)
            with wave.open(str(sound)) as file:
                samples = np.frombuffer(file.readframes(file.getnframes()), np.int16) / 32768
                curves = Curves(samples, file.getframerate())
            events = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
        for name, error in errors(curves, events):
            table[name].append(error * 1000)
            table["all"].append(error * 1000)
    print("| edge | edges | median, ms | median of the magnitude, ms | within 20 ms | 95 % within, ms |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, values in table.items():
        sizes = np.abs(values)
        print(
            f"| {name} | {len(values)} | {np.median(values):.0f} | {np.median(sizes):.0f} "
            f"| {np.mean(sizes <= 20):.0%} | {np.percentile(sizes, 95):.0f} |"
        )


if __name__ == "__main__":
    main()
