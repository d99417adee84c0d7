"""Exact rewrites of the float graph that make it faster in ONNX Runtime.

Each rewrite looks for one pattern, changes every place that fits it and returns how many there were. A pattern that is
not there (another exporter writes other nodes) is simply not rewritten. "Exact" means: the same function up to float32
rounding.
"""

from __future__ import annotations

from collections.abc import Callable

from ..graph import Graph
from .arithmetic import divisions_to_multiplications, squares_to_multiplications
from .convolution import transposed_convolutions_to_2d
from .normalization import fuse_instance_normalization
from .repetition import repetitions_to_loops
from .residual import fuse_skip_normalization
from .source import increments_per_frame, sum_of_sines
from .stft import stft_to_convolution
from .style import merge_style_layers

REWRITES: list[tuple[str, Callable[[Graph], int]]] = [
    ("STFT to convolution", stft_to_convolution),
    ("Pow(x, 2) to Mul", squares_to_multiplications),
    ("Div by constant to Mul", divisions_to_multiplications),
    ("instance normalization fused", fuse_instance_normalization),
    ("layer normalization of sums fused", fuse_skip_normalization),
    ("style layers merged", merge_style_layers),
    ("depthwise transposed convolutions to 2-D", transposed_convolutions_to_2d),
    ("phase increments per frame", increments_per_frame),
    ("sum of sines in fewer passes", sum_of_sines),
    ("repeated layers to a loop", repetitions_to_loops),
]
"""In the order of application: the later ones rely on what the earlier ones leave."""


def rewrite(graph: Graph) -> dict[str, int]:
    """Applies all rewrites; returns how often each one fitted, without those that never did."""
    counts = {}
    for name, apply in REWRITES:
        count = apply(graph)
        if count:
            counts[name] = count
        graph.drop_unused()
    return counts
