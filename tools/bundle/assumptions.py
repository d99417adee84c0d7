"""Checks what the library's code assumes of a model's text side beyond its weights: hard-coded constants.

An export with another value is refused. Constants are compared to 1 %, which allows for half precision.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .errors import BundleError
from .graph import Graph, Node
from .layers import Embedding, Norm, check_channel_norm, check_time_norm, embedding_operands, nodes_of

HEADS, HEAD_CHANNELS = 12, 64
SLOPE = 0.2
HARMONICS = 9
SAMPLE_RATE, HALF_FRAME, LOWEST_PITCH = 24000, 300, 10
WINDOW, HOP = 20, 5

_SINES = "m_source/l_sin_gen"
_TOLERANCE = 0.01


def check_norms(graph: Graph, over_channels: Iterable[Norm], over_time: Iterable[Norm]) -> None:
    """Checks the normalizations before the style-dependent scales and offsets."""
    for norm in over_channels:
        check_channel_norm(graph, norm)
    for norm in over_time:
        check_time_norm(graph, norm)


def check_indices(graph: Graph, tokens: Iterable[Embedding], positions: Embedding, types: Embedding) -> None:
    """Checks which embedding rows are looked up: those of the tokens, consecutive ones from the first on, or only the
    first."""
    for table in tokens:
        if _origin(graph, embedding_operands(graph, table)[1]) != "tokens":
            raise BundleError(f"the embedding {table.module} is not of the tokens")
    numbers = graph.value(_origin(graph, embedding_operands(graph, positions)[1]))
    if numbers is None or not np.array_equal(numbers.reshape(-1), np.arange(positions.rows)):
        raise BundleError(f"the embedding {positions.module} is not of the positions")
    numbers = graph.value(_origin(graph, embedding_operands(graph, types)[1]))
    if numbers is None or np.any(numbers):
        raise BundleError(f"the embedding {types.module} is not always of its first row")


def _origin(graph: Graph, tensor: str) -> str:
    """The tensor of which this one is a part or a repetition."""
    while (node := graph.producer(tensor, "Slice", "Expand", "Cast", "Unsqueeze", "Identity")) is not None:
        tensor = node.inputs[0]
    return tensor


def check_attention(graph: Graph, modules: Iterable[str], times: int) -> None:
    """Checks that queries, keys and values are in heads of 64 channels."""
    for module in modules:
        found = [_last_sizes(graph, node) for node in nodes_of(graph, module, "Add")]
        if found != [[HEADS, HEAD_CHANNELS]] * times:
            raise BundleError(f"{module} is not in {HEADS} heads of {HEAD_CHANNELS} channels: {found}")


def check_activation(graph: Graph, module: str, times: int) -> None:
    """Checks the tanh approximation of GELU."""
    found = len(nodes_of(graph, module, "FastGelu", "Tanh"))
    if found != times:
        raise BundleError(f"the approximate GELU {module} is {found} times in the model; {times} is expected")


def _last_sizes(graph: Graph, node: Node) -> list[int]:
    """The last two sizes of the shape to which a tensor is reshaped."""
    reshapes = [n for n in graph.consumers(node.outputs[0]) if n.op == "Reshape"]
    if len(reshapes) != 1:
        return []
    shape = reshapes[0].inputs[1]
    joined = graph.producer(shape, "Concat")
    parts = joined.inputs[-2:] if joined else [shape]
    values = [graph.value(part) for part in parts]
    return [] if any(v is None for v in values) else np.concatenate(values).tolist()[-2:]  # type: ignore[arg-type]


def check_slopes(graph: Graph, module: str, times: int) -> None:
    """Checks the slopes of a module's LeakyReLUs."""
    slopes = [float(n.attributes.get("alpha", 0.01)) for n in nodes_of(graph, module, "LeakyRelu")]
    if len(slopes) != times or not all(_is_close(slope, SLOPE) for slope in slopes):
        raise BundleError(f"the LeakyRelus of {module} have the slopes {slopes}; {times} of {SLOPE} are expected")


def check_residual(graph: Graph, module: str) -> None:
    """Checks that the sum at the end of a residual block is divided by the square root of two."""
    divisors = [d for n in nodes_of(graph, module, "Div") if (d := graph.scalar(n.inputs[1])) is not None]
    if len(divisors) != 1 or not _is_close(divisors[0], math.sqrt(2)):
        raise BundleError(f"the sum of the residual block {module} is divided by {divisors}")


def check_repetition(graph: Graph, module: str, times: int) -> None:
    """Checks that an upsampling repeats each value."""
    nodes = nodes_of(graph, module, "Resize")
    modes = [(n.attributes.get("mode", b"nearest"), _scales(graph, n)) for n in nodes]
    if modes != [(b"nearest", [1, 1, times])]:
        raise BundleError(f"the upsampling {module} is not a repetition: {modes}")


def check_source(graph: Graph) -> None:
    """Checks the sines of the harmonic source and their spectrum. (An export may have convolutions instead of STFT.)"""
    factors = [v for n in nodes_of(graph, _SINES, "Mul") for v in _constants(graph, n) if v.size == HARMONICS]
    if len(factors) != 1 or not np.array_equal(factors[0].reshape(-1), np.arange(1, HARMONICS + 1)):
        raise BundleError("the harmonics of the source are not the first nine")
    for op, expected in (("Div", SAMPLE_RATE), ("Greater", LOWEST_PITCH)):
        found = [v.item() for n in nodes_of(graph, _SINES, op) for v in _constants(graph, n) if v.size == 1]
        if found != [expected]:
            raise BundleError(f"the harmonic source has {op} by {found}; {expected} is expected")
    resizes = [(n.attributes.get("mode"), _scales(graph, n)) for n in nodes_of(graph, _SINES, "Resize")]
    steps = [scales[-1] for mode, scales in resizes if mode == b"linear" and scales]
    if len(resizes) != 2 or len(steps) != 2 or not all(map(_is_close, steps, (1 / HALF_FRAME, HALF_FRAME))):
        raise BundleError(f"the phases of the harmonic source are resampled by {resizes}")
    turns = _factor_after_sum(graph)
    if not _is_close(turns, 2 * math.pi * HALF_FRAME):
        raise BundleError(f"the phases of the harmonic source are multiplied by {turns}")
    for node in graph.of_type("STFT"):
        _check_spectrum(graph, node)


def _factor_after_sum(graph: Graph) -> float:
    """The factor applied to the running sum of the phases before they are interpolated."""
    sums = nodes_of(graph, _SINES, "CumSum")
    product = 1.0
    node = sums[0] if len(sums) == 1 else None
    while node is not None:
        node = graph.only_consumer(node.outputs[0], "Mul", "Transpose")
        if node is not None and node.op == "Mul":
            product *= math.prod(v.item() for v in _constants(graph, node) if v.size == 1)
    return product


def _check_spectrum(graph: Graph, node: Node) -> None:
    hop, window = graph.scalar(node.inputs[1]), graph.value(node.inputs[2])
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)
    if hop != HOP or window is None or window.shape != hann.shape or not np.allclose(window, hann, atol=1e-3):
        raise BundleError(f"the STFT has the hop {hop} and another window than {WINDOW} values of Hann's")
    source, pads = node.inputs[0], None
    while pads is None and (step := graph.producer(source, "Reshape", "Squeeze", "Unsqueeze", "Pad")) is not None:
        pads = step if step.op == "Pad" else None
        source = step.inputs[0]
    sizes = graph.value(pads.inputs[1]) if pads and pads.attributes.get("mode") == b"reflect" else None
    if sizes is None or sizes[sizes != 0].tolist() != [WINDOW // 2] * 2:
        raise BundleError(f"the signal of the STFT is not reflected for {WINDOW // 2} samples on both sides")


def _constants(graph: Graph, node: Node) -> list[NDArray]:
    return [value for i in node.inputs if (value := graph.value(i)) is not None]


def _scales(graph: Graph, resize: Node) -> list[float] | None:
    scales = graph.value(resize.inputs[2]) if len(resize.inputs) == 3 else None
    return None if scales is None else scales.tolist()


def _is_close(value: float, expected: float) -> bool:
    return math.isclose(value, expected, rel_tol=_TOLERANCE)
