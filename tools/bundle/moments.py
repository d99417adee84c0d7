"""Average statistics of each voice for the vocoder's adaptive normalizations, for audio that starts before its sentence
is computed.

A normalization needs the mean and the variance of each channel over the whole utterance. For each voice and language
they are averaged over a few sentences, given in phonemes in `moments.json`. `moments.safetensors` holds the values
measured on the published model.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open

from .cases import Case, separate_feed_of
from .errors import BundleError
from .graph import FLOAT, Graph, Port
from .layers import normalized_tensor
from .layout import padded_channels
from .loader import open_model
from .sources import Sources, sha256
from .stft import stft_to_convolution
from .store import is_padding, json_bytes, safetensors_bytes
from .vocoder import NORMS, separate_generator_style
from .voices import read_recipes

if TYPE_CHECKING:
    import onnxruntime

_SENTENCES = Path(__file__).with_name("moments.json")
MEASURED = Path(__file__).with_name("moments.safetensors")

WIDTH = sum(padded_channels(norm.channels) for norm in NORMS)
"""The number of channels of all normalizations together, in the order of `NORMS`, each padded."""


def read_sentences() -> dict[str, list[str]]:
    """Language to sentences in phonemes."""
    return json.loads(_SENTENCES.read_text(encoding="utf-8"))


def measured_moments(sources: Sources, path: Path = MEASURED) -> dict[str, NDArray[np.float32]]:
    """The results of `voice_moments` for the published model and the recipes of the voices."""
    with safe_open(path, "numpy") as file:
        if file.metadata() != _made_from(sources):
            raise BundleError(
                f"{path.name} was measured with other sources, recipes or sentences: run `python -m bundle moments`"
            )
        return {name: file.get_tensor(name) for name in file.keys() if not is_padding(name)}


def moments_bytes(moments: dict[str, NDArray[np.float32]], sources: Sources) -> bytes:
    """The file that `measured_moments` reads."""
    return safetensors_bytes(moments, _made_from(sources))


def _made_from(sources: Sources) -> dict[str, str]:
    return {"made_from": sha256(json_bytes([sources.of_large_model(), read_recipes(), read_sentences()]))}


def voice_moments(
    graph: Graph,
    vocabulary: dict[str, int],
    tables: dict[str, NDArray[np.float32]],
    sentences: dict[str, list[str]],
) -> dict[str, NDArray[np.float32]]:
    """`<voice>/<language>/moments` [2, WIDTH]: the mean and the variance per channel, averaged over the language's
    sentences, weighted by their length. Padding channels are zero.

    `graph` is the export in float32, and is changed; `tables` are the style tables by `<voice>/<language>`.
    """
    model = _model(graph)
    moments = {}
    for name, table in tables.items():
        cases = [Case(phonemes, name) for phonemes in sentences[name.split("/")[1]]]
        runs = [_run(model, separate_feed_of(case, vocabulary, table)) for case in cases]
        weights = np.array([frames for frames, _ in runs], np.float64)
        average = np.average([values for _, values in runs], axis=0, weights=weights)
        moments[f"{name}/moments"] = average.astype(np.float32)
    return moments


def _model(graph: Graph) -> onnxruntime.InferenceSession:
    """A model whose outputs are the durations, then the mean and the variance of each normalization's input."""
    stft_to_convolution(graph)
    sources = {norm.name: normalized_tensor(graph, norm) for norm in NORMS}
    separate_generator_style(graph)  # the normalizations are found by the style that they have in the export
    graph.outputs = [p for p in graph.outputs if p.name == "durations"]
    for norm in NORMS:
        source = sources[norm.name]
        mean = graph.add_op("GlobalAveragePool", [source], f"{norm.name}.mean")
        difference = graph.add_op("Sub", [source, mean], f"{norm.name}.difference")
        square = graph.add_op("Mul", [difference, difference], f"{norm.name}.square")
        variance = graph.add_op("GlobalAveragePool", [square], f"{norm.name}.variance")
        graph.outputs += [Port(name, FLOAT, [1, norm.channels, 1]) for name in (mean, variance)]
    return open_model(graph.to_model().SerializeToString())


def _run(model: onnxruntime.InferenceSession, feed: dict[str, NDArray]) -> tuple[int, NDArray[np.float32]]:
    """The length in frames, and the moments [2, WIDTH] of one sentence."""
    durations, *values = model.run(None, feed)
    moments = np.zeros((2, WIDTH), np.float32)
    start = 0
    for norm, mean, variance in zip(NORMS, values[::2], values[1::2]):
        span = slice(start, start + norm.channels)
        moments[0, span], moments[1, span] = mean.reshape(-1), variance.reshape(-1)
        start += padded_channels(norm.channels)
    return int(durations.sum()), moments
