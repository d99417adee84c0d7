"""The files that the other engines read, made from the published weights that our voice bundle is made from too.

    kokoro/model.onnx        the published int8 graph, as it is
    kokoro/voices.npz        the style vectors of one voice
    sherpa/model.onnx        the same bytes, and after them the metadata that sherpa-onnx reads
    sherpa/model-fp32.onnx   the same weights in float32: what the bundle tool takes its weights from
    sherpa/voices.bin        the style vectors as float32 [1, 510, 1, 256]
    sherpa/tokens.txt        each phoneme symbol and its number
    sherpa/lexicon.txt       the words of the texts in our phonemes: sherpa-onnx 2.0 has none of its own

The lexicon has one pronunciation a word, so a `the` before a vowel is said like any other.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from bundle.model import float_graph
from bundle.sources import STYLE_ROWS, STYLE_WIDTH, Sources

from .configurations import TEXTS

VOICE = "af_heart"
"""The published voice that our default voice sounds like."""

METADATA = {
    "sample_rate": "24000",
    "version": "2",
    "n_speakers": "1",
    "speaker_names": VOICE,
    "style_dim": f"{STYLE_ROWS},1,{STYLE_WIDTH}",
    "has_espeak": "0",
    "voice": "en-us",
}
"""What sherpa-onnx asks a Kokoro model for; version 2 and up is Kokoro v1.0, which reads text with a lexicon."""


@dataclass(frozen=True)
class Inputs:
    """Where the files are."""

    root: Path

    def options(self, driver: str) -> dict[str, str]:
        """What the driver needs to know of them."""
        kokoro = self.root / "kokoro"
        return {
            "kokoro": {
                "model": str(kokoro / "model.onnx"),
                "voices": str(kokoro / "voices.npz"),
                "voice": VOICE,
            },
            "sherpa": {"directory": str(self.root / "sherpa")},
        }.get(driver, {})


def prepare(root: Path, downloads: Path, speech: Path) -> Inputs:
    """Writes the files from the downloads that `tools/bundle/sources.json` names. `speech` makes the phonemes."""
    sources = Sources.verified(downloads)
    model = sources.published_model()
    styles = sources.style_tables({VOICE})[VOICE]
    kokoro, sherpa = root / "kokoro", root / "sherpa"
    for directory in (kokoro, sherpa):
        directory.mkdir(parents=True, exist_ok=True)
    (kokoro / "model.onnx").write_bytes(model)
    np.savez(kokoro / "voices.npz", **{VOICE: styles[:, None, :]})
    (sherpa / "model.onnx").write_bytes(with_metadata(model))
    (sherpa / "model-fp32.onnx").write_bytes(with_metadata(_in_float32(model)))
    (sherpa / "voices.bin").write_bytes(styles.astype("<f4").tobytes())
    tokens = "".join(f"{symbol} {number}\n" for symbol, number in sources.vocabulary().items())
    (sherpa / "tokens.txt").write_text(tokens, encoding="utf-8")
    (sherpa / "lexicon.txt").write_text(lexicon(_inspected(speech)), encoding="utf-8")
    return Inputs(root)


def with_metadata(model: bytes) -> bytes:
    """The model with `METADATA`. Appending a message to a serialized one merges the two: nothing else changes."""
    entries = [onnx.StringStringEntryProto(key=key, value=value) for key, value in METADATA.items()]
    return model + onnx.ModelProto(metadata_props=entries).SerializeToString()


def lexicon(inspected: Iterable[dict[str, Any]]) -> str:
    """A line a word, its phonemes apart from each other, from what `speech inspect --lines` says of each text."""
    words: dict[str, str] = {}
    for text in inspected:
        for sentence in text["sentences"]:
            for word in sentence["words"]:
                words.setdefault(word["source"].lower(), word["phonemes"])
    return "".join(f"{word} {' '.join(phonemes)}\n" for word, phonemes in words.items())


def _in_float32(model: bytes) -> bytes:
    graph, _ = float_graph(model)
    graph.outputs = graph.outputs[:1]  # The audio: the export has no durations.
    return graph.to_model().SerializeToString()


def _inspected(speech: Path) -> list[dict[str, Any]]:
    lines = "".join(f"{entry['text']}\n" for entry in TEXTS)
    command = [speech, "inspect", "--lines"]
    output = subprocess.run(command, input=lines, capture_output=True, encoding="utf-8", check=True).stdout
    return [json.loads(line) for line in output.splitlines()]
