"""The files that the other engines read, made from the published weights that our voice bundle is made from too.

    kokoro/model.onnx        the published int8 graph, as it is
    kokoro/model-fp32.onnx   the same weights in float32: what the bundle tool takes its weights from
    kokoro/voices.npz        the style vectors of one voice
    kokoro-pi                what kokoro-pi makes of the float32 graph (`drivers.kokoro_pi`)
    sherpa/model.onnx        the bytes of the int8 graph, and after them the metadata that sherpa-onnx reads
    sherpa/model-fp32.onnx   the same of the float32 graph
    sherpa/voices.bin        the style vectors as float32 [1, 510, 1, 256]
    sherpa/tokens.txt        each phoneme symbol and its number
    sherpa/lexicon.txt       the words of the texts in our phonemes: sherpa-onnx 2.0 has none of its own

The lexicon has one pronunciation a word, so a `the` before a vowel is said like any other.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from bundle.model import float_graph
from bundle.sources import STYLE_ROWS, STYLE_WIDTH, Sources

from .configurations import JUDGED, KOKORO_PI
from .errors import CompareError, NotHere

VOICE = "af_heart"
"""The published voice that our default voice is made from."""

METADATA = {
    "sample_rate": "24000",
    "version": "2",
    "n_speakers": "1",
    "speaker_names": VOICE,
    "style_dim": f"{STYLE_ROWS},1,{STYLE_WIDTH}",
    "has_espeak": "0",
    "voice": "en-us",
}
"""The metadata that sherpa-onnx requires of a Kokoro model; version 2 and up is Kokoro v1.0, which uses a lexicon."""


@dataclass(frozen=True)
class Inputs:
    """The paths of the files, and each driver's Python."""

    root: Path
    kokoro_pi: Path | None = None
    """The interpreter of the kokoro-pi environment, if there is one."""

    def interpreter(self, driver: str) -> Path:
        """The driver's interpreter. Raises `NotHere` if the driver has no environment."""
        if driver != KOKORO_PI:
            return Path(sys.executable)
        if self.kokoro_pi is None:
            raise NotHere("its package is compiled for Linux only")
        return self.kokoro_pi

    def options(self, driver: str) -> dict[str, str]:
        """The driver's options for these files."""
        return {
            "kokoro": {"directory": str(self.root / "kokoro"), "voice": VOICE},
            KOKORO_PI: {"directory": str(self.root / "kokoro-pi"), "voice": VOICE},
            "sherpa": {"directory": str(self.root / "sherpa")},
        }.get(driver, {})


def prepare(root: Path, downloads: Path, speech: Path, kokoro_pi: Path | None) -> Inputs:
    """Writes the files from the downloads listed in `tools/bundle/sources.json`. `speech` makes the phonemes, and
    `kokoro_pi` is the interpreter with that package."""
    sources = Sources.verified(downloads)
    model = sources.published_model()
    styles = sources.style_tables({VOICE})[VOICE]
    kokoro, sherpa = root / "kokoro", root / "sherpa"
    for directory in (kokoro, sherpa):
        directory.mkdir(parents=True, exist_ok=True)
    (kokoro / "model.onnx").write_bytes(model)
    in_float32 = _in_float32(model)
    (kokoro / "model-fp32.onnx").write_bytes(in_float32)
    np.savez(kokoro / "voices.npz", **{VOICE: styles[:, None, :]})
    (sherpa / "model.onnx").write_bytes(with_metadata(model))
    (sherpa / "model-fp32.onnx").write_bytes(with_metadata(in_float32))
    (sherpa / "voices.bin").write_bytes(styles.astype("<f4").tobytes())
    tokens = "".join(f"{symbol} {number}\n" for symbol, number in sources.vocabulary().items())
    (sherpa / "tokens.txt").write_text(tokens, encoding="utf-8")
    (sherpa / "lexicon.txt").write_text(lexicon(_inspected(speech)), encoding="utf-8")
    inputs = Inputs(root, kokoro_pi)
    if kokoro_pi is not None:
        _derive(inputs)
    return inputs


def with_metadata(model: bytes) -> bytes:
    """The model with `METADATA`. Appending a message to a serialized one merges the two: nothing else changes."""
    entries = [onnx.StringStringEntryProto(key=key, value=value) for key, value in METADATA.items()]
    return model + onnx.ModelProto(metadata_props=entries).SerializeToString()


def lexicon(inspected: Iterable[dict[str, Any]]) -> str:
    """One line per word with its phonemes, separated by spaces, from the output of `speech inspect --lines`."""
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


def _derive(inputs: Inputs) -> None:
    """Lets kokoro-pi rewrite the float32 graph, in its own environment."""
    kokoro = inputs.root / "kokoro"
    module = [inputs.interpreter(KOKORO_PI), "-m", f"{__package__}.drivers.{KOKORO_PI}"]
    arguments = [kokoro / "model-fp32.onnx", kokoro / "voices.npz", inputs.root / "kokoro-pi", VOICE]
    done = subprocess.run([*module, "derive", *arguments], stderr=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode:
        raise CompareError(f"kokoro-pi made no model: {done.stderr.strip().splitlines()[-1]}")


def _inspected(speech: Path) -> list[dict[str, Any]]:
    lines = "".join(f"{entry['text']}\n" for entry in JUDGED)
    command = [speech, "inspect", "--lines"]
    output = subprocess.run(command, input=lines, capture_output=True, encoding="utf-8", check=True).stdout
    return [json.loads(line) for line in output.splitlines()]
