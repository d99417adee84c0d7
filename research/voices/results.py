"""What measure.py found, and what the choices of both languages make of it."""

import json

import numpy as np

TARGET_LUFS = -22.0


def path(work, language, sets=""):
    """The file of results, of all sentences or of the given sets of them."""
    return work / f"results-{'-'.join(filter(None, (language, sets)))}.json"


def read(work, language, sets=""):
    """{candidate name: figures}"""
    file = path(work, language, sets)
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def similarity(a, b):
    return float(np.dot(a["embedding"], b["embedding"]))


def gain(result):
    """The gain in dB that brings the voice to TARGET_LUFS."""
    return round(TARGET_LUFS - result["lufs"], 1)


def peak(result):
    """The highest sample, in dBFS, after the gain."""
    return max(result["peaks"]) + gain(result)


def save_recipes(file, language, chosen):
    """Puts the recipes and gains of the chosen results, {voice: result}, into the bundle's list of voices."""
    voices = json.loads(file.read_text("utf-8"))
    for voice in voices["voices"]:
        result = chosen[voice["id"]]
        voice["recipes"][language] = {**result["recipe"], "gain_db": gain(result)}
    file.write_text(json.dumps(voices, indent=2, sort_keys=True) + "\n", "utf-8")


def markdown(head, rows):
    """A Markdown table as lines."""
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


def pair_table(chosen):
    """How similar each two of the chosen, {voice: result}, are, as Markdown lines."""
    voices = sorted(chosen)
    rows = [[a, *(f"{similarity(chosen[a], chosen[b]):.2f}" for b in voices)] for a in voices]
    return markdown(["", *voices], rows)
