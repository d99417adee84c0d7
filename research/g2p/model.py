"""The network: scores the possible chunks of each letter of a word.

Letters, with their surroundings looked up in hashed tables, pass through blocks of self-attention and a three-letter
convolution. The library has the same network in Rust: a change here must be made there too.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

from .align import ALPHABET

STYLES = 3
NORM_EPSILON = 1e-5


@dataclass(frozen=True)
class Shape:
    labels: int
    width: int = 160
    heads: int = 4
    inner: int = 320
    blocks: int = 4
    # Attention distinguishes distances up to this one.
    reach: int = 8
    # The letters before and after the letter, and the table size for such strings.
    windows: tuple[tuple[int, int, int], ...] = ((1, 1, 8192), (2, 2, 16384))
    window_width: int = 24


def letter_ids(words: list[str], length: int) -> np.ndarray:
    """Letter ids from 1; 0 is outside the word."""
    ids = np.zeros((len(words), length), np.int32)
    for row, word in enumerate(words):
        ids[row, : len(word)] = [1 + ALPHABET.index(c) for c in word]
    return ids


def window_ids(letters, before: int, after: int, size: int):
    """The index, in a table of `size` (a power of two), of the letters around each letter: FNV-1a of their ids."""
    padded = jnp.pad(letters.astype(jnp.uint32), ((0, 0), (before, after)))
    length = letters.shape[1]
    found = jnp.full(letters.shape, 2166136261, jnp.uint32)
    for offset in range(before + after + 1):
        found = (found ^ padded[:, offset : offset + length]) * jnp.uint32(16777619)
    # The low bits alone hardly depend on the first letters.
    return ((found ^ (found >> 15)) & (size - 1)).astype(jnp.int32)


def initial(shape: Shape, seed: int) -> dict:
    keys = iter(jax.random.split(jax.random.key(seed), 200))

    def matrix(inputs, outputs, scale=1.0):
        return jax.random.normal(next(keys), (inputs, outputs)) * (scale / inputs**0.5)

    width, inner = shape.width, shape.inner
    parameters = {
        "letter": jax.random.normal(next(keys), (len(ALPHABET) + 1, width)) * 0.5,
        "style": jax.random.normal(next(keys), (STYLES, width)) * 0.1,
        "out": matrix(width, shape.labels, 0.5),
        "out.bias": jnp.zeros(shape.labels),
        "norm": jnp.ones(width),
    }
    for i, (_, _, size) in enumerate(shape.windows):
        parameters[f"window{i}"] = jax.random.normal(next(keys), (size, shape.window_width)) * 0.1
        parameters[f"window{i}.in"] = matrix(shape.window_width, width)
    for block in range(shape.blocks):
        parameters |= {
            f"{block}.attention.norm": jnp.ones(width),
            f"{block}.attention.in": matrix(width, 3 * width),
            f"{block}.attention.distance": jnp.zeros((shape.heads, 2 * shape.reach + 1)),
            f"{block}.attention.out": matrix(width, width, 0.5),
            f"{block}.convolution.norm": jnp.ones(width),
            f"{block}.convolution.in": matrix(3 * width, inner),
            f"{block}.convolution.bias": jnp.zeros(inner),
            f"{block}.convolution.out": matrix(inner, width, 0.5),
        }
    return parameters


def half_dot(x, weights, x_axis=-1, weights_axis=0):
    """A bfloat16 product summed in float32: makes training a fifth faster where the processor supports it."""
    dimensions = (((x_axis % x.ndim,), (weights_axis,)), ((), ()))
    halves = x.astype(jnp.bfloat16), weights.astype(jnp.bfloat16)
    return jax.lax.dot_general(*halves, dimensions, preferred_element_type=jnp.float32)


@jax.custom_vjp
def training_dot(x, weights):
    return half_dot(x, weights)


def training_dot_forward(x, weights):
    return half_dot(x, weights), (x, weights)


def training_dot_backward(saved, gradient):
    x, weights = saved
    rows, columns = x.reshape(-1, x.shape[-1]), gradient.reshape(-1, gradient.shape[-1])
    return half_dot(gradient, weights, -1, 1), half_dot(rows, columns, 0, 0)


training_dot.defvjp(training_dot_forward, training_dot_backward)


def norm(x, scale):
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + NORM_EPSILON) * scale


def logits(parameters: dict, shape: Shape, letters, styles, dropout=0.0, key=None):
    """The scores: [words, letters, labels]."""
    if key is not None:
        keys = iter(jax.random.split(key, 4 + 4 * shape.blocks))

    def drop(x, rate=dropout, axis=1):
        """Drops the same channels in all letters of a word; along the other axis, whole letters."""
        if key is None:
            return x
        size = tuple(1 if i == axis else n for i, n in enumerate(x.shape))
        kept = jax.random.bernoulli(next(keys), 1 - rate, size)
        return x * (kept / (1 - rate))

    dot = jnp.dot if key is None else training_dot
    words, length = letters.shape
    inside = letters > 0
    x = parameters["letter"][letters] + parameters["style"][styles][:, None]
    for i, (before, after, size) in enumerate(shape.windows):
        found = parameters[f"window{i}"][window_ids(letters, before, after, size)]
        found = drop(found, 3 * dropout, axis=2)
        x += dot(found, parameters[f"window{i}.in"])
    x = drop(x)
    distance = np.arange(length)[None, :] - np.arange(length)[:, None]
    distance = np.clip(distance, -shape.reach, shape.reach) + shape.reach
    for block in range(shape.blocks):
        p = {name: parameters[f"{block}.{name}"] for name in BLOCK}
        q, k, v = jnp.split(dot(norm(x, p["attention.norm"]), p["attention.in"]), 3, -1)
        q, k, v = (part.reshape(words, length, shape.heads, -1) for part in (q, k, v))
        score = jnp.einsum("wqhc,wkhc->whqk", q, k) / q.shape[-1] ** 0.5
        score += p["attention.distance"][:, distance]
        score = jnp.where(inside[:, None, None, :], score, -1e9)
        mixed = jnp.einsum("whqk,wkhc->wqhc", jax.nn.softmax(score), v).reshape(words, length, -1)
        x += drop(dot(mixed, p["attention.out"]))
        y = norm(x, p["convolution.norm"]) * inside[..., None]
        y = jnp.pad(y, ((0, 0), (1, 1), (0, 0)))
        y = jnp.concatenate([y[:, :-2], y[:, 1:-1], y[:, 2:]], -1)
        y = jax.nn.relu(dot(y, p["convolution.in"]) + p["convolution.bias"])
        x += drop(dot(drop(y), p["convolution.out"]))
    return dot(norm(x, parameters["norm"]), parameters["out"]) + parameters["out.bias"]


BLOCK = [
    "attention.norm",
    "attention.in",
    "attention.distance",
    "attention.out",
    "convolution.norm",
    "convolution.in",
    "convolution.bias",
    "convolution.out",
]
