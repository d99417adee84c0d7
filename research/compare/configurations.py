"""The compared configurations: each engine, in each way of running it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from voices.sentences import sentences

TEXTS: list[dict[str, str]] = json.loads(Path(__file__).with_name("texts.json").read_text(encoding="utf-8"))
"""The names and texts of the timed items: those of `speech bench`, which a run checks."""

SENTENCE = "middle"
"""The text that every engine speaks in one piece, used for the plot and for the sessions."""

JUDGED: list[dict[str, str]] = [
    *TEXTS,
    *({"name": f"kept-{i:02}", "text": s.spoken} for i, s in enumerate(sentences("en-US", "kept"), 1)),
]
"""The texts for judging quality: the timed texts, and the sentences that our voices were not chosen on. Their numbers
are in words, so that number reading does not affect the scores."""

OURS = "speech"
KOKORO_PI = "kokoro_pi"


@dataclass(frozen=True)
class Configuration:
    """One row of the table.

    `engine` is the engine's name; of several configurations of another engine, the plot shows the fastest, and of ours
    all. `driver` is `speech` (this repository's program) or a module of `drivers`; `options` are for it. `serves`:
    several simultaneous sessions are measured. `repeats` multiplies the number of runs, for fast configurations whose
    processes would otherwise mostly be loading.
    """

    name: str
    label: str
    engine: str
    driver: str
    options: Mapping[str, str] = field(default_factory=dict)
    serves: bool = True
    repeats: int = 1

    @property
    def ours(self) -> bool:
        return self.driver == OURS

    @property
    def small(self) -> bool:
        """Whether its audio is not made by the decoder of Kokoro-82M."""
        return "quality" in self.options or self.engine in ("hibari", "piper")


def _ours(name: str, label: str, serves: bool = True, repeats: int = 1, **options: str) -> Configuration:
    return Configuration(name, f"libspeech, {label}", "libspeech", OURS, options, serves, repeats)


CONFIGURATIONS = (
    _ours("speech-fp32", "fp32", precision="fp32"),
    _ours("speech-int16", "int16", precision="int16"),
    _ours("speech-bf16", "bf16", precision="bf16"),
    _ours("speech-avx2", "fp32, AVX2 only", serves=False, precision="fp32", kernels="avx2"),
    _ours("speech-avx2-int16", "int16, AVX2 only", serves=False, precision="int16", kernels="avx2"),
    _ours("speech-low", "fp32, low latency", serves=False, precision="fp32", latency="low"),
    _ours("speech-fast", "fast", repeats=4, quality="fast"),
    _ours("speech-light", "light", repeats=16, quality="light"),
    _ours("speech-light-avx2", "light, AVX2 only", serves=False, repeats=16, quality="light", kernels="avx2"),
    Configuration("kokoro-onnx", "kokoro-onnx, int8", "kokoro-onnx", "kokoro", {"model": "model.onnx"}),
    Configuration("kokoro-onnx-fp32", "kokoro-onnx, fp32", "kokoro-onnx", "kokoro", {"model": "model-fp32.onnx"}),
    Configuration("kokoro-pi", "kokoro-pi, float", "kokoro-pi", KOKORO_PI),
    Configuration("sherpa-onnx-int8", "sherpa-onnx, int8", "sherpa-onnx", "sherpa", {"model": "model.onnx"}),
    Configuration("sherpa-onnx-fp32", "sherpa-onnx, fp32", "sherpa-onnx", "sherpa", {"model": "model-fp32.onnx"}),
    Configuration("hibari", "hibari", "hibari", "hibari", repeats=16),
    Configuration("piper", "Piper, medium", "piper", "piper"),
)

BASELINE = "speech-fp32"
"""The configuration that every run must include."""


LOW_LATENCY = "speech-low"
"""The baseline with another first-audio latency."""


def by_name(name: str) -> Configuration:
    """The configuration with that name, which must exist."""
    return next(c for c in CONFIGURATIONS if c.name == name)
