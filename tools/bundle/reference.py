"""Tensors of the float model for tests of the vocoder: what enters it, what comes out, and two steps in between.

The model is the export in float32; nothing is rewritten but the STFT (see `rewrites.stft`). All tensors of an utterance
come from one run, so the audio is exactly what the model makes of the other tensors.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from .cases import Case, feed_of
from .errors import BundleError
from .graph import Graph
from .layers import convolution, convolution_node
from .loader import open_model
from .model import float_graph
from .prosody import expose, expose_decoder_inputs
from .rewrites.stft import stft_to_convolution
from .store import VOICES, safetensors_bytes
from .weights import Array

CASES = (
    Case("həlˈO.", "aria/en-US"),
    Case("həlˈO wˈɜɹld, ðɪs ɪz ə tˈɛst ʌv ðə spˈiʧ sˈɜɹvəs ˌɪntəɹfˈAs, ɹˈʌnɪŋ ˌɪn ˈpɹɑsɛs.", "aria/en-US"),
)
"""1.3 and 5 seconds."""


def reference_bytes(bundle: Path, vocabulary: dict[str, int], export: bytes) -> bytes:
    """A safetensors file. For each utterance i:

    `i/tokens` and `i/durations` I64 [n], `i/style` [256], `i/text` [T, 512], `i/pitch` and `i/energy` [2 T],
    `i/source` [120 T + 1, 22], `i/decoder` [2 T, 512] after the last decoder block, `i/stage0` [20 T, 256], the mean of
    the first three residual blocks, and `i/audio` [600 T].
    """
    graph, _ = float_graph(export)
    stft_to_convolution(graph)
    expose_decoder_inputs(graph)
    expose(graph, _before_activation(graph, "generator.upsample.0"), "decoder", ["halves", 512])
    expose(graph, _before_activation(graph, "generator.upsample.1"), "stage0", ["tenths", 256])
    names = [p.name for p in graph.outputs]
    model = open_model(graph.to_model().SerializeToString())
    tables = load_file(bundle / VOICES)
    tensors: dict[str, Array] = {}
    for index, case in enumerate(CASES):
        feed = feed_of(case, vocabulary, tables[case.table])
        values = {"tokens": feed["tokens"][0], "style": feed["style"][0]} | dict(zip(names, model.run(None, feed)))
        tensors |= {f"{index}/{name}": np.asarray(value) for name, value in values.items()}
    return safetensors_bytes(tensors)


def _before_activation(graph: Graph, upsample: str) -> str:
    """The input of the LeakyRelu in front of an upsampling convolution."""
    activation = graph.producer(convolution_node(graph, convolution(upsample)).inputs[0], "LeakyRelu")
    if activation is None:
        raise BundleError(f"there is no LeakyRelu in front of {upsample} in the model")
    return activation.inputs[0]
