"""Opens what this tool writes, as the library does: weights expanded to float32 and handed to ONNX Runtime in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
from safetensors.numpy import load_file

from .weights import WEIGHTS_FILE, Array, Quantization

_LARGEST_FOLDED = str(1 << 20)
"""Without this limit ONNX Runtime computes the transformed weights of the long convolutions (see `rewrites.spectral`) when
it loads the model and keeps them: 300 MB more memory, for a few percent of the time."""


def session_options(threads: int = 0) -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_mem_pattern = False
    options.add_session_config_entry("optimization.constant_folding_max_output_size_in_bytes", _LARGEST_FOLDED)
    return options


def open_model(model: bytes | Path, threads: int = 0) -> onnxruntime.InferenceSession:
    """A session of a self-contained ONNX model."""
    source = str(model) if isinstance(model, Path) else model
    return onnxruntime.InferenceSession(source, session_options(threads), providers=["CPUExecutionProvider"])


def open_bundle(directory: Path, threads: int = 0, model: bytes | None = None) -> onnxruntime.InferenceSession:
    """A session of the acoustic model of a bundle, or of a variant of its graph with the same weights."""
    weights = read_weights(directory / WEIGHTS_FILE)
    options = session_options(threads)
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(w) for w in weights.values()]
    options.add_external_initializers(list(weights), values)
    graph = model if model is not None else (directory / "acoustic.onnx").read_bytes()
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def read_weights(path: Path) -> dict[str, Array]:
    """All weights of a safetensors file as float32."""
    stored = load_file(path)
    companions = {f"{n}.{part}" for n in stored for part in ("scale", "zero_point")}
    return {name: _expand(stored, name) for name in sorted(stored) if name not in companions}


def _expand(stored: dict[str, Array], name: str) -> Array:
    array = stored[name]
    if array.dtype != np.uint8:
        return array.astype(np.float32)
    return Quantization(array, stored[f"{name}.scale"], stored[f"{name}.zero_point"]).expand()
