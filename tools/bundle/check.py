"""Compares a finished bundle with its source model: every weight must be exactly the model's.

A quantized export is also run unchanged, and compared with the export in float32, which is how the library computes.
The bounds are wide, because the quantized export's rounding changes durations.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import onnx
from numpy.typing import NDArray

from . import prosody, vocoder
from .canonical import canonicalize
from .cases import HELLO, HINDI, OTHERS, Case, Feeds, feed_of
from .errors import BundleError
from .graph import Graph
from .loader import open_model, read_weights
from .model import float_graph
from .spectrum import average_spectrum_distance
from .store import PROSODY_WEIGHTS, VOCODER_WEIGHTS, VOICES

if TYPE_CHECKING:
    import onnxruntime

MAX_SPECTRUM_CHANGE_QUANTIZED = 5.0
MAX_LENGTH_CHANGE_QUANTIZED = 10.0
MAX_TOKEN_CHANGE_QUANTIZED = 6

CASES = (HELLO, HINDI, *OTHERS)

Values = dict[str, NDArray]


def check(directory: Path, export: bytes, say: Callable[[str], None], cases: tuple[Case, ...] = CASES) -> None:
    """Raises BundleError if the weights in `directory` are not those of the model `export`, or the audio differs too
    much."""
    graph, changes = check_weights(directory, export)
    say("  the weights are those of the model")
    if any(name.startswith("dequantized") for name in changes):
        _check_quantized(export, graph, _feeds(directory, cases), say)


def check_weights(directory: Path, export: bytes) -> tuple[Graph, dict[str, int]]:
    """Raises BundleError if the weights in `directory` are not those of `export`; returns its `float_graph`."""
    graph, changes = float_graph(export)
    prosody.compare_with_export(read_weights(directory / PROSODY_WEIGHTS), graph)
    vocoder.compare_with_export(read_weights(directory / VOCODER_WEIGHTS), graph)
    return graph, changes


def _feeds(directory: Path, cases: tuple[Case, ...]) -> list[Feeds]:
    vocabulary = json.loads((directory / "bundle.json").read_bytes())["vocabulary"]
    tables = read_weights(directory / VOICES)
    return [feed_of(case, vocabulary, tables[case.table]) for case in cases]


def _check_quantized(export: bytes, plain_graph: Graph, feeds: list[Feeds], say: Callable[[str], None]) -> None:
    """Compares the export in float arithmetic with the unchanged quantized export."""
    graph = Graph.from_model(onnx.load_model_from_string(export))
    canonicalize(graph)
    quantized = open_model(graph.to_model().SerializeToString())
    plain = open_model(plain_graph.to_model().SerializeToString())
    distances, lengths, tokens = [], [], []
    for feed in feeds:
        expected, found = _run(quantized, feed), _run(plain, feed)
        distances.append(average_spectrum_distance(expected["audio"], found["audio"]))
        lengths.append(abs(found["audio"].size / expected["audio"].size - 1))
        tokens.append(int(np.abs(expected["durations"] - found["durations"]).max()))
    say("  against the quantized model as it is:")
    _require("largest distance of the average spectra, dB", max(distances), MAX_SPECTRUM_CHANGE_QUANTIZED, say)
    _require("largest change of length, percent", 100 * max(lengths), MAX_LENGTH_CHANGE_QUANTIZED, say)
    _require("largest change of a token, frames", max(tokens), MAX_TOKEN_CHANGE_QUANTIZED, say)


def _run(model: onnxruntime.InferenceSession, feed: Feeds) -> Values:
    names = [o.name for o in model.get_outputs()]
    return dict(zip(names, model.run(names, feed)))


def _require(what: str, value: float, at_most: float, say: Callable[[str], None]) -> None:
    say(f"  {what}: {value:.2f}")
    if value > at_most:
        raise BundleError(f"the check failed: {what} is {value:.2f}, at most {at_most} is required")
