"""Opens what this tool writes, as the library does: weights expanded to float32 and handed to ONNX Runtime in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
from safetensors.numpy import load_file

from .store import EXPANDED_WEIGHTS, PROSODY_GRAPH, PROSODY_WEIGHTS, is_padding
from .weights import Array, Quantization


def session_options(threads: int = 0) -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_mem_pattern = False
    return options


def open_model(model: bytes | Path, threads: int = 0) -> onnxruntime.InferenceSession:
    """A session of a self-contained ONNX model."""
    source = str(model) if isinstance(model, Path) else model
    return onnxruntime.InferenceSession(source, session_options(threads), providers=["CPUExecutionProvider"])


def open_bundle(directory: Path, threads: int = 0) -> onnxruntime.InferenceSession:
    """A session of the prosody model of a bundle."""
    weights = b"".join(w.tobytes() for w in read_weights(directory / PROSODY_WEIGHTS).values())
    options = session_options(threads)
    options.add_external_initializers_from_files_in_memory([EXPANDED_WEIGHTS], [weights], [len(weights)])
    graph = (directory / PROSODY_GRAPH).read_bytes()
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def read_weights(path: Path) -> dict[str, Array]:
    """All weights of a safetensors file as float32."""
    stored = load_file(path)
    companions = {f"{n}.{part}" for n in stored for part in ("scale", "zero_point")}
    return {name: _expand(stored, name) for name in sorted(stored) if name not in companions and not is_padding(name)}


def _expand(stored: dict[str, Array], name: str) -> Array:
    array = stored[name]
    if array.dtype != np.uint8:
        return array.astype(np.float32)
    return Quantization(array, stored[f"{name}.scale"], stored[f"{name}.zero_point"]).expand()
