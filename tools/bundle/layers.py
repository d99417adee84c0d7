"""The layers of the decoder and the generator, found in an export by the names of their modules.

These are the layers that the library runs itself. An exporter writes the path of a module into the names of its nodes;
what is found under a name must also have the shape and the strides that the library assumes.
"""

from __future__ import annotations

from dataclasses import dataclass

from .errors import BundleError
from .graph import Graph, Node
from .rewrites.style import StyleLayer, style_layer

STYLE_HALF = 128
"""The decoder and generator read the first half of a style vector."""


@dataclass(frozen=True)
class Convolution:
    """A convolution: its name in the bundle, its module in the export, and what it must be."""

    name: str
    module: str
    inputs: int
    outputs: int
    taps: int
    stride: int = 1
    dilation: int = 1
    transposed: bool = False
    depthwise: bool = False

    @property
    def padding(self) -> int:
        """Zeros on either side (for a transposed convolution: what is cut off), so that lengths differ by the stride."""
        return (self.dilation * (self.taps - 1) + 2 - self.stride) // 2


@dataclass(frozen=True)
class Norm:
    """An adaptive instance normalization: its scale and its offset come from the style vector."""

    name: str
    module: str
    channels: int


@dataclass(frozen=True)
class Snake:
    """x + sin(alpha x)^2 / alpha with an alpha per channel, in front of a convolution."""

    name: str
    convolution: Convolution


def _decoder_blocks() -> list[tuple[str, str, int, int]]:
    """Name, module, input channels, output channels."""
    blocks = [("decoder.encode", "encode", 514, 1024)]
    return blocks + [(f"decoder.blocks.{i}", f"decode.{i}", 1090, 512 if i == 3 else 1024) for i in range(4)]


def _residual_blocks() -> list[tuple[str, str, int, int]]:
    """Name, module, channels, taps, in the order in which the library runs them."""
    noise = [("generator.noise.0.block", "noise_res.0", 256, 7), ("generator.noise.1.block", "noise_res.1", 128, 11)]
    return noise + [
        (f"generator.blocks.{i}", f"resblocks.{i}", 256 if i < 3 else 128, (3, 7, 11)[i % 3]) for i in range(6)
    ]


def _all_convolutions() -> tuple[Convolution, ...]:
    found = [
        Convolution("decoder.pitch", "F0_conv", 1, 1, 3, stride=2),
        Convolution("decoder.energy", "N_conv", 1, 1, 3, stride=2),
        Convolution("decoder.text", "asr_res/asr_res.0", 512, 64, 1),
    ]
    for name, module, inputs, outputs in _decoder_blocks():
        found.append(Convolution(f"{name}.conv1", f"{module}/conv1", inputs, outputs, 3))
        found.append(Convolution(f"{name}.conv2", f"{module}/conv2", outputs, outputs, 3))
        found.append(Convolution(f"{name}.shortcut", f"{module}/conv1x1", inputs, outputs, 1))
    found += [
        Convolution("decoder.blocks.3.pool", "decode.3/pool", 1090, 1090, 3, 2, transposed=True, depthwise=True),
        Convolution("generator.upsample.0", "ups.0", 512, 256, 20, 10, transposed=True),
        Convolution("generator.upsample.1", "ups.1", 256, 128, 12, 6, transposed=True),
        Convolution("generator.noise.0.conv", "noise_convs.0", 22, 256, 12, 6),
        Convolution("generator.noise.1.conv", "noise_convs.1", 22, 128, 1),
    ]
    for name, module, channels, taps in _residual_blocks():
        for i, dilation in enumerate((1, 3, 5)):
            found.append(
                Convolution(f"{name}.conv1.{i}", f"{module}/convs1.{i}", channels, channels, taps, dilation=dilation)
            )
            found.append(Convolution(f"{name}.conv2.{i}", f"{module}/convs2.{i}", channels, channels, taps))
    return (*found, Convolution("generator.out", "conv_post", 128, 22, 7))


def _all_norms() -> tuple[Norm, ...]:
    found = []
    for name, module, inputs, outputs in _decoder_blocks():
        found += [Norm(f"{name}.norm1", f"{module}/norm1", inputs), Norm(f"{name}.norm2", f"{module}/norm2", outputs)]
    for name, module, channels, _ in _residual_blocks():
        for i in range(3):
            found += [Norm(f"{name}.norm{k}.{i}", f"{module}/adain{k}.{i}", channels) for k in (1, 2)]
    return tuple(found)


CONVOLUTIONS = _all_convolutions()
NORMS = _all_norms()
"""In the order in which the library runs them."""

_BY_NAME = {c.name: c for c in CONVOLUTIONS}
SNAKES = tuple(
    Snake(f"{name}.alpha{k}.{i}", _BY_NAME[f"{name}.conv{k}.{i}"])
    for name, _, _, _ in _residual_blocks()
    for i in range(3)
    for k in (1, 2)
)


def convolution(name: str) -> Convolution:
    """The convolution of this name in the bundle."""
    return _BY_NAME[name]


def convolution_node(graph: Graph, layer: Convolution) -> Node:
    """The node of a convolution, which must be as expected."""
    op = "ConvTranspose" if layer.transposed else "Conv"
    node = _only(graph, layer.module, [n for n in graph.of_type(op) if f"/{layer.module}/{op}" in n.name])
    weight = graph.weights.get(node.inputs[1])
    if weight is None or any(i not in graph.weights for i in node.inputs[2:]):
        raise BundleError(f"the weight or the bias of {layer.module} is not a constant")
    first, second = (layer.inputs, layer.outputs) if layer.transposed else (layer.outputs, layer.inputs)
    shape = (first, 1 if layer.depthwise else second, layer.taps)
    found = (weight.shape, *(node.attributes.get(k, d) for k, d in _DEFAULTS.items()))
    wanted = (
        shape,
        [layer.stride],
        [layer.dilation],
        [layer.padding] * 2,
        layer.inputs if layer.depthwise else 1,
        [1] if layer.depthwise else [0],
    )
    if found != wanted:
        raise BundleError(f"the convolution {layer.module} has {found}; {wanted} is expected")
    return node


_DEFAULTS: dict[str, object] = {"strides": [1], "dilations": [1], "pads": [0, 0], "group": 1, "output_padding": [0]}


def norm_layer(graph: Graph, norm: Norm) -> StyleLayer:
    """The layer that makes the scale and the offset of a normalization out of the style vector."""
    nodes = [n for n in graph.of_type("MatMul", "Gemm") if f"/{norm.module}/fc/" in n.name]
    layer = style_layer(graph, _only(graph, f"{norm.module}/fc", nodes))
    if layer is None or layer.weight.shape != (STYLE_HALF, 2 * norm.channels):
        raise BundleError(f"the style layer {norm.module}/fc is not as expected")
    plus_one = graph.only_consumer(layer.halves[0], "Add")
    if plus_one is None or not any(graph.scalar(i) == 1.0 for i in plus_one.inputs):
        raise BundleError(f"the scale of {norm.module} is not one plus the first half of its style layer")
    return layer


def snake_alpha(graph: Graph, snake: Snake) -> str:
    """The name of the constant alpha."""
    frontier = [convolution_node(graph, snake.convolution)]
    for _ in range(4):
        frontier = [s for n in frontier for i in n.inputs if (s := graph.producer(i)) is not None]
        for sine in (n for n in frontier if n.op == "Sin"):
            product = graph.producer(sine.inputs[0], "Mul")
            alphas = [i for i in product.inputs if i in graph.weights] if product else []
            if len(alphas) == 1:
                return alphas[0]
    raise BundleError(f"no Snake activation was found in front of {snake.convolution.module}")


def _only(graph: Graph, module: str, nodes: list[Node]) -> Node:
    if len(nodes) != 1:
        raise BundleError(f"the layer {module} is {len(nodes)} times in the model; once is expected")
    return nodes[0]
