"""The library's text side in NumPy, computed from the tensors of prosody.safetensors to document their layout."""

from __future__ import annotations

import numpy as np

_HEAD = 64
_LAYERS = 12
_EPSILON, _BERT_EPSILON = 1e-5, 1e-12


def run(weights, tokens, style, speed=1.0):
    """All tensors of an utterance that `reference.safetensors` has of the text side; lists per token or per frame."""
    w = {name: tensor.astype(np.float64) for name, tensor in weights.items()}
    style = style[128:256].astype(np.float64)
    bert = _bert(w, tokens)
    text_encoder = _text_encoder(w, tokens)
    features = bert
    for i in range(3):
        features = _lstm(w, f"duration.lstms.{i}", _with_style(features, style))
        features = _styled(w, f"duration.norms.{i}", _normalized(features, 1, _EPSILON), style)
    features = _with_style(features, style)
    logits = _linear(w, "duration.output", _lstm(w, "duration.lstm", features))
    durations = np.maximum(np.round((1 / (1 + np.exp(-logits))).sum(axis=1) / speed), 1).astype(np.int64)
    shared = _lstm(w, "curves.lstm", np.repeat(features, durations, axis=0))
    pitch, energy = (_curve(w, name, shared, style) for name in ("pitch", "energy"))
    return {
        "bert": bert, "text_encoder": text_encoder, "duration_features": features, "durations": durations,
        "shared": shared, "text": np.repeat(text_encoder, durations, axis=0), "pitch": pitch, "energy": energy,
    }  # fmt: skip


def source(weights, pitch):
    """The spectrum of the harmonic source, [steps, 11] complex."""
    steps = pitch.astype(np.float64)[:, None] * np.arange(1, 10) / 24000
    phases = np.cumsum(steps % 1, axis=0) * 2 * np.pi * 300
    middles = np.arange(len(pitch)) * 300 + 149.5
    samples = np.arange(300 * len(pitch))
    sines = np.sin(np.stack([np.interp(samples, middles, column) for column in phases.T], axis=1))
    voiced = np.repeat(pitch > 10, 300)
    signal = np.tanh(sines @ weights["source.weight"].astype(np.float64) * voiced + weights["source.bias"])
    frames = np.lib.stride_tricks.sliding_window_view(np.pad(signal, 10, mode="reflect"), 20)[::5]
    return np.fft.rfft(frames * np.hanning(21)[:20], axis=1)


def _bert(w, tokens):
    x = w["bert.embedding.token.weight"][tokens] + w["bert.embedding.position.weight"][: len(tokens)]
    x = _layer_norm(w, "bert.embedding.norm", x + w["bert.embedding.bias"], _BERT_EPSILON)
    x = _linear(w, "bert.input", x)
    for _ in range(_LAYERS):
        attended = _linear(w, "bert.attention.output", _attention(_linear(w, "bert.attention.input", x)))
        x = _layer_norm(w, "bert.attention.norm", x + attended, _BERT_EPSILON)
        hidden = _linear(w, "bert.ffn.input", x)
        hidden = 0.5 * hidden * (1 + np.tanh(np.sqrt(2 / np.pi) * (hidden + 0.044715 * hidden**3)))
        x = _layer_norm(w, "bert.norm", x + _linear(w, "bert.ffn.output", hidden), _BERT_EPSILON)
    return _linear(w, "bert.output", x)


def _attention(x):
    query, key, value = (part.reshape(len(x), -1, _HEAD).swapaxes(0, 1) for part in np.split(x, 3, axis=1))
    scores = np.exp(query @ key.swapaxes(1, 2) / np.sqrt(_HEAD))
    heads = scores / scores.sum(axis=2, keepdims=True) @ value
    return heads.swapaxes(0, 1).reshape(len(x), -1)


def _text_encoder(w, tokens):
    x = w["text.embedding.weight"][tokens]
    for i in range(3):
        x = _layer_norm(w, f"text.norms.{i}", _convolution(w, f"text.convolutions.{i}", x), _EPSILON)
        x = _leaky(x)
    return _lstm(w, "text.lstm", x)


def _curve(w, name, x, style):
    for i in range(3):
        block = f"{name}.blocks.{i}"
        y = _leaky(_styled(w, f"{block}.norm1", _normalized(x, 0, _EPSILON), style))
        if f"{block}.pool.weight" in w:
            y = _pool(w, f"{block}.pool", y)
            x = _convolution(w, f"{block}.shortcut", np.repeat(x, 2, axis=0))
        y = _convolution(w, f"{block}.conv1", y)
        y = _leaky(_styled(w, f"{block}.norm2", _normalized(y, 0, _EPSILON), style))
        x = (x + _convolution(w, f"{block}.conv2", y)) / np.sqrt(2)
    return x @ w[f"{name}.output.weight"] + w[f"{name}.output.bias"]


def _pool(w, name, x):
    """Transposed, stride 2: output 2 t - 1 + k gets input t with the tap k; one output more than the taps reach."""
    taps = w[f"{name}.weight"]
    wide = np.zeros((2 * len(x) + 2, x.shape[1]))
    for k in range(3):
        wide[k : k + 2 * len(x) : 2] += x * taps[k]
    return wide[1:-1] + w[f"{name}.bias"]


def _convolution(w, name, x):
    taps = w[f"{name}.weight"]
    side = len(taps) // 2
    padded = np.pad(x, ((side, side), (0, 0)))
    return sum(padded[k : k + len(x)] @ tap for k, tap in enumerate(taps)) + w[f"{name}.bias"]


def _linear(w, name, x):
    return x @ w[f"{name}.weight"][0] + w[f"{name}.bias"]


def _lstm(w, name, x):
    halves = []
    for d, rows in enumerate((x, x[::-1])):
        recurrent = w[f"{name}.recurrent.{d}.weight"]
        state, cell = np.zeros((2, len(recurrent)))
        states = []
        for by_input in rows @ w[f"{name}.input.{d}.weight"][0] + w[f"{name}.input.{d}.bias"]:
            input_, output, forget, candidate = np.split(by_input + state @ recurrent, 4)
            cell = _sigmoid(forget) * cell + _sigmoid(input_) * np.tanh(candidate)
            state = _sigmoid(output) * np.tanh(cell)
            states.append(state)
        halves.append(states if d == 0 else states[::-1])
    return np.concatenate(halves, axis=1)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _normalized(x, axis, epsilon):
    return (x - x.mean(axis, keepdims=True)) / np.sqrt(x.var(axis, keepdims=True) + epsilon)


def _layer_norm(w, name, x, epsilon):
    return _normalized(x, 1, epsilon) * w[f"{name}.weight"] + w[f"{name}.bias"]


def _styled(w, name, x, style):
    scale, offset = np.tensordot(style, w[f"{name}.weight"], 1) + w[f"{name}.bias"]
    return x * scale + offset


def _with_style(x, style):
    return np.concatenate([x, np.broadcast_to(style, (len(x), len(style)))], axis=1)


def _leaky(x):
    return np.where(x < 0, 0.2 * x, x)
