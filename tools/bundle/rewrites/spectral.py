"""Long convolutions as products in the frequency domain, out of ordinary operators.

A convolution of k taps does k multiplications per input channel and output sample. Cut into tiles, Fourier transformed,
multiplied and transformed back ("overlap-save", with a real transform of N points over time), it does P / (N - k + 1),
where P = 3 (N / 2 - 1) + 2 is the number of real products in N points' worth of complex ones (three multiplications
each). For k = 11 and N = 32 that is 2.1 instead of 11, for k = 7 and N = 16 it is 2.3 instead of 7. The transforms
are small matrix products, and shared by all channels. The result is the same up to float32 rounding (about 130 dB; sums
are shorter than in the direct form).

The model's time goes to such convolutions, and ONNX Runtime's direct ones already run at the peak of the processor, so
doing less is the only way to be faster on it. The transformed weight has P values per pair of channels instead of k. ONNX
Runtime computes it when it loads the model, and keeps it; with a limit on what it folds (see `loader.session_options`) it
computes it at each use instead, which costs little time and saves 300 MB.

With T samples, dilation d and m = N - k + 1 outputs per tile:

    x [1, C, T] -> padded -> [C, tiles, m d] -> [m d, C, tiles] = [m, d C tiles]: row j holds sample j of every tile
    the next k - 1 rows are the first rows of the next tile: the same numbers, shifted by one
    analysis [P, N] @ [N, d C tiles] -> [P, d, C, tiles]
    weight [P, 1, C', C] @ that -> [P, d, C', tiles]
    synthesis [m, P] @ that -> [m d, C', tiles] -> [C', tiles, m d] -> [1, C', T]

The last tile of each row is there only to be the next tile of the one before it; its own output is not used.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..graph import Graph, Node

_MIN_CHANNELS = 64
_KERNELS = range(7, 18, 2)
_SAME_LENGTH = ("InstanceNormalization", "LeakyRelu", "Sin", "Add", "Mul")


@dataclass(frozen=True)
class _Site:
    """A convolution that can be rewritten."""

    node: Node
    kernel: int
    dilation: int
    rows: int
    columns: int
    length_of: str
    """A tensor as long as the convolution's input, the same for as many sites as possible."""


def convolutions_to_spectral(graph: Graph) -> int:
    """Rewrites each dense 1-D convolution with 7 to 17 taps that keeps the length."""
    graph.sort()
    origins = _lengths(graph)
    sites = [site for node in graph.of_type("Conv") if (site := _match(graph, node, origins)) is not None]
    for site in sites:
        _Rewrite(graph, site).apply()
    return len(sites)


def _match(graph: Graph, node: Node, origins: dict[str, str]) -> _Site | None:
    weight = graph.weights.get(node.inputs[1])
    if weight is None or len(weight.shape) != 3 or not _keeps_length(node, weight.shape[2]):
        return None
    rows, columns, kernel = weight.shape
    if kernel not in _KERNELS or min(rows, columns) < _MIN_CHANNELS or node.attributes.get("group", 1) != 1:
        return None
    source = node.inputs[0]
    dilation = node.attributes.get("dilations", [1])[0]
    return _Site(node, kernel, dilation, rows, columns, origins.get(source, source))


def _keeps_length(node: Node, kernel: int) -> bool:
    a = node.attributes
    margin = (kernel - 1) // 2 * a.get("dilations", [1])[0]
    return (
        kernel % 2 == 1
        and a.get("auto_pad", b"NOTSET") == b"NOTSET"
        and a.get("strides", [1]) == [1]
        and a.get("pads", [0, 0]) == [margin, margin]
    )


def _lengths(graph: Graph) -> dict[str, str]:
    """For tensors made by operators that keep the length: the tensor upstream where that length began."""
    origins: dict[str, str] = {}
    for node in graph.nodes:
        weight = graph.weights.get(node.inputs[1]) if node.op == "Conv" else None
        keeps = _keeps_length(node, weight.shape[2]) if weight is not None and len(weight.shape) == 3 else False
        if not keeps and node.op not in _SAME_LENGTH:
            continue
        data = node.inputs if node.op in ("Add", "Mul") else node.inputs[:1]
        found = {origins.get(i, i) for i in data if i not in graph.weights}
        if len(found) == 1:
            origins[node.outputs[0]] = found.pop()
    return origins


class _Rewrite:
    """Replaces one convolution."""

    def __init__(self, graph: Graph, site: _Site) -> None:
        self.graph = graph
        self.site = site
        self.name = f"{site.node.outputs[0]}.spectral"
        self.points = 32 if site.kernel > 8 else 16
        self.outputs = self.points - site.kernel + 1
        self.tile = self.outputs * site.dilation

    def apply(self) -> None:
        site, graph = self.site, self.graph
        bias = self._bias()
        graph.remove([site.node])
        analysis, kernel, synthesis = self._matrices()
        windows = self._windows(self._samples_by_row())
        spectrum = self._op("MatMul", [analysis, windows], "analysed")
        spectrum = self._reshape(spectrum, [-2, site.dilation, site.columns, -1], "spectrum")
        product = self._op("MatMul", [self._weight(kernel), spectrum], "product")
        product = self._reshape(product, [-2, -1], "product_rows")
        result = self._op("MatMul", [synthesis, product], "synthesized")
        result = self._reshape(result, [self.tile, site.rows, -1], "rows")
        if bias is not None:
            result = self._op("Add", [result, bias], "biased")
        result = self._op("Transpose", [result], "tiles", perm=[1, 2, 0])
        result = self._reshape(result, [1, site.rows, -1], "samples")
        axis = self._shape([2])
        graph.add(Node("Slice", [result, self._shape([0]), self._length(), axis], site.node.outputs, self.name))

    def _bias(self) -> str | None:
        """None if there is none, or if what follows takes the mean away."""
        node = self.site.node
        if len(node.inputs) < 3 or not node.inputs[2]:
            return None
        if self.graph.only_consumer(node.outputs[0], "InstanceNormalization"):
            return None
        bias = self.graph.weights[node.inputs[2]]
        return self.graph.constant(f"{node.inputs[2]}.column", bias.with_axis(1))

    def _matrices(self) -> list[str]:
        names = (f"libspeech.{part}{self.points}x{self.site.kernel}" for part in ("analysis", "kernel", "synthesis"))
        matrices = spectral_matrices(self.points, self.site.kernel)
        return [self.graph.constant(n, m.astype(np.float32)) for n, m in zip(names, matrices)]

    def _weight(self, kernel: str) -> str:
        """The transformed weight [P, 1, rows, columns], from the stored one."""
        old = self.site.node.inputs[1]
        taps = self.graph.constant(f"{old}.taps", self.graph.weights[old].transposed([2, 0, 1]))
        flat = self._reshape(taps, [self.site.kernel, -1], "taps")
        spectrum = self._op("MatMul", [kernel, flat], "weight_rows")
        return self._reshape(spectrum, [-2, 1, self.site.rows, self.site.columns], "weight")

    def _samples_by_row(self) -> str:
        """[m, d C tiles]: the input, padded to whole tiles and one more."""
        padded = self._op("Pad", [self.site.node.inputs[0], self._pads()], "padded")
        tiles = self._reshape(padded, [self.site.columns, -1, self.tile], "tiled")
        rows = self._op("Transpose", [tiles], "tile_rows", perm=[2, 0, 1])
        return self._reshape(rows, [self.outputs, -1], "samples_by_row")

    def _windows(self, rows: str) -> str:
        """[N, d C tiles]: each tile with the beginning of the next one."""
        overlap = self.site.kernel - 1
        shift = self._shape([0, -1, overlap - self.outputs, 1])
        following = self._op("Pad", [rows, shift], "following")
        return self._op("Concat", [rows, following], "windows", axis=0)

    def _pads(self) -> str:
        """Zeros before and after: half a kernel before, after that up to a whole number of tiles plus one."""
        margin = (self.site.kernel - 1) // 2 * self.site.dilation
        prefix = f"{self.site.length_of}.pads{margin}_{self.tile}"
        if self.graph.producer(prefix) is None:
            add = self.graph.add_op
            tile = self._shape([self.tile])
            rounded = add("Add", [self._length(), self._shape([2 * self.tile - 1])], f"{prefix}.rounded")
            tiles = add("Div", [rounded, tile], f"{prefix}.tiles")
            total = add("Mul", [tiles, tile], f"{prefix}.total")
            missing = add("Sub", [total, self._length()], f"{prefix}.missing")
            after = add("Sub", [missing, self._shape([margin])], f"{prefix}.after")
            add("Concat", [self._shape([0, 0, margin, 0, 0]), after], prefix, axis=0)
        return prefix

    def _length(self) -> str:
        """The number of samples, as a shape of one number."""
        name = f"{self.site.length_of}.length"
        if self.graph.producer(name) is None:
            shape = self.graph.add_op("Shape", [self.site.length_of], f"{name}.shape")
            self.graph.add_op("Gather", [shape, self._shape([2])], name, axis=0)
        return name

    def _op(self, op: str, inputs: list[str], suffix: str, **attributes: object) -> str:
        return self.graph.add_op(op, inputs, f"{self.name}.{suffix}", **attributes)

    def _reshape(self, tensor: str, shape: list[int], suffix: str) -> str:
        """A Reshape in which -2 stands for the number of spectral products."""
        sizes = [_products(self.points) if n == -2 else n for n in shape]
        return self._op("Reshape", [tensor, self._shape(sizes)], suffix)

    def _shape(self, sizes: list[int]) -> str:
        return self.graph.constant("libspeech.shape." + "_".join(map(str, sizes)), np.array(sizes, np.int64))


def _products(points: int) -> int:
    return 3 * (points // 2 - 1) + 2


def spectral_matrices(points: int, kernel: int) -> tuple[NDArray, NDArray, NDArray]:
    """Analysis [P, points], kernel [P, kernel] and synthesis [points - kernel + 1, P].

    With w the taps and x a window, synthesis @ ((kernel @ w) * (analysis @ x)) is the valid part of their correlation.
    A complex product (a + ib)(c + id) is made of c (a + b), a (d - c) and b (c + d); the first and the last bin are real.
    """
    bins = points // 2 + 1
    fourier = np.exp(-2j * np.pi * np.outer(np.arange(bins), np.arange(points)) / points)
    taps = np.conj(fourier[:, :kernel])
    times = 2 * np.pi * np.outer(np.arange(bins), np.arange(points - kernel + 1)) / points
    analysis, kernels, synthesis = [], [], []
    for a, b, c, d, angle in zip(fourier.real, fourier.imag, taps.real, taps.imag, times):
        cosine, sine = np.cos(angle) / points, np.sin(angle) / points
        if len(analysis) in (0, _products(points) - 1):
            analysis, kernels, synthesis = [*analysis, a], [*kernels, c], [*synthesis, cosine]
        else:
            analysis += [a + b, a, b]
            kernels += [c, d - c, c + d]
            synthesis += [2 * (cosine - sine), -2 * sine, -2 * cosine]
    return np.array(analysis), np.array(kernels), np.array(synthesis).T
