from __future__ import annotations

import json
import struct

import numpy as np
import onnx
from bundle.loader import open_bundle
from bundle.store import PROSODY_GRAPH, PROSODY_WEIGHTS, graph_bytes, is_padding, safetensors_bytes, weight_tensors
from bundle.weights import Weight
from graphs import graph, node, run
from safetensors.numpy import load

TENSORS = {
    "b": np.arange(64, dtype=np.float32).reshape(8, 8),
    "a.scale": np.array([[0.5]], np.float32),
    "a": np.arange(128, dtype=np.uint8).reshape(2, 64),
    "half": np.ones((5, 3), np.float16),
    "a.zero_point": np.array([[7]], np.uint8),
}


def test_the_safetensors_library_reads_what_was_written():
    found = {k: v for k, v in load(safetensors_bytes(TENSORS, {"layout": "1"})).items() if not is_padding(k)}
    assert found.keys() == TENSORS.keys()
    for name, array in TENSORS.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def test_tensors_start_at_multiples_of_64_bytes():
    data = safetensors_bytes(TENSORS, {"layout": "1"})
    (length,) = struct.unpack("<Q", data[:8])
    assert (8 + length) % 64 == 0 and len(data) % 64 == 0
    header = json.loads(data[8 : 8 + length])
    assert header.pop("__metadata__") == {"layout": "1"}
    starts = {name: entry["data_offsets"][0] for name, entry in header.items() if not is_padding(name)}
    assert starts.keys() == TENSORS.keys() and not any(start % 64 for start in starts.values())


def test_the_order_of_the_tensors_does_not_matter():
    assert safetensors_bytes(TENSORS) == safetensors_bytes(dict(reversed(TENSORS.items())))


def test_large_weights_are_external_and_come_back_as_they_were(tmp_path):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 256, (32, 32), np.uint8)
    names = {"big": [32, 32], "half": [32, 32], "float": [32, 32], "small": [32, 4]}
    weights = {
        "big": Weight.quantized(codes, rng.uniform(0.01, 0.02, 32).astype(np.float32), codes[0], axis=1),
        "half": Weight(rng.standard_normal((32, 32)).astype(np.float16).astype(np.float32), half=True),
        "float": Weight(rng.standard_normal((32, 32)).astype(np.float32)),
        "small": Weight(rng.standard_normal((32, 4)).astype(np.float32)),
    }
    chain = ["x", "y0", "y1", "y2", "y3"]
    nodes = [node("MatMul", f"{chain[i]} {name}", chain[i + 1]) for i, name in enumerate(names)]
    g = graph(nodes, {"x": [1, 32]}, {"y3": None, "y2": None}, {k: np.zeros(s, np.float32) for k, s in names.items()})
    g.weights = weights
    x = rng.standard_normal((1, 32)).astype(np.float32)
    expected = run(g, x=x)

    (tmp_path / PROSODY_GRAPH).write_bytes(graph_bytes(g))
    (tmp_path / PROSODY_WEIGHTS).write_bytes(safetensors_bytes(weight_tensors(g)))
    for found, wanted in zip(open_bundle(tmp_path).run(None, {"x": x}), expected):
        np.testing.assert_array_equal(found, wanted)

    external = {
        t.name
        for t in onnx.load(tmp_path / PROSODY_GRAPH, load_external_data=False).graph.initializer
        if t.external_data
    }
    assert external == {"big", "half", "float"}
    stored = load((tmp_path / PROSODY_WEIGHTS).read_bytes())
    assert {k: v.dtype for k, v in stored.items() if "." not in k} == {
        "big": np.uint8,
        "half": np.float16,
        "float": np.float32,
    }
    assert stored["big.scale"].shape == (1, 32)
