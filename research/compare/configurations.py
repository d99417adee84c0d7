"""What is compared: each engine, in each way of running it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

TEXTS: list[dict[str, str]] = json.loads(Path(__file__).with_name("texts.json").read_text(encoding="utf-8"))
"""Name and text of each thing that is spoken: the texts of `speech bench`, which a run compares with these."""

OURS = "speech"


@dataclass(frozen=True)
class Configuration:
    """One row of the table.

    `driver` is `speech` (the program of this repository) or a module of `drivers`; `options` are for it.
    """

    name: str
    label: str
    driver: str
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def ours(self) -> bool:
        return self.driver == OURS


CONFIGURATIONS = (
    Configuration("speech-fp32", "libspeech, fp32", OURS, {"precision": "fp32"}),
    Configuration("speech-int16", "libspeech, int16", OURS, {"precision": "int16"}),
    Configuration("speech-bf16", "libspeech, bf16", OURS, {"precision": "bf16"}),
    Configuration("speech-avx2", "libspeech, fp32, AVX2 only", OURS, {"precision": "fp32", "kernels": "avx2"}),
    Configuration("speech-avx2-int16", "libspeech, int16, AVX2 only", OURS, {"precision": "int16", "kernels": "avx2"}),
    Configuration("speech-low", "libspeech, fp32, low latency", OURS, {"precision": "fp32", "latency": "low"}),
    Configuration("kokoro-onnx", "kokoro-onnx, int8", "kokoro"),
    Configuration("sherpa-onnx-int8", "sherpa-onnx, int8", "sherpa", {"model": "model.onnx"}),
    Configuration("sherpa-onnx-fp32", "sherpa-onnx, fp32", "sherpa", {"model": "model-fp32.onnx"}),
    Configuration("piper", "Piper, medium", "piper"),
)

BASELINE = "speech-fp32"
"""What cannot be missing from a run."""


LOW_LATENCY = "speech-low"
"""The same but for its first audio."""


def by_name(name: str) -> Configuration:
    """The configuration of that name, which must be one of those above."""
    return next(c for c in CONFIGURATIONS if c.name == name)
