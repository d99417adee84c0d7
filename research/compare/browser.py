"""The files that kokoro-js fetches in a browser: the published int8 graph under its own export's names, and one voice.

    onnx/model_quantized.onnx  the graph, its inputs and its output renamed; nothing else is changed
    tokenizer.json             the published vocabulary, a symbol a token
    tokenizer_config.json, config.json
    voices/af_heart.bin        the style vectors
"""

from __future__ import annotations

import json
from pathlib import Path

import onnx
from bundle.sources import Sources

from .inputs import VOICE

RENAMED = {"tokens": "input_ids", "audio": "waveform"}
"""Names in the published graph, and their names in kokoro-js."""

PADDING = "$"
"""The token before and after a text, whose id is 0."""


def prepare(root: Path, downloads: Path) -> None:
    """Writes the files from the downloads listed in `tools/bundle/sources.json`."""
    sources = Sources.verified(downloads)
    for folder in ("onnx", "voices"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    model = onnx.load_from_string(sources.published_model())
    (root / "onnx" / "model_quantized.onnx").write_bytes(renamed(model).SerializeToString())
    _write(root / "tokenizer.json", tokenizer(sources.vocabulary()))
    _write(root / "tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizer", "unk_token": PADDING})
    _write(root / "config.json", {"model_type": "style_text_to_speech_2"})
    styles = sources.style_tables({VOICE})[VOICE]
    (root / "voices" / f"{VOICE}.bin").write_bytes(styles.astype("<f4").tobytes())


def renamed(model: onnx.ModelProto) -> onnx.ModelProto:
    """The graph with `RENAMED` names."""
    graph = model.graph
    for value in [*graph.input, *graph.output]:
        value.name = RENAMED.get(value.name, value.name)
    for node in graph.node:
        node.input[:] = [RENAMED.get(name, name) for name in node.input]
        node.output[:] = [RENAMED.get(name, name) for name in node.output]
    return model


def tokenizer(vocabulary: dict[str, int]) -> dict[str, object]:
    """A tokenizer that drops unknown symbols and makes one token of each other symbol."""
    symbols = "".join(f"\\{symbol}" if symbol in "\\]^-" else symbol for symbol in vocabulary if symbol != PADDING)
    edge = {"SpecialToken": {"id": PADDING, "type_id": 0}}
    return {
        "version": "1.0",
        "normalizer": {"type": "Replace", "pattern": {"Regex": f"[^{symbols}]"}, "content": ""},
        "pre_tokenizer": {"type": "Split", "pattern": {"Regex": ""}, "behavior": "Isolated", "invert": False},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [edge, {"Sequence": {"id": "A", "type_id": 0}}, edge],
            "special_tokens": {PADDING: {"id": PADDING, "ids": [0], "tokens": [PADDING]}},
        },
        "decoder": None,
        "added_tokens": [],
        "model": {"vocab": {PADDING: 0, **vocabulary}},
    }


def _write(file: Path, value: object) -> None:
    file.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
