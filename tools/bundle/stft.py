"""Rewrites the STFT of the harmonic source as a convolution.

ONNX Runtime's STFT operator is slow, and leaves rounding noise of about 1e-7 where the imaginary part is exactly zero
(the DC and Nyquist bins). The export computes the phase as atan(im / re), plus pi where re < 0 and im > 0, minus pi
where re < 0 otherwise; with that operator the sign of pi is random there. The convolution gives an exact zero, for
which the export's formula would always give -pi, while the model was trained with +pi (as `torch.angle` gives): an
audible loss of 4 dB. So the comparison is changed to im >= 0 together with the operator; one change without the other
is wrong.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .graph import Graph, Node


def stft_to_convolution(graph: Graph) -> int:
    """Rewrites STFT -> Transpose -> two Gathers (real, imaginary), if the sign rule above can be applied as well."""
    return sum(_rewrite(graph, node) for node in graph.of_type("STFT"))


def _rewrite(graph: Graph, node: Node) -> bool:
    parts = _real_and_imaginary(graph, node)
    hop, window, length = (graph.value(i) for i in (node.inputs + [""] * 4)[1:4])
    if parts is None or hop is None or window is None or not node.attributes.get("onesided", 1):
        return False
    if length is not None and int(length) != len(window):
        return False
    real, imaginary = parts
    signs = [n for n in graph.consumers(imaginary) if n.op == "Greater" and _is_zero(graph, n.inputs[1])]
    if not signs:
        return False
    for sign in signs:
        sign.op = "GreaterOrEqual"
    _replace(graph, node, real, imaginary, int(hop), window.astype(np.float64))
    return True


def _replace(graph: Graph, node: Node, real: str, imaginary: str, hop: int, window: NDArray[np.float64]) -> None:
    basis = fourier_basis(window)
    bins = len(basis) // 2
    name = node.outputs[0]
    weight = graph.constant(f"{name}.basis", basis[:, None, :])
    axis = graph.constant("libspeech.axis1", np.array([1], np.int64))
    sizes = graph.constant(f"{name}.sizes", np.array([bins, bins], np.int64))
    graph.remove([n for t in (real, imaginary) if (n := graph.producer(t)) is not None])
    signal = graph.add_op("Unsqueeze", [node.inputs[0], axis], f"{name}.signal")
    conv = {"kernel_shape": [len(window)], "strides": [hop], "pads": [0, 0], "dilations": [1], "group": 1}
    spectrum = graph.add_op("Conv", [signal, weight], f"{name}.spectrum", **conv)
    graph.add(Node("Split", [spectrum, sizes], [real, imaginary], f"{name}.parts", attributes={"axis": 1}))


def _real_and_imaginary(graph: Graph, node: Node) -> tuple[str, str] | None:
    """The tensors [batch, bins, frames] of the two parts."""
    transpose = graph.only_consumer(node.outputs[0], "Transpose")
    if transpose is None or transpose.attributes.get("perm") != [0, 2, 1, 3]:
        return None
    parts: dict[int, str] = {}
    for gather in graph.consumers(transpose.outputs[0]):
        index = graph.weights.get(gather.inputs[1]) if gather.op == "Gather" else None
        if index is None or index.shape != () or gather.attributes.get("axis", 0) not in (3, -1):
            return None
        parts[int(index.value())] = gather.outputs[0]
    return (parts[0], parts[1]) if set(parts) == {0, 1} else None


def _is_zero(graph: Graph, tensor: str) -> bool:
    return graph.scalar(tensor) == 0.0


def fourier_basis(window: NDArray[np.float64]) -> NDArray[np.float32]:
    """The windowed cosines, then the windowed negative sines, of the bins from DC to Nyquist; exact zeros stay exact."""
    length = len(window)
    phase = 2 * np.pi * np.arange(length // 2 + 1)[:, None] * np.arange(length) / length
    basis = np.concatenate([np.cos(phase) * window, -np.sin(phase) * window])
    basis[np.abs(basis) < 1e-9] = 0.0
    return basis.astype(np.float32)
