"""Makes prosody.onnx, the graph of the hum bundle.

    python make_hum.py            writes prosody.onnx beside this file
    python make_hum.py --check    fails if the file that is there is another

It has the inputs and outputs of the real one. What of these sounds is `source` alone, which the vocoder of the hum takes
for the logarithm of the sound's lowest bin. The token with id k sounds for two frames, 50 ms, as a raised cosine of k
modulo 16, plus 1, waves, from 0 to half of full scale: whole waves, so that tones join without a click. The pad, id 0, is
silent. Each turn of a loop adds a quarter of one token to the sound of all, so the time grows with the square of the
tokens, and a cancellation finds a place to stop in every turn.

It needs the `onnx` package; `tools/bundle/requirements.txt` pins one. The same script gives the same bytes.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

MODEL = Path(__file__).with_name("prosody.onnx")
ROWS = 240
"""The rows of the source of a token: 4,800 a second."""

FRAMES = 2
WAVES = 16
"""The tones that there are: a token sounds as one to this many waves."""

TEXT_CHANNELS = 512
SOURCE_CHANNELS = 22

LOUDEST = 5.0
"""The magnitude of a lowest bin that sounds at half of full scale: windows that overlap add up to a tenth of it."""

SILENCE = 1e-9
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
        node("Unsqueeze", "places last_axis", "lines"),
        node("Range", "zero rows one", "steps"),
        # Waves modulo one, in whole numbers: a cosine of large numbers is not exact.
        node("Unsqueeze", "ids last_axis", "column"),
        node("Mod", "column tones_there_are", "tone_ids"),
        node("Add", "tone_ids one", "waves"),
        node("Mul", "waves steps", "products"),
        node("Mod", "products rows", "phases"),
        node("Cast", "phases", "float_phases", to=FLOAT),
        node("Mul", "float_phases radians", "angles"),
        node("Cos", "angles", "cosines"),
        node("Sub", "float_one cosines", "raised"),
        node("Min", "column one", "is_no_pad"),
        node("Cast", "is_no_pad", "heard", to=FLOAT),
        node("Mul", "heard half_of_loudest", "loudness"),
        node("Mul", "raised loudness", "tones"),
        node("Mul", "tones silent", "nothing"),
        node("Mul", "count parts", "turns"),
        node("Loop", "turns yes nothing", "sound", body=add_part_of_token()),
        # A row more than the tokens have, and the other channels, which nothing listens to.
        node("Reshape", "sound column_shape", "magnitudes"),
        node("Pad", "magnitudes one_row", "all_magnitudes"),
        node("Add", "all_magnitudes silence", "positive"),
        node("Log", "positive", "logarithms"),
        node("Pad", "logarithms other_channels", "source"),
        # Features that are of no account.
        node("Mul", "shape frames", "all_frames"),
        node("Concat", "all_frames text_channels", "text_shape", axis=0),
        node("Expand", "silent text_shape", "text"),
        node("Mul", "all_frames two", "curve_shape"),
        node("Expand", "silent curve_shape", "pitch"),
        node("Identity", "pitch", "energy"),
    ]
    constants = {
        "one_axis": np.array([-1], np.int64),
        "last_axis": np.array([1], np.int64),
        "column_shape": np.array([-1, 1], np.int64),
        "one_row": np.array([0, 0, 1, 0], np.int64),
        "other_channels": np.array([0, 0, 0, SOURCE_CHANNELS - 1], np.int64),
        "text_channels": np.array([TEXT_CHANNELS], np.int64),
        "frames": np.array([FRAMES], np.int64),
        "two": np.array([2], np.int64),
        "zero": np.array(0, np.int64),
        "one": np.array(1, np.int64),
        "yes": np.array(True),
        "rows": np.array(ROWS, np.int64),
        "tones_there_are": np.array(WAVES, np.int64),
        "radians": np.array(2 * math.pi / ROWS, np.float32),
        "float_one": np.array(1, np.float32),
        "half_of_loudest": np.array(LOUDEST / 2, np.float32),
        "silence": np.array(SILENCE, np.float32),
        "silent": np.array(0, np.float32),
        "parts": np.array(PARTS, np.int64),
        "share": np.array(1 / PARTS, np.float32),
    }
    graph = helper.make_graph(
        nodes,
        "hum",
        [port("tokens", INT64, [1, "tokens"]), port("style", FLOAT, [1, 256]), port("speed", FLOAT, [1])],
        [
            port("durations", INT64, ["tokens"]),
            port("text", FLOAT, ["frames", TEXT_CHANNELS]),
            port("pitch", FLOAT, ["halves"]),
            port("energy", FLOAT, ["halves"]),
            port("source", FLOAT, ["rows", SOURCE_CHANNELS]),
        ],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    opsets = [helper.make_opsetid("", 20)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9, producer_name="libspeech")
    onnx.checker.check_model(model, full_check=True)
    return model


def add_part_of_token() -> onnx.GraphProto:
    """The loop's body: the sound so far, and in the line of this turn's token a part of its tone."""
    nodes = [
        node("Div", "turn parts", "token"),
        node("Gather", "tones token", "tone", axis=0),
        node("Equal", "lines token", "is_its_line"),
        node("Cast", "is_its_line", "its_line", to=FLOAT),
        node("Mul", "its_line share", "weights"),
        node("Mul", "weights tone", "added"),
        node("Add", "before added", "after"),
        node("Identity", "go_on", "still"),
    ]
    return helper.make_graph(
        nodes,
        "add_part_of_token",
        [port("turn", INT64, []), port("go_on", BOOL, []), port("before", FLOAT, ["tokens", ROWS])],
        [port("still", BOOL, []), port("after", FLOAT, ["tokens", ROWS])],
    )


def node(op: str, inputs: str, output: str, **attributes: object) -> onnx.NodeProto:
    return helper.make_node(op, inputs.split(), [output], name=output, **attributes)


def port(name: str, element_type: int, shape: list[int | str]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, element_type, shape)


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the graph of the hum bundle.")
    parser.add_argument("--check", action="store_true", help="compare with the file instead of writing it")
    data = hum().SerializeToString(deterministic=True)
    if not parser.parse_args().check:
        MODEL.write_bytes(data)
    elif MODEL.read_bytes() != data:
        raise SystemExit(f"{MODEL} is not what this script makes: run it")


if __name__ == "__main__":
    main()
