"""Compares a finished bundle with the model it was made from, by running both.

The model amplifies rounding: a change of 1e-7 in the pitch shifts the phase of the harmonic source, and the waveform
then differs at 30 dB although nothing is wrong. So there are two comparisons. Given the same harmonic source, the
waveforms must agree closely: this finds any mistake in the decoder and generator. Left alone, each token must have the
same duration, and the spectra must be close. A quantized export is also compared as it is, with wide bounds, because its
own rounding changes durations.
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
from .errors import BundleError
from .graph import FLOAT, Graph, Port
from .loader import open_bundle, open_model
from .model import float_graph
from .rewrites.stft import stft_to_convolution
from .spectrum import average_spectrum_distance, log_spectral_distance, signal_to_noise

SAMPLES_PER_FRAME = 600

MIN_SNR_SAME_SOURCE = 60.0
MAX_MEAN_DISTANCE = 1.0
MAX_DISTANCE = 1.75
MAX_DISTANCE_OWN_STFT = 4.0
"""ONNX Runtime's STFT gives random signs of pi, see rewrites/stft.py."""
MAX_SPECTRUM_CHANGE_QUANTIZED = 5.0
MAX_LENGTH_CHANGE_QUANTIZED = 10.0
MAX_TOKEN_CHANGE_QUANTIZED = 6

_LONG = 100
"""Longer utterances are run only where they must be: the check shall not take minutes."""


@dataclass(frozen=True)
class Case:
    """An utterance in phonemes, spoken by a voice of the bundle."""

    phonemes: str
    table: str
    speed: float = 1.0


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

Feeds = dict[str, NDArray]


@dataclass(frozen=True)
class Utterance:
    """What the bundle made of a case."""

    feed: Feeds
    audio: NDArray[np.float32]
    durations: NDArray[np.int64]

    @property
    def tokens(self) -> int:
        return self.feed["tokens"].size - 2


def check(directory: Path, export: bytes, say: Callable[[str], None], cases: tuple[Case, ...] = CASES) -> None:
    """Raises BundleError if the bundle in `directory` does not do what the model `export` does."""
    graph, counts = float_graph(export)
    bundle = open_bundle(directory)
    utterances = [_utterance(bundle, feed) for feed in _feeds(directory, cases)]
    _check_same_stft(directory, graph, utterances, say)
    shorter = [u for u in utterances if u.tokens <= _LONG]
    _check_own_stft(export, shorter, say)
    if any(name.startswith("dequantized") for name in counts):
        _check_quantized(export, shorter, say)


def _feeds(directory: Path, cases: tuple[Case, ...]) -> list[Feeds]:
    description = json.loads((directory / "bundle.json").read_text(encoding="utf-8"))
    tables = load_file(directory / "voices.safetensors")
    return [_feed(case, description["vocabulary"], tables[case.table]) for case in cases]


def _feed(case: Case, vocabulary: dict[str, int], table: NDArray[np.float32]) -> Feeds:
    tokens = [vocabulary[symbol] for symbol in case.phonemes]
    return {
        "tokens": np.array([[0, *tokens, 0]], np.int64),
        "style": table[len(tokens) - 1][None],
        "speed": np.array([case.speed], np.float32),
    }


def _utterance(bundle: onnxruntime.InferenceSession, feed: Feeds) -> Utterance:
    audio, durations = bundle.run(None, feed)
    frames = int(durations.sum())
    if frames * SAMPLES_PER_FRAME != len(audio):
        raise BundleError(f"the check failed: {len(audio)} samples, but the durations sum up to {frames} frames")
    return Utterance(feed, audio, durations)


def _check_same_stft(directory: Path, graph: Graph, utterances: list[Utterance], say: Callable[[str], None]) -> None:
    """Against the export in float arithmetic, with the bundle's STFT."""
    source = _harmonic_source(graph)
    stft_to_convolution(graph)
    if source is not None:
        graph.outputs.append(Port(source, FLOAT, [1, "bins", "frames"]))
    model = open_model(graph.to_model().SerializeToString())
    given = _with_given_source(directory, source)
    distances, noises = [], []
    for utterance in utterances:
        audio, durations, *har = model.run(None, utterance.feed)
        _require_equal_durations(utterance, durations)
        distances.append(log_spectral_distance(audio, utterance.audio))
        if given is not None and utterance.tokens <= _LONG:
            noises.append(signal_to_noise(audio, given.run(None, {**utterance.feed, source: har[0]})[0]))
    sizes = [u.tokens for u in utterances]
    say(f"  durations equal in {len(sizes)} utterances of {min(sizes)} to {max(sizes)} tokens")
    if noises:
        _require(
            "signal to noise with the same harmonic source, dB", min(noises), at_least=MIN_SNR_SAME_SOURCE, say=say
        )
    _require("mean log-spectral distance, dB", float(np.mean(distances)), at_most=MAX_MEAN_DISTANCE, say=say)
    _require("largest log-spectral distance, dB", max(distances), at_most=MAX_DISTANCE, say=say)


def _check_own_stft(export: bytes, utterances: list[Utterance], say: Callable[[str], None]) -> None:
    """Against the export in float arithmetic, with nothing rewritten."""
    model = open_model(float_graph(export)[0].to_model().SerializeToString())
    distances = []
    for utterance in utterances:
        audio, durations = model.run(None, utterance.feed)
        _require_equal_durations(utterance, durations)
        distances.append(log_spectral_distance(audio, utterance.audio))
    _require(
        "largest log-spectral distance, STFT not rewritten, dB", max(distances), at_most=MAX_DISTANCE_OWN_STFT, say=say
    )


def _check_quantized(export: bytes, utterances: list[Utterance], say: Callable[[str], None]) -> None:
    """Against the quantized export as it is."""
    graph = Graph.from_model(onnx.load_model_from_string(export))
    canonicalize(graph)
    model = open_model(graph.to_model().SerializeToString())
    distances, lengths, tokens = [], [], []
    for utterance in utterances:
        audio, durations = model.run(None, utterance.feed)
        distances.append(average_spectrum_distance(audio, utterance.audio))
        lengths.append(abs(len(utterance.audio) - len(audio)) / len(audio))
        tokens.append(int(np.abs(durations - utterance.durations).max()))
    say("  against the quantized model as it is:")
    _require(
        "largest distance of the average spectra, dB", max(distances), at_most=MAX_SPECTRUM_CHANGE_QUANTIZED, say=say
    )
    _require("largest change of length, percent", 100 * max(lengths), at_most=MAX_LENGTH_CHANGE_QUANTIZED, say=say)
    _require("largest change of a token, frames", max(tokens), at_most=MAX_TOKEN_CHANGE_QUANTIZED, say=say)


def _require_equal_durations(utterance: Utterance, expected: NDArray[np.int64]) -> None:
    if not np.array_equal(expected, utterance.durations):
        changed = int(np.count_nonzero(expected != utterance.durations))
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


def _harmonic_source(graph: Graph) -> str | None:
    """The tensor of magnitudes and phases made from the STFT, or None in an export without that operator."""
    stft = graph.of_type("STFT")
    frontier = [stft[0].outputs[0]] if stft else []
    for _ in range(12):
        readers = [n for tensor in frontier for n in graph.consumers(tensor)]
        joined = [n for n in readers if n.op == "Concat" and n.attributes["axis"] == 1]
        if joined:
            return joined[0].outputs[0]
        frontier = [o for n in readers for o in n.outputs]
    return None


def _with_given_source(directory: Path, source: str | None) -> onnxruntime.InferenceSession | None:
    """The bundle's model with the harmonic source as one more input, or None if it has no tensor of that name."""
    model = onnx.load(directory / "acoustic.onnx", load_external_data=False)
    producers = [n for n in model.graph.node if source in n.output]
    if source is None or not producers:
        return None
    model.graph.node.remove(producers[0])
    model.graph.input.append(onnx.helper.make_tensor_value_info(source, FLOAT, [1, "bins", "frames"]))
    return open_bundle(directory, model=model.SerializeToString())
