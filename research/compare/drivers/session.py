"""Limits ONNX Runtime's threads, for the engines that use its Python package."""

from __future__ import annotations

import onnxruntime


def open_session(model: str, threads: int) -> onnxruntime.InferenceSession:
    """The model, with at most this many threads."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
