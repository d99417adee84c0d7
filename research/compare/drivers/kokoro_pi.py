"""The package kokoro-pi in float, streaming one clause at a time, as its service does.

It runs in its own environment, because it needs an older kokoro-onnx and another ONNX Runtime than the other drivers.
Its models are rewritten from a published graph on the user's machine: `derive` does that with the package's own
functions and operators.

    python -m compare.drivers.kokoro_pi derive MODEL VOICES TO VOICE
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import onnx
from kokoro_pi import Kokoro, graph, paths
from kokoro_pi.server import RATE

from .protocol import Heard, serve

VARIANT = "float"


class KokoroPiVoice:
    """The package's class: kokoro-onnx on the rewritten graph with a native operator."""

    rate = RATE

    def __init__(self, job: dict[str, Any]) -> None:
        options = job["options"]
        self._kokoro = Kokoro(options["directory"], variant=VARIANT, threads=job["threads"], warm=False)
        self._voice = options["voice"]

    def speak(self, text: str, heard: Heard) -> None:
        for piece in self._kokoro.split_for_streaming(text):
            samples, _ = self._kokoro.create(piece, voice=self._voice)
            heard(samples)


def derive(model: Path, voices: Path, to: Path, voice: str) -> None:
    """Writes the directory that the class reads, as `kokoro-pi build --skip-int8` does from its own download."""
    library = paths.prebuilt_library()
    if library is None:
        raise SystemExit("kokoro-pi has no compiled operators for this machine")
    rewritten, counts = graph.optimise(with_published_names(onnx.load(model)))
    if not all(counts.values()):
        raise SystemExit(f"kokoro-pi did not recognise the graph: {counts}")
    to.mkdir(parents=True, exist_ok=True)
    onnx.save(rewritten, to / "kokoro-fused.onnx")
    shutil.copyfile(voices, to / "voices-v1.0.bin")
    shutil.copyfile(library, to / library.name)
    variant = {"model": "kokoro-fused.onnx", "custom_ops": [library.name], "backend": "float-fused"}
    manifest = {"kokoro_pi": 1, "voice": voice, "variant": VARIANT, "variants": {VARIANT: variant}}
    (to / "models.json").write_text(json.dumps(manifest), encoding="utf-8")


def with_published_names(model: onnx.ModelProto) -> onnx.ModelProto:
    """Restores the published graph's node names, by which the package finds nodes. The bundle tool names a replacement
    node after its output, which in the export is the node's name and `_output_0`."""
    taken = {node.name for node in model.graph.node}
    for node in model.graph.node:
        published = node.name.removesuffix("_output_0")
        if published not in taken:
            taken.add(published)
            node.name = published
    return model


if __name__ == "__main__":
    if sys.argv[1:2] == ["derive"]:
        derive(*(Path(argument) for argument in sys.argv[2:5]), voice=sys.argv[5])
    else:
        serve(KokoroPiVoice, ["kokoro-pi"])
