"""Opens models in ONNX Runtime, and reads weights expanded to float32, as the library does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from .store import is_padding
from .weights import Quantization

if TYPE_CHECKING:
    import onnxruntime


def open_model(model: bytes | Path, threads: int = 0) -> onnxruntime.InferenceSession:
    """A session of a self-contained ONNX model."""
    # Bundles of the published model are made without ONNX Runtime.
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_mem_pattern = False
    source = str(model) if isinstance(model, Path) else model
    return onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])


def read_weights(path: Path) -> dict[str, NDArray[np.float32]]:
    """All weights of a safetensors file as float32."""
    stored = load_file(path)
    companions = {f"{n}.{part}" for n in stored for part in ("scale", "zero_point")}
    return {name: _expand(stored, name) for name in sorted(stored) if name not in companions and not is_padding(name)}


def _expand(stored: dict[str, NDArray[Any]], name: str) -> NDArray[np.float32]:
    array = stored[name]
    if array.dtype == np.int16:
        return array.astype(np.float32) * stored[f"{name}.scale"]
    if array.dtype != np.uint8:
        return array.astype(np.float32)
    return Quantization(array, stored[f"{name}.scale"], stored[f"{name}.zero_point"]).expand()
