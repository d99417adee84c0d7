"""Compares a finished bundle with the model it was made from.

The weights of the vocoder must be exactly those of the model. The prosody part is run beside the model's: each token must
have the same duration, and text, pitch and energy must agree closely. The harmonic source cannot be compared so: its phase
is a running sum of the pitch, and a change of 1e-7 there is 50 dB of noise after some seconds although nothing is wrong.
It is compared with what the model makes of the bundle's own pitch.

A quantized export is also compared as it is, with wide bounds, because its own rounding changes durations.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from safetensors.numpy import load_file

from .canonical import canonicalize
from .cases import Case, Feeds, feed_of
from .errors import BundleError
from .graph import FLOAT, Graph, Port
from .loader import open_bundle, open_model, read_weights
from .model import float_graph
from .prosody import cut_prosody, decoder_inputs
from .spectrum import average_spectrum_distance, signal_to_noise
from .store import VOCODER_WEIGHTS, VOICES
from .vocoder import compare_with_export

MIN_AGREEMENT = {"text": 90.0, "pitch": 80.0, "energy": 80.0}
"""Signal to noise in dB."""
MIN_SOURCE_AGREEMENT = 35.0
"""The export's phases grow to 1e5, where float32 has steps of 1/128."""
MAX_SPECTRUM_CHANGE_QUANTIZED = 5.0
MAX_LENGTH_CHANGE_QUANTIZED = 10.0
MAX_TOKEN_CHANGE_QUANTIZED = 6

_LONG = 100
"""Longer utterances are run only where they must be: the check shall not take minutes."""
_BINS = 11

CASES = (
    Case("a", "sofia/en-US"),
    Case("həlˈO.", "aria/en-US"),
    Case("jˈɛs, ˌIm hˈɪɹ.", "leo/en-US", 1.25),
    Case("nəmˈʌsteː, ˈaːp kˈɛːseː hɛ̃ː?", "aria/hi-IN"),
    Case("mˈɛː kˈʌl dˈɪlliː ɟˈaː ɾˈʌhaː hˈuː, ˈɔːɾ pˈʌɾsoː lˈɔːʈuːŋɡaː.", "john/hi-IN", 0.8),
    Case(
        "wˌʌn mˈɔɹnɪŋ, wˌɛn ðə sˈʌn wʌz hˈI, ðə ˈOld mˈæn wˈɔkt dˈWn tə ðə hˈɑɹbəɹ ænd lˈʊkt ˈWt ˈOvəɹ ðə wˈɔɾəɹ. "
        "hi hæd nˈɛvəɹ sˈin sˈʌʧ ə kˈɑm sˈi, ænd hi θˈɔt ʌv hɪz bɹˈʌðəɹ, hˌu hæd sˈAld əwˈA mˈɛni jˈɪɹz bəfˈɔɹ.",
        "aria/en-US",
    ),
)

Values = dict[str, NDArray]


@dataclass(frozen=True)
class Utterance:
    """What the bundle made of a case."""

    feed: Feeds
    values: Values

    @property
    def tokens(self) -> int:
        return self.feed["tokens"].size - 2


def check(directory: Path, export: bytes, say: Callable[[str], None], cases: tuple[Case, ...] = CASES) -> None:
    """Raises BundleError if the bundle in `directory` does not do what the model `export` does."""
    graph, counts = float_graph(export)
    compare_with_export(read_weights(directory / VOCODER_WEIGHTS), graph)
    say("  the weights of the vocoder are those of the model")
    bundle = open_bundle(directory)
    utterances = [_utterance(bundle, feed) for feed in _feeds(directory, cases)]
    _check_source(graph, utterances, say)
    _check_prosody(float_graph(export)[0], utterances, say)
    if any(name.startswith("dequantized") for name in counts):
        _check_quantized(export, [u.feed for u in utterances if u.tokens <= _LONG], say)


def _feeds(directory: Path, cases: tuple[Case, ...]) -> list[Feeds]:
    vocabulary = json.loads((directory / "bundle.json").read_bytes())["vocabulary"]
    tables = load_file(directory / VOICES)
    return [feed_of(case, vocabulary, tables[case.table]) for case in cases]


def _utterance(bundle: onnxruntime.InferenceSession, feed: Feeds) -> Utterance:
    values = _run(bundle, feed)
    frames = int(values["durations"].sum())
    wanted = {"text": (frames, 512), "pitch": (2 * frames,), "energy": (2 * frames,), "source": (120 * frames + 1, 22)}
    for name, shape in wanted.items():
        if values[name].shape != shape:
            raise BundleError(f"the check failed: {name} has the shape {values[name].shape} in {frames} frames")
    return Utterance(feed, values)


def _check_prosody(graph: Graph, utterances: list[Utterance], say: Callable[[str], None]) -> None:
    """Against the export in float arithmetic, with nothing rewritten."""
    cut_prosody(graph)
    model = open_model(graph.to_model().SerializeToString())
    agreement: dict[str, list[float]] = {name: [] for name in MIN_AGREEMENT}
    for utterance in utterances:
        expected = _run(model, utterance.feed)
        _require_equal_durations(utterance, expected["durations"])
        for name, found in agreement.items():
            found.append(signal_to_noise(expected[name], utterance.values[name]))
    sizes = [u.tokens for u in utterances]
    say(f"  durations equal in {len(sizes)} utterances of {min(sizes)} to {max(sizes)} tokens")
    for name, found in agreement.items():
        _require(f"signal to noise of {name}, dB", min(found), say, at_least=MIN_AGREEMENT[name])


def _check_source(graph: Graph, utterances: list[Utterance], say: Callable[[str], None]) -> None:
    """The harmonic source against the one that the export makes of the bundle's pitch, with its own STFT.

    As complex numbers, in which the two signs of pi are one (see `rewrites.stft`); the sign is checked by itself.
    """
    pitch = decoder_inputs(graph)["pitch"]
    cut_prosody(graph)
    graph.remove([n for n in [graph.producer(pitch)] if n is not None])
    graph.inputs = [Port(pitch, FLOAT, [1, 1, "halves"])]
    graph.outputs = [p for p in graph.outputs if p.name == "source"]
    model = open_model(graph.to_model().SerializeToString())
    agreement = []
    for utterance in utterances:
        source = utterance.values["source"]
        if np.any(source[:, [_BINS, 2 * _BINS - 1]] < 0):
            raise BundleError("the check failed: the phase of a real bin of the harmonic source is negative")
        expected = _run(model, {pitch: utterance.values["pitch"][None, None]})["source"]
        agreement.append(signal_to_noise(_spectrum(expected), _spectrum(source)))
    _require("signal to noise of the harmonic source, dB", min(agreement), say, at_least=MIN_SOURCE_AGREEMENT)


def _spectrum(source: NDArray[np.float32]) -> NDArray[np.float64]:
    """Real and imaginary parts from magnitudes and phases."""
    magnitudes, phases = source[:, :_BINS].astype(np.float64), source[:, _BINS:].astype(np.float64)
    return np.concatenate([magnitudes * np.cos(phases), magnitudes * np.sin(phases)])


def _check_quantized(export: bytes, feeds: list[Feeds], say: Callable[[str], None]) -> None:
    """The export in float arithmetic against the quantized export as it is."""
    graph = Graph.from_model(onnx.load_model_from_string(export))
    canonicalize(graph)
    quantized = open_model(graph.to_model().SerializeToString())
    plain = open_model(float_graph(export)[0].to_model().SerializeToString())
    distances, lengths, tokens = [], [], []
    for feed in feeds:
        expected, found = _run(quantized, feed), _run(plain, feed)
        distances.append(average_spectrum_distance(expected["audio"], found["audio"]))
        lengths.append(abs(found["audio"].size / expected["audio"].size - 1))
        tokens.append(int(np.abs(expected["durations"] - found["durations"]).max()))
    say("  against the quantized model as it is:")
    _require("largest distance of the average spectra, dB", max(distances), say, at_most=MAX_SPECTRUM_CHANGE_QUANTIZED)
    _require("largest change of length, percent", 100 * max(lengths), say, at_most=MAX_LENGTH_CHANGE_QUANTIZED)
    _require("largest change of a token, frames", max(tokens), say, at_most=MAX_TOKEN_CHANGE_QUANTIZED)


def _run(model: onnxruntime.InferenceSession, feed: Feeds) -> Values:
    names = [o.name for o in model.get_outputs()]
    return dict(zip(names, model.run(names, feed)))


def _require_equal_durations(utterance: Utterance, expected: NDArray[np.int64]) -> None:
    if not np.array_equal(expected, utterance.values["durations"]):
        changed = int(np.count_nonzero(expected != utterance.values["durations"]))
        raise BundleError(
            f"the check failed: in an utterance of {utterance.tokens} tokens, "
            f"{changed} have another duration than in the model it was made from"
        )


def _require(
    what: str, value: float, say: Callable[[str], None], at_most: float = np.inf, at_least: float = -np.inf
) -> None:
    say(f"  {what}: {value:.2f}")
    if not at_least <= value <= at_most:
        bound = f"at most {at_most}" if at_most < np.inf else f"at least {at_least}"
        raise BundleError(f"the check failed: {what} is {value:.2f}, {bound} is required")
