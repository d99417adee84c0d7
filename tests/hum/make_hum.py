"""Makes the acoustic model of the hum bundle: a voice of pure tones, for tests whose subject is not the model.

    python make_hum.py            writes acoustic.onnx beside this file
    python make_hum.py --check    fails if the file that is there is another

It has the inputs and outputs of the real one. The token with id k sounds for two frames, 50 ms, at 20 k hertz and half
of full scale: a whole number of waves, so that tones join without a click, and the pad, id 0, is silent. Each turn of a
loop adds a quarter of one token to the sound of all, so the time grows with the square of the tokens: a word takes a
millisecond, the longest utterance some hundred times as long, and a cancellation finds a place to stop in every turn.

It needs the `onnx` package; `tools/bundle/requirements.txt` pins one. The same script gives the same bytes.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

MODEL = Path(__file__).with_name("acoustic.onnx")
SAMPLES = 1200
"""The samples of a token."""

FRAMES = 2
AMPLITUDE = 0.5
PARTS = 4
"""The turns of the loop for each token."""

BOOL, FLOAT, INT64 = onnx.TensorProto.BOOL, onnx.TensorProto.FLOAT, onnx.TensorProto.INT64


def hum() -> onnx.ModelProto:
    nodes = [
        node("Reshape", "tokens one_axis", "ids"),
        node("Shape", "ids", "shape"),
        node("Expand", "frames shape", "durations"),
        node("Squeeze", "shape", "count"),
        node("Range", "zero count one", "places"),
        node("Unsqueeze", "places last_axis", "rows"),
        node("Range", "zero samples one", "steps"),
        # Waves modulo one, in whole numbers: a sine of large numbers is not exact.
        node("Unsqueeze", "ids last_axis", "column"),
        node("Mul", "column steps", "products"),
        node("Mod", "products samples", "phases"),
        node("Cast", "phases", "float_phases", to=FLOAT),
        node("Mul", "float_phases radians", "angles"),
        node("Sin", "angles", "sines"),
        node("Mul", "sines amplitude", "tones"),
        node("Mul", "tones silent", "silence"),
        node("Mul", "count parts", "turns"),
        node("Loop", "turns yes silence", "sound", body=add_part_of_token()),
        node("Reshape", "sound one_axis", "audio"),
    ]
    constants = {
        "one_axis": np.array([-1], np.int64),
        "last_axis": np.array([1], np.int64),
        "frames": np.array([FRAMES], np.int64),
        "zero": np.array(0, np.int64),
        "one": np.array(1, np.int64),
        "yes": np.array(True),
        "samples": np.array(SAMPLES, np.int64),
        "radians": np.array(2 * math.pi / SAMPLES, np.float32),
        "amplitude": np.array(AMPLITUDE, np.float32),
        "silent": np.array(0, np.float32),
        "parts": np.array(PARTS, np.int64),
        "share": np.array(1 / PARTS, np.float32),
    }
    graph = helper.make_graph(
        nodes,
        "hum",
        [port("tokens", INT64, [1, "tokens"]), port("style", FLOAT, [1, 256]), port("speed", FLOAT, [1])],
        [port("audio", FLOAT, ["samples"]), port("durations", INT64, ["tokens"])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    opsets = [helper.make_opsetid("", 20)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9, producer_name="libspeech")
    onnx.checker.check_model(model, full_check=True)
    return model


def add_part_of_token() -> onnx.GraphProto:
    """The loop's body: the sound so far, and in the row of this turn's token a part of its tone."""
    nodes = [
        node("Div", "turn parts", "token"),
        node("Gather", "tones token", "tone", axis=0),
        node("Equal", "rows token", "is_its_row"),
        node("Cast", "is_its_row", "its_row", to=FLOAT),
        node("Mul", "its_row share", "weights"),
        node("Mul", "weights tone", "added"),
        node("Add", "before added", "after"),
        node("Identity", "go_on", "still"),
    ]
    return helper.make_graph(
        nodes,
        "add_part_of_token",
        [port("turn", INT64, []), port("go_on", BOOL, []), port("before", FLOAT, ["tokens", SAMPLES])],
        [port("still", BOOL, []), port("after", FLOAT, ["tokens", SAMPLES])],
    )


def node(op: str, inputs: str, output: str, **attributes: object) -> onnx.NodeProto:
    return helper.make_node(op, inputs.split(), [output], name=output, **attributes)


def port(name: str, element_type: int, shape: list[int | str]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, element_type, shape)


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the acoustic model of the hum bundle.")
    parser.add_argument("--check", action="store_true", help="compare with the file instead of writing it")
    data = hum().SerializeToString(deterministic=True)
    if not parser.parse_args().check:
        MODEL.write_bytes(data)
    elif MODEL.read_bytes() != data:
        raise SystemExit(f"{MODEL} is not what this script makes: run it")


if __name__ == "__main__":
    main()
