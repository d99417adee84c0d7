"""vocoder.safetensors: the weights of the decoder and generator, laid out as `layout` says.

Besides its convolutions and adaptive normalizations: `<block>.alpha<k>.<i>` [channels].
"""

from __future__ import annotations

import numpy as np

from .cases import GENERATOR_STYLE
from .errors import BundleError
from .graph import FLOAT, Graph, Port
from .layers import STYLE_HALF, Convolution, Norm, Snake, nodes_of, snake_alpha
from .layout import (
    Floats,
    Tensors,
    compare_convolution,
    compare_norm,
    compare_upsampling,
    convolution_tensors,
    floats,
    norm_tensors,
    require_equal,
    upsampling_tensors,
)


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
"""The normalizations in the order in which the library runs them."""

_BY_NAME = {c.name: c for c in CONVOLUTIONS}
SNAKES = tuple(
    Snake(f"{name}.alpha{k}.{i}", _BY_NAME[f"{name}.conv{k}.{i}"])
    for name, _, _, _ in _residual_blocks()
    for i in range(3)
    for k in (1, 2)
)


def convolution(name: str) -> Convolution:
    """The convolution with this name in the bundle."""
    return _BY_NAME[name]


def separate_generator_style(graph: Graph) -> None:
    """Makes the generator's normalizations read their own style, the input `generator_style` [1, 128], instead of the
    decoder's."""
    for norm in NORMS:
        if norm.name.startswith("generator."):
            nodes = nodes_of(graph, f"{norm.module}/fc", "MatMul", "Gemm")
            if len(nodes) != 1:
                raise BundleError(f"the style layer {norm.module}/fc was not found in the model")
            nodes[0].inputs = [GENERATOR_STYLE, *nodes[0].inputs[1:]]
    graph.inputs.append(Port(GENERATOR_STYLE, FLOAT, [1, STYLE_HALF]))
    graph.touch()


def _upsamples(layer: Convolution) -> bool:
    return layer.transposed and not layer.depthwise


def vocoder_tensors(graph: Graph) -> Tensors:
    """The tensors of vocoder.safetensors, from an export in float32 that is not rewritten."""
    tensors: Tensors = {}
    for layer in CONVOLUTIONS:
        tensors |= upsampling_tensors(graph, layer) if _upsamples(layer) else convolution_tensors(graph, layer)
    for norm in NORMS:
        tensors |= norm_tensors(graph, norm)
    for snake in SNAKES:
        alpha = floats(graph.weights[snake_alpha(graph, snake)]).reshape(-1)
        if len(alpha) != snake.convolution.inputs:
            raise BundleError(f"{snake.name} has {len(alpha)} channels; {snake.convolution.inputs} are expected")
        tensors[snake.name] = alpha
    return tensors


def compare_with_export(tensors: Floats, graph: Graph) -> None:
    """Raises BundleError unless the expanded tensors, in the export's layout, equal its weights: exactly, or to the
    precision of 16 bits for those stored in 16 bits."""
    for layer in CONVOLUTIONS:
        if _upsamples(layer):
            compare_upsampling(tensors, graph, layer)
        else:
            compare_convolution(tensors, graph, layer)
    for norm in NORMS:
        compare_norm(tensors, graph, norm)
    for snake in SNAKES:
        alpha = floats(graph.weights[snake_alpha(graph, snake)])
        require_equal(snake.name, tensors[snake.name], np.reshape(alpha, -1))
