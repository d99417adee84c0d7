"""The whole tool on the published model."""

from __future__ import annotations

import json

import numpy as np
import onnx
import pytest
import text_side
from bundle import reference
from bundle.__main__ import main
from bundle.boundary import expose_decoder_inputs
from bundle.build import bundle_files, voice_tables
from bundle.canonical import canonicalize
from bundle.cases import Case, feed_of
from bundle.check import CASES, check
from bundle.errors import BundleError
from bundle.graph import Graph, Port
from bundle.loader import open_model, read_weights
from bundle.model import float_graph, speech_model
from bundle.moments import WIDTH, measured_moments, read_sentences, voice_moments
from bundle.store import PROSODY_WEIGHTS, VOCODER_WEIGHTS, VOICES, is_padding
from bundle.vocoder import NORMS
from bundle.voices import LANGUAGES
from exports import foreign
from graphs import FLOAT
from safetensors.numpy import load_file

pytestmark = pytest.mark.real_model

SHORT = CASES[:2]
EXPECTED = {
    "dequantized MatMulInteger": 148,
    "dequantized ConvInteger": 87,
    "dequantized DynamicQuantizeLSTM": 6,
    "dequantized DequantizeLinear": 4,
}


def plain(path):
    """The tensors of a file without padding."""
    return {name: tensor for name, tensor in load_file(path).items() if not is_padding(name)}


def test_every_quantized_operator_becomes_a_float_operator(published):
    speech = speech_model(published)
    assert speech.changes == EXPECTED and speech.precision == "int8"


def test_matrices_are_stored_in_one_byte_or_two_per_value(bundle):
    tensors = plain(bundle / PROSODY_WEIGHTS) | plain(bundle / VOCODER_WEIGHTS)
    size = {}
    for tensor in tensors.values():
        size[tensor.dtype.name] = size.get(tensor.dtype.name, 0) + tensor.nbytes
    assert size["uint8"] > 77_900_000
    assert size["int16"] < 6_100_000  # the upsamplings, which the published graph has as floats
    assert size["float32"] < 1_700_000  # biases and scales


def test_the_bytes_depend_on_the_sources_only(bundle, sources, published):
    voices = plain(bundle / VOICES)
    files = bundle_files(sources, speech_model(published), voices, published=True)
    for name, data in files.items():
        assert (bundle / name).read_bytes() == data, name


def test_the_bundle_passes_the_check(bundle, published):
    lines = []
    check(bundle, published, lines.append)
    assert any("weights are those" in line for line in lines) and any("quantized" in line for line in lines)


@pytest.mark.parametrize(
    ("file", "tensor", "message"),
    [
        (VOCODER_WEIGHTS, "generator.blocks.3.conv2.2.weight", "generator.blocks.3.conv2.2.weight is not the weight"),
        (PROSODY_WEIGHTS, "bert.embedding.bias", "bert.embedding.bias is not the weight"),
        (PROSODY_WEIGHTS, "text.lstm.recurrent.1.weight", "text.lstm.recurrent.1.weight is not the weight"),
        (PROSODY_WEIGHTS, "bert.attention.input.weight.scale", "bert.attention.input.weight is not the weight"),
        (PROSODY_WEIGHTS, "source.weight", "source.weight is not the weight"),
    ],
)
def test_the_check_notices_a_damaged_weight(
    bundle, published, float_export, tmp_path, monkeypatch, file, tensor, message
):
    # It only reads the graph, which takes seconds to make.
    monkeypatch.setattr("bundle.check.float_graph", lambda export: float_export)
    for path in bundle.iterdir():
        if path.name != file:
            (tmp_path / path.name).symlink_to(path)
    data = bytearray((bundle / file).read_bytes())
    start, end = _span(data, tensor)
    data[start:end] = bytes(end - start)
    (tmp_path / file).write_bytes(data)
    with pytest.raises(BundleError, match=f"the check failed: {message}"):
        check(tmp_path, published, lambda line: None, SHORT[:1])


def _span(data, name):
    length = int.from_bytes(data[:8], "little")
    begin, end = json.loads(data[8 : 8 + length])[name]["data_offsets"]
    return 8 + length + begin, 8 + length + end


@pytest.fixture(scope="module")
def utterances(recorded):
    """The reference's tensors for each utterance."""
    found = {}
    for name, tensor in plain(recorded).items():
        index, part = name.split("/")
        found.setdefault(int(index), {})[part] = tensor
    return [found[index] for index in range(len(found))]


def test_every_tensor_of_the_reference_has_the_length_that_the_durations_say(recorded, utterances):
    assert len(utterances) == len(reference.CASES) + len(reference.TEXT_CASES)
    assert [len(values["tokens"]) for values in utterances] == [8, 82, 31, 3, 63, 17, 209]
    assert recorded.stat().st_size < 40e6
    for i, values in enumerate(utterances):
        n, frames = len(values["tokens"]), int(values["durations"].sum())
        shapes = {
            "tokens": (n,), "durations": (n,), "style": (384 if i in (2, 4) else 256,), "speed": (1,), "bert": (n, 512),
            "text_encoder": (n, 512), "duration_features": (n, 640), "shared": (frames, 512), "text": (frames, 512),
            "pitch": (2 * frames,), "energy": (2 * frames,), "source": (120 * frames + 1, 22),
        }  # fmt: skip
        if i < len(reference.CASES):
            shapes |= {"decoder": (2 * frames, 512), "stage0": (20 * frames, 256), "audio": (600 * frames,)}
        if i < len(reference.SMALL_CASES):
            steps = len(values["small_pitch"])
            assert abs(steps / (2 * frames) - 1) < 0.25
            shapes |= {"small_pitch": (steps,), "small_spectra": (steps, 5, 601)}
        assert {name: tensor.shape for name, tensor in values.items()} == shapes


@pytest.mark.parametrize("index", range(7))
def test_the_weights_of_the_text_side_make_what_the_model_makes(bundle, utterances, index):
    values = utterances[index]
    weights = read_weights(bundle / PROSODY_WEIGHTS)
    found = text_side.run(weights, values["tokens"], values["style"], float(values["speed"][0]))
    np.testing.assert_array_equal(found.pop("durations"), values["durations"])
    for name, tensor in found.items():
        np.testing.assert_allclose(tensor, values[name], atol=5e-5 * np.abs(values[name]).max(), err_msg=name)


@pytest.mark.parametrize(("index", "decibels"), [(0, 60), (2, 40), (3, 60), (6, 30)])
def test_the_source_is_made_of_the_pitch(bundle, utterances, index, decibels):
    """The phase of the export grows to 1e5, where float32 has steps of 1/128: long utterances agree less."""
    values = utterances[index]
    magnitudes, phases = np.split(values["source"].astype(np.float64), 2, axis=1)
    expected = magnitudes * np.exp(1j * phases)
    found = text_side.source(read_weights(bundle / PROSODY_WEIGHTS), values["pitch"])
    noise = np.square(np.abs(found - expected)).sum() / np.square(np.abs(expected)).sum()
    assert -10 * np.log10(noise) > decibels
    assert not np.any(values["source"][:, [11, 21]] < 0)  # see `stft`


def test_moments_are_averages_over_the_sentences(bundle, sources, published):
    """The first normalization reads the text features, so its moments can be computed without the vocoder."""
    tables = voice_tables(sources)
    moments = plain(bundle / VOICES)
    assert moments.keys() == {key for name in tables for key in (name, f"{name}.scale", f"{name}/moments")}
    assert all(moments[f"{name}/moments"].shape == (2, WIDTH) for name in tables)
    graph, _ = float_graph(published)
    graph.outputs = []
    expose_decoder_inputs(graph)
    model = open_model(graph.to_model().SerializeToString())
    for name in ("aria/en-US", "leo/hi-IN"):
        found = moments[f"{name}/moments"]
        cases = [Case(phonemes, name) for phonemes in read_sentences()[name.split("/")[1]]]
        texts = [model.run(["text"], feed_of(case, sources.vocabulary(), tables[name]))[0] for case in cases]
        weights = [len(text) for text in texts]
        assert all(80 <= weight <= 170 for weight in weights)  # 2 to 4 seconds
        mean = np.average([text.mean(axis=0) for text in texts], axis=0, weights=weights)
        variance = np.average([text.var(axis=0) for text in texts], axis=0, weights=weights)
        np.testing.assert_allclose(found[0, :512], mean, atol=1e-5)
        np.testing.assert_allclose(found[1, :512], variance, atol=1e-5)
        assert not found[:, 514:544].any() and np.count_nonzero(found[1]) == sum(n.channels for n in NORMS)


def test_the_measured_moments_are_those_of_the_model(sources, published):
    """Checks two voices, one of which has a separate style in the generator. Processors differ in the last digits, and
    in the noise branch in the second.
    """
    tables = {name: voice_tables(sources)[name] for name in ("aria/en-US", "leo/hi-IN")}
    assert {table.shape[1] for table in tables.values()} == {256, 384}
    measured = measured_moments(sources)
    found = voice_moments(float_graph(published)[0], sources.vocabulary(), tables, read_sentences())
    for name, (means, variances) in found.items():
        deviations = np.sqrt(measured[name][1])
        assert np.abs(means - measured[name][0]).max() <= 0.1 * deviations.max(), name
        distance = np.abs(np.stack([means, np.sqrt(variances)]) - np.stack([measured[name][0], deviations]))
        assert np.quantile(distance / np.where(deviations > 0, deviations, 1), 0.99) < 0.02, name


def test_every_quantized_operator_against_its_original_on_real_activations(published):
    """Runs the quantized graph once; each float operator then gets its original's inputs, after quantization."""
    quantized = Graph.from_model(onnx.load_model_from_string(published))
    canonicalize(quantized)
    sources = {n.inputs[0]: n.outputs for n in quantized.of_type("DynamicQuantizeLinear")}
    float_, _ = float_graph(published)
    sites = [n for n in float_.of_type("Conv", "MatMul") if n.inputs[0] in sources and _was_quantized(float_, n)]
    assert len(sites) == EXPECTED["dequantized MatMulInteger"] + EXPECTED["dequantized ConvInteger"]
    wanted = list(dict.fromkeys([o for n in sites for o in (*sources[n.inputs[0]], n.outputs[0])]))
    values = _run_with_outputs(quantized, wanted)

    for node in sites:
        node.inputs[0] = f"{node.inputs[0]}.activation"
    float_.touch()
    feeds = {
        f"{name}.activation": _dequantized(*(values[o] for o in sources[name]))
        for name in sources
        if sources[name][0] in values
    }
    used = {n.inputs[0] for n in sites}
    feeds = {k: v for k, v in feeds.items() if k in used}
    float_.inputs = [Port(k, FLOAT, list(v.shape)) for k, v in feeds.items()]
    float_.outputs = [Port(n.outputs[0], FLOAT, [None] * values[n.outputs[0]].ndim) for n in sites]
    found = open_model(float_.to_model().SerializeToString()).run(None, feeds)
    for node, result in zip(sites, found):
        expected = values[node.outputs[0]]
        step = (
            values[sources[node.inputs[0].removesuffix(".activation")][1]]
            * float_.weights[node.inputs[1]].quantization.scale.max()
        )
        tolerance = 1e-5 * np.abs(expected).max() + 1.01 * step * (len(node.inputs) > 2)  # the bias is rounded down
        assert np.abs(result - expected).max() <= tolerance, node.outputs[0]


def test_every_lstm_against_its_original_on_real_activations(published):
    quantized = Graph.from_model(onnx.load_model_from_string(published))
    canonicalize(quantized)
    originals = quantized.of_type("DynamicQuantizeLSTM")
    float_, _ = float_graph(published)
    copies = {n.outputs[0]: n for n in float_.of_type("LSTM")}
    values = _run_with_outputs(
        quantized, list(dict.fromkeys(t for n in originals for t in (n.inputs[0], n.outputs[0])))
    )
    float_.inputs = [Port(n.inputs[0], FLOAT, list(values[n.inputs[0]].shape)) for n in originals]
    for name in {i for n in copies.values() for i in n.inputs[5:7] if i and i not in float_.weights}:
        float_.remove([float_.producer(name)])
        float_.constant(name, np.zeros((2, 1, 256), np.float32))
    float_.remove([float_.producer(n.inputs[0]) for n in originals])
    float_.outputs = [Port(n.outputs[0], FLOAT, [None] * 4) for n in originals]
    found = open_model(float_.to_model().SerializeToString()).run(None, {p.name: values[p.name] for p in float_.inputs})
    for node, result in zip(originals, found):
        expected = values[node.outputs[0]]
        assert np.linalg.norm(result - expected) < 0.08 * np.linalg.norm(expected), node.outputs[0]


def _was_quantized(graph, node):
    weight = graph.weights.get(node.inputs[1])
    return weight is not None and weight.quantization is not None


def _dequantized(codes, scale, zero):
    return (codes.astype(np.float32) - zero) * scale


def _run_with_outputs(graph, names):
    model = graph.to_model()
    del model.graph.output[:]
    model.graph.output.extend(onnx.ValueInfoProto(name=n) for n in names)
    tokens = np.array([[0, 50, 83, 54, 156, 57, 4, 0]])
    style = np.random.default_rng(0).normal(0, 0.2, (1, 256)).astype(np.float32)
    results = open_model(model.SerializeToString()).run(
        None, {"tokens": tokens, "style": style, "speed": np.ones(1, np.float32)}
    )
    return dict(zip(names, results))


@pytest.mark.parametrize(("half", "precision", "dtype"), [(False, "fp32", np.float32), (True, "fp16", np.float16)])
def test_an_own_export_keeps_its_precision(downloads, float_model, tmp_path, monkeypatch, half, precision, dtype):
    monkeypatch.setattr("bundle.build.read_sentences", lambda: {key: ["a"] for key in LANGUAGES})
    # The table of the checked case.
    one = SHORT[0].table
    monkeypatch.setattr("bundle.build.voice_tables", lambda sources: {one: voice_tables(sources)[one]})
    path = tmp_path / "export.onnx"
    path.write_bytes(foreign(float_model, half))
    out = tmp_path / "bundle"
    assert main(["build", "--downloads", str(downloads), "--out", str(out), "--model", str(path), "--no-check"]) == 0
    description = json.loads((out / "bundle.json").read_bytes())
    assert description["model"]["precision"] == precision
    assert not any("model-" in s["package"] for s in description["sources"])
    sizes = {}
    for tensor in [*plain(out / PROSODY_WEIGHTS).values(), *plain(out / VOCODER_WEIGHTS).values()]:
        sizes[tensor.dtype] = sizes.get(tensor.dtype, 0) + tensor.nbytes
    assert max(sizes, key=sizes.get) == dtype and sizes[np.dtype(dtype)] > 0.98 * sum(sizes.values())
    check(out, path.read_bytes(), lambda line: None, SHORT[:1])
