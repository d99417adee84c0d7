"""Speech from phonemes with a bundle's acoustic model, or with the published Kokoro graph.

Only what measuring needs: no text front end, one ONNX Runtime thread, and the voices as blends of the published style
vectors, so that a recipe can be tried before a bundle holds it.
"""

import json
import re
from pathlib import Path

import numpy as np
import onnxruntime as ort

SAMPLE_RATE = 24_000
STYLE_SHAPE = (510, 256)
TIMBRE = slice(0, 128)  # feeds the decoder
PROSODY = slice(128, 256)  # feeds the predictor of duration, pitch and energy


def parse_blend(text):
    """`0.5*af_heart+0.5*af_bella` or `af_heart` as {name: weight}; the weights must sum to 1."""
    blend = {}
    for term in text.split("+"):
        weight, _, name = term.strip().rpartition("*")
        blend[name] = float(weight or 1)
    if abs(sum(blend.values()) - 1) > 1e-6:
        raise ValueError(f"the weights of {text!r} do not sum to 1")
    return blend


def parse_recipe(text):
    """`BLEND` or `TIMBRE / PROSODY`, each a blend, as {"timbre": {...}, "prosody": {...}}."""
    timbre, _, prosody = text.partition("/")
    timbre = parse_blend(timbre)
    return {"timbre": timbre, "prosody": parse_blend(prosody) if prosody else dict(timbre)}


class StyleVectors:
    """The published vectors: one file `NAME.bin` a voice, f32 little-endian [510, 256]."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def table(self, recipe):
        """The style table of a recipe; row = number of tokens - 1."""
        table = np.zeros(STYLE_SHAPE, np.float32)
        for part, columns in (("timbre", TIMBRE), ("prosody", PROSODY)):
            for name, weight in recipe[part].items():
                vectors = np.fromfile(self.folder / f"{name}.bin", "<f4").reshape(STYLE_SHAPE)
                table[:, columns] += np.float32(weight) * vectors[:, columns]
        return table


class Acoustic:
    """Tokens and a style in, 24 kHz samples out."""

    def __init__(self, graph, vocabulary, weights=None):
        options = ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_mem_pattern = False
        if weights is not None:
            self._weights = read_weights(weights)  # must outlive the session
            options.add_external_initializers(list(self._weights), list(self._weights.values()))
        self.session = ort.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
        self.vocabulary = vocabulary

    @classmethod
    def from_bundle(cls, folder):
        folder = Path(folder)
        vocabulary = json.loads((folder / "bundle.json").read_text("utf-8"))["vocabulary"]
        return cls(folder / "acoustic.onnx", vocabulary, folder / "acoustic.safetensors")

    @classmethod
    def from_published(cls, graph, vocabulary):
        return cls(graph, json.loads(Path(vocabulary).read_text("utf-8"))["vocab"])

    def tokens(self, phonemes):
        unknown = sorted(set(phonemes) - set(self.vocabulary))
        if unknown:
            raise ValueError(f"not in the vocabulary: {' '.join(unknown)} (in {phonemes!r})")
        return [self.vocabulary[symbol] for symbol in phonemes]

    def speak(self, phonemes, style_table):
        """Samples with the model's silence at both ends still there."""
        tokens = self.tokens(phonemes)
        inputs = {
            "tokens": np.array([[0, *tokens, 0]], np.int64),
            "style": style_table[len(tokens) - 1][None],
            "speed": np.ones(1, np.float32),
        }
        return self.session.run(None, inputs)[0].reshape(-1)


def read_weights(path):
    """The tensors of a bundle's acoustic.safetensors as f32 OrtValues, one-byte weights expanded."""
    raw = np.memmap(path, np.uint8, "r")
    start = 8 + int(raw[:8].view("<u8")[0])
    header = json.loads(bytes(raw[8:start]))
    header.pop("__metadata__", None)

    def tensor(name):
        entry = header[name]
        first, last = entry["data_offsets"]
        data = np.array(raw[start + first : start + last])
        if entry["dtype"] == "BF16":
            data = (data.view("<u2").astype("<u4") << 16).view("<f4")
        else:
            data = data.view({"F32": "<f4", "F16": "<f2", "U8": "u1"}[entry["dtype"]])
        data = data.reshape(entry["shape"]).astype(np.float32)
        if f"{name}.scale" in header:
            data = (data - tensor(f"{name}.zero_point")) * tensor(f"{name}.scale")
        return data

    companion = re.compile(r"\.(scale|zero_point)$")
    names = [n for n in header if not (companion.search(n) and companion.sub("", n) in header)]
    return {name: ort.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(tensor(name))) for name in names}
