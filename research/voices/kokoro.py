"""Speech from phonemes with the float model (`python -m bundle float`), or with the published Kokoro graph.

Only the parts needed for measuring: no text front end, one ONNX Runtime thread, and voices as blends of the published
style vectors, so that a recipe can be tested before a bundle contains it.
"""

import json
from pathlib import Path

import numpy as np
from bundle.loader import open_model
from bundle.sources import STYLE_ROWS, STYLE_WIDTH
from bundle.voices import blended_table

SAMPLE_RATE = 24_000
_FRAME = 600


class StyleVectors:
    """The published vectors: one file `NAME.bin` per voice, f32 little-endian [510, 256]."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def table(self, recipe):
        """The style table of a recipe; row = number of tokens - 1."""
        names = {*recipe["timbre"], *recipe["prosody"]}
        files = {name: np.fromfile(self.folder / f"{name}.bin", "<f4") for name in names}
        return blended_table(recipe, {name: file.reshape(STYLE_ROWS, STYLE_WIDTH) for name, file in files.items()})


class Acoustic:
    """Tokens and a style in, 24 kHz samples out."""

    def __init__(self, session, vocabulary):
        self.session = session
        self.vocabulary = vocabulary

    @classmethod
    def from_float_model(cls, folder):
        """From the folder written by `python -m bundle float`."""
        return cls.from_published(Path(folder) / "model.onnx", Path(folder) / "vocabulary.json")

    @classmethod
    def from_published(cls, graph, vocabulary):
        return cls(open_model(Path(graph), threads=1), json.loads(Path(vocabulary).read_text("utf-8"))["vocab"])

    def tokens(self, phonemes):
        unknown = sorted(set(phonemes) - set(self.vocabulary))
        if unknown:
            raise ValueError(f"not in the vocabulary: {' '.join(unknown)} (in {phonemes!r})")
        return [self.vocabulary[symbol] for symbol in phonemes]

    def speak(self, phonemes, style_table):
        """The samples, including the model's silence at both ends."""
        return self._run(self.tokens(phonemes), style_table)["audio"].reshape(-1)

    def speak_joined(self, sentences, style_table):
        """The samples of sentences as one utterance, and the end of each except the last, in seconds."""
        tokens = [self.tokens(sentence) for sentence in sentences]
        whole = self.tokens(" ".join(sentences))
        outputs = self._run(whole, style_table)
        ends = np.cumsum(outputs["durations"].reshape(-1)) * _FRAME / SAMPLE_RATE
        # After the padding and the sentences with a space each.
        lasts = np.cumsum([len(sentence) + 1 for sentence in tokens])[:-1] - 1
        return outputs["audio"].reshape(-1), [float(ends[last]) for last in lasts]

    def _run(self, tokens, style_table):
        """All outputs by name."""
        inputs = {
            "tokens": np.array([[0, *tokens, 0]], np.int64),
            "style": style_table[len(tokens) - 1][None],
            "speed": np.ones(1, np.float32),
        }
        names = [output.name for output in self.session.get_outputs()]
        return dict(zip(names, self.session.run(names, inputs), strict=True))
