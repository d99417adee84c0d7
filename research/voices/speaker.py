"""A speaker embedding, to compare voices.

The generalized end-to-end speaker encoder (Wan et al. 2018, https://arxiv.org/abs/1710.10467) with the weights in the
PyPI package Resemblyzer 0.1.4 (Apache-2.0), run with NumPy: that package's own code needs PyTorch and webrtcvad. Its
voice activity detector is omitted, because our recordings are trimmed and contain no long pauses.
"""

import pickle
import zipfile
from collections import OrderedDict

import librosa
import numpy as np

SAMPLE_RATE = 16_000
LAYERS, WIDTH = 3, 256
PARTIAL_FRAMES = 160  # 1.6 s
PARTIAL_STEP = 77  # 1.3 partials a second


class _Unpickler(pickle.Unpickler):
    """Reads PyTorch's legacy tensor file and nothing else: any other global is refused."""

    def __init__(self, file):
        super().__init__(file)
        self.tensors = []

    def find_class(self, module, name):
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return lambda storage, offset, shape, stride, *_: (storage, offset, tuple(shape), tuple(stride))
        if module == "torch" and name.endswith("Storage"):
            return name
        raise pickle.UnpicklingError(f"unexpected {module}.{name}")

    def persistent_load(self, saved):
        return saved[1], saved[2]  # the storage's type and key


def _read_legacy_tensors(file):
    for _ in range(3):  # magic number, protocol, byte order
        pickle.load(file)
    state = _Unpickler(file).load()["model_state"]
    storages = {}
    types = {value[0][1]: value[0][0] for value in state.values()}
    for key in pickle.load(file):
        size = int.from_bytes(file.read(8), "little")
        kind = np.dtype("<f4" if types.get(key, "FloatStorage") == "FloatStorage" else "<i8")
        storages[key] = np.frombuffer(file.read(size * kind.itemsize), kind)
    tensors = {}
    for name, ((_, key), offset, shape, stride) in state.items():
        flat = storages[key][offset:]
        tensors[name] = np.lib.stride_tricks.as_strided(flat, shape, [s * flat.itemsize for s in stride]).copy()
    return tensors


def _sigmoid(x):
    return (1 + np.tanh(x / 2)) / 2


class SpeakerEncoder:
    """`package` is the wheel of Resemblyzer."""

    def __init__(self, package):
        with zipfile.ZipFile(package) as wheel, wheel.open("resemblyzer/pretrained.pt") as file:
            self.weights = _read_legacy_tensors(file)

    def _last_hidden(self, frames):
        """Runs [batch, time, mel channels] through the LSTM."""
        for layer in range(LAYERS):
            w = {k: self.weights[f"lstm.{k}_l{layer}"] for k in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")}
            from_input = frames @ w["weight_ih"].T + w["bias_ih"] + w["bias_hh"]
            hidden = cell = np.zeros((len(frames), WIDTH), np.float32)
            outputs = []
            for t in range(frames.shape[1]):
                i, f, g, o = np.split(from_input[:, t] + hidden @ w["weight_hh"].T, 4, axis=1)
                cell = _sigmoid(f) * cell + _sigmoid(i) * np.tanh(g)
                hidden = _sigmoid(o) * np.tanh(cell)
                outputs.append(hidden)
            frames = np.stack(outputs, axis=1)
        return frames[:, -1]

    def embed(self, samples):
        """The unit-length embedding of 16 kHz speech of 1.6 s or more."""
        level = 20 * np.log10(np.sqrt(np.mean(samples**2)))
        samples = samples * 10 ** (max(-30 - level, 0) / 20)
        mel = librosa.feature.melspectrogram(y=samples, sr=SAMPLE_RATE, n_fft=400, hop_length=160, n_mels=40)
        mel = mel.T.astype(np.float32)
        starts = range(0, max(1, len(mel) - PARTIAL_FRAMES + 1), PARTIAL_STEP)
        partials = np.stack([mel[s : s + PARTIAL_FRAMES] for s in starts])
        raw = self._last_hidden(partials) @ self.weights["linear.weight"].T + self.weights["linear.bias"]
        raw = np.maximum(raw, 0)
        mean = (raw / np.linalg.norm(raw, axis=1, keepdims=True)).mean(axis=0)
        return mean / np.linalg.norm(mean)
