"""prosody.safetensors: the weights of the text side, laid out as `layout` says.

The text side is what comes before the decoder: BERT, the text encoder, the predictors of durations, pitch and energy, and
the harmonic source. Besides its layers:

| tensor | shape | |
|---|---|---|
| `bert.embedding.token.weight`, `bert.embedding.position.weight`, `text.embedding.weight` | [rows, columns] | |
| `bert.embedding.bias` | [128] | what is added to each embedding: the first row of the token types |
| `pitch.output`, `energy.output`: `.weight`, `.bias` | [256], [1] | |
| `source.weight`, `source.bias` | [9], [1] | the harmonics' share in the source: the linear layer times the amplitude of the sines |
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .assumptions import (
    HARMONICS,
    check_activation,
    check_attention,
    check_indices,
    check_norms,
    check_repetition,
    check_residual,
    check_slopes,
    check_source,
)
from .errors import BundleError
from .graph import Graph, other_input
from .layers import (
    STYLE_HALF,
    Convolution,
    Embedding,
    LayerNorm,
    Linear,
    Lstm,
    Norm,
    convolution_node,
    embedding_operands,
    nodes_of,
)
from .layout import (
    Floats,
    Tensors,
    compare_convolution,
    compare_layer_norm,
    compare_linear,
    compare_lstm,
    compare_norm,
    convolution_tensors,
    floats,
    layer_norm_tensors,
    linear_tensors,
    lstm_tensors,
    norm_tensors,
    require_equal,
    stored_by_output,
)

LAYOUT_VERSION = 1
TIMES = 12
"""BERT is one layer that runs this many times."""

_LAYER = "bert/encoder/albert_layer_groups.0/albert_layers.0"
_ATTENTION = tuple(f"{_LAYER}/attention/{part}" for part in ("query", "key", "value"))
_BERT_EPSILON = 1e-12

TOKENS, POSITIONS, TOKEN_TYPES, TEXT = (
    Embedding("bert.embedding.token", "bert/embeddings/word_embeddings", 178, 128),
    Embedding("bert.embedding.position", "bert/embeddings/position_embeddings", 512, 128),
    Embedding("bert.embedding", "bert/embeddings/token_type_embeddings", 2, 128),
    Embedding("text.embedding", "text_encoder/embedding", 178, 512),
)
LINEARS = (
    Linear("bert.input", ("bert/encoder/embedding_hidden_mapping_in",), 128, 768),
    Linear("bert.attention.input", _ATTENTION, 768, 768, TIMES),
    Linear("bert.attention.output", (f"{_LAYER}/attention/dense",), 768, 768, TIMES),
    Linear("bert.ffn.input", (f"{_LAYER}/ffn",), 768, 2048, TIMES),
    Linear("bert.ffn.output", (f"{_LAYER}/ffn_output",), 2048, 768, TIMES),
    Linear("bert.output", ("bert_encoder",), 768, 512),
    Linear("duration.output", ("predictor/duration_proj/linear_layer",), 512, 50),
)
LAYER_NORMS = (
    LayerNorm("bert.embedding.norm", "bert/embeddings/LayerNorm", 128, _BERT_EPSILON),
    LayerNorm("bert.attention.norm", f"{_LAYER}/attention/LayerNorm", 768, _BERT_EPSILON, TIMES),
    LayerNorm("bert.norm", f"{_LAYER}/full_layer_layer_norm", 768, _BERT_EPSILON, TIMES),
    *(LayerNorm(f"text.norms.{i}", f"text_encoder/cnn.{i}/cnn.{i}.1", 512) for i in range(3)),
)
LSTMS = (
    Lstm("text.lstm", "text_encoder/lstm", 512),
    *(Lstm(f"duration.lstms.{i}", f"predictor/text_encoder/lstms.{2 * i}", 512 + STYLE_HALF) for i in range(3)),
    Lstm("duration.lstm", "predictor/lstm", 512 + STYLE_HALF),
    Lstm("curves.lstm", "shared", 512 + STYLE_HALF),
)
CHANNEL_NORMS = tuple(
    Norm(f"duration.norms.{i}", f"predictor/text_encoder/lstms.{2 * i + 1}", 512, half=1) for i in range(3)
)
_CURVES = (("pitch", "F0"), ("energy", "N"))


def _curve_blocks() -> list[tuple[str, str, int, int]]:
    """Name, module, input channels, output channels."""
    sizes = ((512, 512), (512, 256), (256, 256))
    return [(f"{name}.blocks.{i}", f"{m}.{i}", *size) for name, m in _CURVES for i, size in enumerate(sizes)]


def _all_convolutions() -> tuple[Convolution, ...]:
    found = [Convolution(f"text.convolutions.{i}", f"text_encoder/cnn.{i}/cnn.{i}.0", 512, 512, 5) for i in range(3)]
    for name, module, inputs, outputs in _curve_blocks():
        found.append(Convolution(f"{name}.conv1", f"{module}/conv1", inputs, outputs, 3))
        found.append(Convolution(f"{name}.conv2", f"{module}/conv2", outputs, outputs, 3))
        if inputs != outputs:
            found.append(Convolution(f"{name}.shortcut", f"{module}/conv1x1", inputs, outputs, 1))
            found.append(
                Convolution(f"{name}.pool", f"{module}/pool", inputs, inputs, 3, 2, transposed=True, depthwise=True)
            )
    return tuple(found)


def _all_norms() -> tuple[Norm, ...]:
    found = []
    for name, module, inputs, outputs in _curve_blocks():
        found.append(Norm(f"{name}.norm1", f"{module}/norm1", inputs, half=1))
        found.append(Norm(f"{name}.norm2", f"{module}/norm2", outputs, half=1))
    return tuple(found)


CONVOLUTIONS = _all_convolutions()
NORMS = _all_norms()
OUTPUTS = tuple(Convolution(f"{name}.output", f"{module}_proj", 256, 1, 1) for name, module in _CURVES)


def prosody_tensors(graph: Graph) -> Tensors:
    """The tensors of prosody.safetensors, from an export in float32 that is not rewritten."""
    _check(graph)
    tensors: Tensors = {}
    for table in (TOKENS, POSITIONS, TEXT):
        tensors |= stored_by_output(f"{table.name}.weight", embedding_operands(graph, table)[0])
    tensors["bert.embedding.bias"] = _embedding_bias(graph)
    for linear in LINEARS:
        tensors |= linear_tensors(graph, linear)
    for layer_norm in LAYER_NORMS:
        tensors |= layer_norm_tensors(graph, layer_norm)
    for lstm in LSTMS:
        tensors |= lstm_tensors(graph, lstm)
    for convolution in CONVOLUTIONS:
        tensors |= convolution_tensors(graph, convolution)
    for norm in (*CHANNEL_NORMS, *NORMS):
        tensors |= norm_tensors(graph, norm)
    for output in OUTPUTS:
        tensors |= _output_tensors(graph, output)
    weight, bias = _source_operands(graph)
    return tensors | {"source.weight": weight, "source.bias": bias}


def compare_with_export(tensors: Floats, graph: Graph) -> None:
    """Raises BundleError unless the expanded tensors, in the export's layout, equal its weights exactly."""
    for table in (TOKENS, POSITIONS, TEXT):
        name, (weight, _) = f"{table.name}.weight", embedding_operands(graph, table)
        require_equal(name, tensors[name], floats(weight))
    require_equal("bert.embedding.bias", tensors["bert.embedding.bias"], _embedding_bias(graph))
    for linear in LINEARS:
        compare_linear(tensors, graph, linear)
    for layer_norm in LAYER_NORMS:
        compare_layer_norm(tensors, graph, layer_norm)
    for lstm in LSTMS:
        compare_lstm(tensors, graph, lstm)
    for convolution in CONVOLUTIONS:
        compare_convolution(tensors, graph, convolution)
    for norm in (*CHANNEL_NORMS, *NORMS):
        compare_norm(tensors, graph, norm)
    for output in OUTPUTS:
        for name, expected in _output_tensors(graph, output).items():
            require_equal(name, tensors[name], expected)
    for name, expected in zip(("source.weight", "source.bias"), _source_operands(graph)):
        require_equal(name, tensors[name], expected)


def _embedding_bias(graph: Graph) -> NDArray[np.float32]:
    return floats(embedding_operands(graph, TOKEN_TYPES)[0])[0]


def _output_tensors(graph: Graph, output: Convolution) -> dict[str, NDArray[np.float32]]:
    node = convolution_node(graph, output)
    weight, bias = (floats(graph.weights[name]) for name in node.inputs[1:])
    return {f"{output.name}.weight": weight.reshape(-1), f"{output.name}.bias": bias}


def _source_operands(graph: Graph) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The weight of each harmonic and the bias."""
    sines = nodes_of(graph, "m_source/l_sin_gen", "Sin")
    scaled = graph.only_consumer(sines[0].outputs[0], "Mul") if len(sines) == 1 else None
    amplitude = graph.scalar(other_input(scaled, sines[0].outputs[0]) or "") if scaled else None
    products = nodes_of(graph, "m_source/l_linear", "MatMul")
    biased = graph.only_consumer(products[0].outputs[0], "Add") if len(products) == 1 else None
    weight = graph.value(products[0].inputs[1]) if biased else None
    bias = graph.value(other_input(biased, products[0].outputs[0]) or "") if biased else None
    if amplitude is None or weight is None or bias is None or weight.shape != (HARMONICS, 1) or bias.shape != (1,):
        raise BundleError("the sum of the harmonics was not found in the model")
    return (weight[:, 0].astype(np.float64) * amplitude).astype(np.float32), bias.astype(np.float32)


def _check(graph: Graph) -> None:
    check_indices(graph, (TOKENS, TEXT), POSITIONS, TOKEN_TYPES)
    check_attention(graph, _ATTENTION, TIMES)
    check_activation(graph, f"{_LAYER}/activation", TIMES)
    check_norms(graph, CHANNEL_NORMS, NORMS)
    for i in range(3):
        check_slopes(graph, f"text_encoder/cnn.{i}", 1)
    for _, module, inputs, outputs in _curve_blocks():
        check_slopes(graph, module, 2)
        check_residual(graph, module)
        if inputs != outputs:
            check_repetition(graph, f"{module}/upsample", 2)
    check_source(graph)
