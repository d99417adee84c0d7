"""Exact rewrites of the float graph that make it faster in ONNX Runtime.

Each rewrite looks for one pattern, changes every place that fits it and returns how many there were. A pattern that is
not there (another exporter writes other nodes) is simply not rewritten. "Exact" means: the same function up to float32
rounding.
"""

from __future__ import annotations

from collections.abc import Callable

from ..graph import Graph
from .arithmetic import divisions_to_multiplications, squares_to_multiplications
from .convolution import convolutions_to_2d
from .normalization import fuse_instance_normalization
from .snake import fold_snake
from .spectral import convolutions_to_spectral
from .stft import stft_to_convolution
from .style import merge_style_layers

REWRITES: list[tuple[str, Callable[[Graph], int]]] = [
    ("STFT to convolution", stft_to_convolution),
    ("Pow(x, 2) to Mul", squares_to_multiplications),
    ("Div by constant to Mul", divisions_to_multiplications),
    ("instance normalization fused", fuse_instance_normalization),
    ("Snake scale folded into its neighbours", fold_snake),
    ("style layers merged", merge_style_layers),
    ("long convolutions in the frequency domain", convolutions_to_spectral),
    ("1-D convolutions to 2-D", convolutions_to_2d),
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
