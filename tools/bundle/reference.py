"""Tensors of the float model for tests of the library: inputs, outputs and intermediate results.

The model is the export in float32; only the STFT is rewritten (see `stft`). All tensors of an utterance come from one
run, so the audio matches the other tensors exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .boundary import decoder_inputs, expose, expose_decoder_inputs, expose_rows
from .cases import HELLO, HINDI, OTHERS, Case, feed_of, separate_feed_of, style_of
from .errors import BundleError
from .graph import Graph, Node
from .layers import convolution_node, nodes_of
from .loader import open_model, read_weights
from .model import float_graph
from .small_model import published_graph
from .stft import stft_to_convolution
from .store import VOICES, safetensors_bytes
from .vocoder import convolution, separate_generator_style
from .weights import Array

if TYPE_CHECKING:
    import onnxruntime

CASES = (
    HELLO,
    Case("həlˈO wˈɜɹld, ðɪs ɪz ə tˈɛst ʌv ðə spˈiʧ sˈɜɹvəs ˌɪntəɹfˈAs, ɹˈʌnɪŋ ˌɪn ˈpɹɑsɛs.", "aria/en-US"),
    HINDI,
)
"""1.3, 5 and 2 seconds, for both halves of the model."""

TEXT_CASES = (
    *OTHERS,
    Case(
        "wˌʌn mˈɔɹnɪŋ, wˌɛn ðə sˈʌn wʌz hˈI, ðə ˈOld mˈæn wˈɔkt dˈWn tə ðə hˈɑɹbəɹ ænd lˈʊkt ˈWt ˈOvəɹ ðə wˈɔɾəɹ. "
        "hi hæd nˈɛvəɹ sˈin sˈʌʧ ə kˈɑm sˈi, ænd hi θˈɔt ʌv hɪz bɹˈʌðəɹ, hˌu hæd sˈAld əwˈA mˈɛni jˈɪɹz bəfˈɔɹ.",
        "aria/en-US",
    ),
)
"""For the text side only: from one phoneme to 207."""

_VOCODER_OUTPUTS = ("decoder", "stage0", "audio")


SMALL_CASES = CASES[:2]
"""Utterances that the small networks support."""


def reference_bytes(bundle: Path, vocabulary: dict[str, int], export: bytes, small_export: bytes) -> bytes:
    """A safetensors file. For each utterance i of `CASES`, then of `TEXT_CASES`, where n tokens take T frames:

    | tensor | shape | |
    |---|---|---|
    | `i/tokens`, `i/style`, `i/speed` | I64 [n], [256] or [384], [1] | what goes in |
    | `i/bert` | [n, 512] | what the predictors get from BERT |
    | `i/text_encoder` | [n, 512] | features of the text, per token |
    | `i/duration_features` | [n, 640] | what the pitch and the energy are made from, per token |
    | `i/durations` | I64 [n] | |
    | `i/shared` | [T, 512] | what the two curves are made from |
    | `i/text`, `i/pitch`, `i/energy`, `i/source` | [T, 512], [2 T], [2 T], [120 T + 1, 22] | what enters the vocoder |

    and for those of `CASES` `i/decoder` [2 T, 512] after the last decoder block, `i/stage0` [20 T, 256], the mean of the
    first three residual blocks, and `i/audio` [600 T]. For those of `SMALL_CASES`, what the published small networks make:
    `i/small_pitch` [2 T] and `i/small_spectra` [2 T, 5, 601], where T is theirs.
    """
    graph, _ = float_graph(export)
    stft_to_convolution(graph)
    separate_generator_style(graph)
    expose_decoder_inputs(graph)
    expose_rows(graph, _only(nodes_of(graph, "bert_encoder", "Add")).outputs[0], "bert", ["n", 512])
    lstm_input = graph.producer(_only(nodes_of(graph, "predictor/lstm", "LSTM")).inputs[0], "Transpose")
    expose_rows(graph, _only([lstm_input]).inputs[0], "duration_features", ["n", 640])
    alignment = graph.producer(decoder_inputs(graph)["text"], "MatMul")
    expose(graph, _only([alignment]).inputs[0], "text_encoder", ["n", 512])
    expose_rows(graph, _only(nodes_of(graph, "shared", "LSTM")).outputs[0], "shared", ["frames", 512])
    expose(graph, _before_activation(graph, "generator.upsample.0"), "decoder", ["halves", 512])
    expose(graph, _before_activation(graph, "generator.upsample.1"), "stage0", ["tenths", 256])
    tables = read_weights(bundle / VOICES)
    tensors: dict[str, Array] = {}
    index = 0
    for cases in (CASES, TEXT_CASES):
        model = open_model(graph.to_model().SerializeToString())
        for case in cases:
            values = _run(model, case, vocabulary, tables[case.table])
            tensors |= {f"{index}/{name}": value for name, value in values.items()}
            index += 1
        graph.outputs = [p for p in graph.outputs if p.name not in _VOCODER_OUTPUTS]
    small = open_model(published_graph(small_export).to_model().SerializeToString())
    for index, case in enumerate(SMALL_CASES):
        feed = feed_of(case, vocabulary, tables[case.table])
        *spectra, pitch = small.run(None, {"ids": feed["tokens"], "speed": feed["speed"]})
        tensors |= {
            f"{index}/small_pitch": pitch[0],
            f"{index}/small_spectra": np.ascontiguousarray(np.concatenate(spectra).transpose(2, 0, 1)),
        }
    return safetensors_bytes(tensors)


def _run(
    model: onnxruntime.InferenceSession, case: Case, vocabulary: dict[str, int], table: NDArray[np.float32]
) -> dict[str, Array]:
    """The inputs and outputs of one run of the model."""
    feed = separate_feed_of(case, vocabulary, table)
    names = [o.name for o in model.get_outputs()]
    results = {name: np.asarray(value) for name, value in zip(names, model.run(names, feed))}
    return {"tokens": feed["tokens"][0], "style": style_of(case, table), "speed": feed["speed"]} | results


def _before_activation(graph: Graph, upsample: str) -> str:
    """The input of the LeakyRelu before an upsampling convolution."""
    activation = graph.producer(convolution_node(graph, convolution(upsample)).inputs[0], "LeakyRelu")
    return _only([activation]).inputs[0]


def _only(nodes: Sequence[Node | None]) -> Node:
    if len(nodes) != 1 or nodes[0] is None:
        raise BundleError("a step that the tests of the library compare was not found in the model")
    return nodes[0]
