"""The harmonic source with few passes over its samples.

The source is a sum of nine sines whose phases are running sums of the pitch. The export repeats the pitch to the sample
rate, computes the phase increments there and picks one per frame again; interpolates the phases; and keeps nine values
per sample through scaling, the voicing mask and the sum. Here the increments are computed per frame, the interpolation is
a product with the two weights of each sample, and scale and sum are one product, after which there is one value per
sample.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..graph import Graph, Node, other_input

_POINTWISE = ("Mul", "Div", "Floor", "Sub", "Mod", "Add")


def increments_per_frame(graph: Graph) -> int:
    """Pointwise operators between a repetition by an integer and the resampling back, without the two."""
    count = 0
    for down in graph.of_type("Resize"):
        factor = _scale(graph, down)
        if factor is None or down.attributes.get("mode") != b"linear" or factor >= 1:
            continue
        chain = _pointwise_chain(graph, down.inputs[0])
        if chain is None:
            continue
        repeated, nodes = chain
        up = graph.producer(repeated, "Resize")
        if up is None or not _repeats(graph, up) or round(_scale(graph, up) * factor, 5) != 1:
            continue
        for node in nodes:
            node.inputs = [up.inputs[0] if i == repeated else i for i in node.inputs]
        graph.touch()
        graph.replace_uses(down.outputs[0], down.inputs[0])
        count += 1
    return count


def _pointwise_chain(graph: Graph, tensor: str) -> tuple[str, list[Node]] | None:
    """The pointwise operators upstream of a tensor, and the one other tensor that they all depend on."""
    nodes: list[Node] = []
    sources: list[str] = []
    frontier = [tensor]
    while frontier:
        name = frontier.pop()
        node = graph.producer(name, *_POINTWISE)
        if node is None:
            sources += [name] if name not in graph.weights and name not in sources else []
        elif node not in nodes:
            nodes.append(node)
            frontier.extend(node.inputs)
    inner = all(r in nodes for n in nodes if n.outputs[0] != tensor for r in graph.consumers(n.outputs[0]))
    return (sources[0], nodes) if len(sources) == 1 and nodes and inner and len(graph.consumers(tensor)) == 1 else None


@dataclass
class _Source:
    """The nodes from the phases per frame to the signal."""

    up: Node
    scale: float
    voiced: Node
    pitch: str
    samples: int
    weight: NDArray[np.float32]
    bias: str
    last: Node


def sum_of_sines(graph: Graph) -> int:
    """Rewrites interpolation, sine, scale, mask and sum; returns how many sources there were."""
    found = [source for node in graph.of_type("Sin") if (source := _match(graph, node)) is not None]
    for source in found:
        _replace(graph, source)
    return len(found)


def _match(graph: Graph, sine: Node) -> _Source | None:
    rows = graph.producer(sine.inputs[0], "Transpose")
    up = graph.producer(rows.inputs[0], "Resize") if rows else None
    samples = _scale(graph, up) if up else None
    scaled = graph.only_consumer(sine.outputs[0], "Mul")
    if up is None or samples is None or scaled is None or rows.attributes.get("perm") != [0, 2, 1]:  # type: ignore[union-attr]
        return None
    linear = up.attributes.get("mode") == b"linear"
    if not linear or up.attributes.get("coordinate_transformation_mode") != b"half_pixel" or samples % 2:
        return None
    scale = graph.scalar(other_input(scaled, sine.outputs[0]) or "")
    masked = graph.only_consumer(scaled.outputs[0], "Mul")
    total = graph.only_consumer(masked.outputs[0], "MatMul") if masked else None
    biased = graph.only_consumer(total.outputs[0], "Add") if total else None
    if scale is None or masked is None or total is None or biased is None:
        return None
    weight = graph.value(total.inputs[1])
    bias = other_input(biased, total.outputs[0])
    voiced = _voicing(graph, other_input(masked, scaled.outputs[0]) or "", samples)
    if weight is None or weight.ndim != 2 or weight.shape[1] != 1 or graph.scalar(bias or "") is None or voiced is None:
        return None
    return _Source(up, scale, voiced[0], voiced[1], int(samples), weight, bias, biased)  # type: ignore[arg-type]


def _voicing(graph: Graph, mask: str, samples: float) -> tuple[Node, str] | None:
    """The comparison in Cast(Greater(Transpose(repeated pitch), constant)), and the pitch per frame."""
    cast = graph.producer(mask, "Cast")
    greater = graph.producer(cast.inputs[0], "Greater") if cast else None
    rows = graph.producer(greater.inputs[0], "Transpose") if greater else None
    up = graph.producer(rows.inputs[0], "Resize") if rows else None
    if up is None or not _repeats(graph, up) or _scale(graph, up) != samples:
        return None
    return greater, up.inputs[0]  # type: ignore[return-value]


def _replace(graph: Graph, source: _Source) -> None:
    name = source.last.outputs[0]
    half = source.samples // 2
    phases = _interpolated(graph, source, name)
    sines = graph.add_op("Sin", [phases], f"{name}.sines")
    weight = (source.weight.T.astype(np.float64) * source.scale).astype(np.float32)
    total = graph.add_op("MatMul", [graph.constant(f"{name}.weight", weight), sines], f"{name}.sum")
    span = [graph.constant(f"{name}.{k}", np.array([v], np.int64)) for k, v in (("from", half), ("to", -half))]
    axis = graph.constant("libspeech.height", np.array([2], np.int64))
    total = graph.add_op("Slice", [total, *span, axis], f"{name}.samples")
    voiced = graph.add_op("Greater", [source.pitch, source.voiced.inputs[1]], f"{name}.voiced")
    mask = graph.add_op("Cast", [voiced], f"{name}.mask", to=1)
    scales = graph.constant(f"{name}.scales", np.array([1, 1, source.samples], np.float32))
    repeated = {"mode": "nearest", "nearest_mode": "floor", "coordinate_transformation_mode": "asymmetric"}
    mask = graph.add_op("Resize", [mask, "", scales], f"{name}.mask.samples", **repeated)
    voice = graph.add_op("Mul", [total, mask], f"{name}.masked")
    biased = graph.add_op("Add", [voice, source.bias], f"{name}.biased")
    graph.remove([source.last])
    graph.add_op("Transpose", [biased], name, perm=[0, 2, 1])


def _interpolated(graph: Graph, source: _Source, name: str) -> str:
    """Phases [1, harmonics, (frames + 1) * samples], from half a frame before the first sample to half one after the last.

    Between the middles of two frames: left + (right - left) * (k + 1/2) / samples, as a product of [left, right] with the
    weights. Outside of the first and the last middle the phase is constant.
    """
    pads = graph.constant(f"{name}.pads", np.array([0, 0, 1, 0, 0, 1], np.int64))
    padded = graph.add_op("Pad", [source.up.inputs[0], pads], f"{name}.padded", mode="edge")
    axis = graph.constant("libspeech.height", np.array([2], np.int64))
    sides = []
    for side, first, end in (("left", 0, -1), ("right", 1, np.iinfo(np.int64).max)):
        span = [graph.constant(f"{name}.{side}.{k}", np.array([v], np.int64)) for k, v in (("a", first), ("b", end))]
        part = graph.add_op("Slice", [padded, *span, axis], f"{name}.{side}")
        last = graph.constant("libspeech.axis3", np.array([3], np.int64))
        sides.append(graph.add_op("Unsqueeze", [part, last], f"{name}.{side}.column"))
    pairs = graph.add_op("Concat", sides, f"{name}.pairs", axis=3)
    right = (np.arange(source.samples) + 0.5) / source.samples
    weights = graph.constant(f"{name}.weights", np.stack([1 - right, right]).astype(np.float32))
    phases = graph.add_op("MatMul", [pairs, weights], f"{name}.blocks")
    shape = graph.constant("libspeech.joined", np.array([0, 0, -1], np.int64))
    return graph.add_op("Reshape", [phases, shape], f"{name}.phases")


def _scale(graph: Graph, resize: Node) -> float | None:
    """The factor of a Resize along the last of three axes, if it changes only that."""
    scales = graph.value(resize.inputs[2]) if len(resize.inputs) == 3 and resize.inputs[2] else None
    if scales is None or len(scales) != 3 or list(scales[:2]) != [1, 1]:
        return None
    return float(scales[2])


def _repeats(graph: Graph, resize: Node) -> bool:
    """Whether a Resize repeats each value a whole number of times."""
    factor = _scale(graph, resize)
    attributes = resize.attributes
    return (
        factor is not None
        and factor == int(factor)
        and attributes.get("mode") == b"nearest"
        and attributes.get("nearest_mode") == b"floor"
        and attributes.get("coordinate_transformation_mode") == b"asymmetric"
    )
