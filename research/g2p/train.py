"""Trains the network."""

import functools
import math
import time
from collections import Counter
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
import optax

from . import model
from .lexicon import SILVER, Entry
from .score import scores

# The padded word lengths; few, so that few programs are compiled.
LENGTHS = (7, 9, 11, 13, 16, 24)
BATCH_LETTERS = 2560
# A label with fewer letters is an error of the lexicon; its words are left out.
RAREST_LABEL = 5
SILVER_WEIGHT = 0.7
SILVER_SHARE = 0.5
LEAST_CHANCE = 0.3
VARIANT_WEIGHT = 0.3
SMOOTHING = 0.03
AVERAGE = 0.999
DECAY = 0.02
WARM_UP = 0.04


class Data:
    def __init__(self, pairs, alignments, labels=None):
        counts = Counter(chunk for path in alignments for chunk in path or ())
        self.labels = labels or [chunk for chunk, count in counts.most_common() if count >= RAREST_LABEL]
        ids = {chunk: i for i, chunk in enumerate(self.labels)}
        rows: dict[int, list] = {length: [] for length in LENGTHS}
        for (entry, phonemes), path in zip(pairs, alignments):
            if path is None or len(path) > LENGTHS[-1] or any(c not in ids for c in path):
                continue
            weight = 1.0 if phonemes == entry.phonemes[0] else VARIANT_WEIGHT
            weight *= SILVER_WEIGHT if entry.style == SILVER else 1.0
            length = next(length for length in LENGTHS if len(path) <= length)
            rows[length].append((entry, [ids[c] for c in path], weight))
        self.buckets = [Bucket(length, found) for length, found in rows.items() if found]

    def batches(self, generator):
        """The batches of an epoch, in random order, each as a bucket, rows of it and their weights.

        Words that are already right are drawn less often, with a higher weight; only a part of the silver words is
        drawn.
        """
        order = []
        for bucket in self.buckets:
            size = BATCH_LETTERS // bucket.length
            chance = np.clip(bucket.surprise, LEAST_CHANCE, 1)
            drawn = chance * np.where(bucket.styles == SILVER, SILVER_SHARE, 1) > generator.random(bucket.size)
            rows = generator.permutation(np.flatnonzero(drawn))
            weights = bucket.weights / chance
            order += [(bucket, rows[at : at + size], weights) for at in range(0, len(rows) - size + 1, size)]
        for i in generator.permutation(len(order)):
            bucket, rows, weights = order[i]
            yield bucket, rows, weights[rows]


class Bucket:
    def __init__(self, length, rows):
        self.length = length
        self.size = len(rows)
        self.letters = model.letter_ids([entry.letters for entry, _, _ in rows], length).astype(np.int8)
        self.styles = np.array([entry.style for entry, _, _ in rows], np.int32)
        self.targets = np.zeros((self.size, length), np.int16)
        for i, (_, path, _) in enumerate(rows):
            self.targets[i, : len(path)] = path
        # The negative log likelihood of a word's right labels when it was last seen, in nats.
        self.surprise = np.ones(self.size, np.float32)
        self.weights = np.array([weight for _, _, weight in rows], np.float32)


def loss(parameters, shape, batch, dropout, key):
    letters, styles, targets, weights = batch
    letters = letters.astype(jnp.int32)
    scores = model.logits(parameters, shape, letters, styles, dropout, key)
    logs = jax.nn.log_softmax(scores)
    picked = jnp.take_along_axis(logs, targets[..., None].astype(jnp.int32), -1)[..., 0]
    inside = letters > 0
    each = -(1 - SMOOTHING) * picked - SMOOTHING * logs.mean(-1)
    weight = weights[:, None] * inside
    return (each * weight).sum() / weight.sum(), -(picked * inside).sum(-1)


def rate_at(done: float, rate: float) -> float:
    """The learning rate at a share of the total time: a short linear rise, then a half cosine."""
    return rate * min(done / WARM_UP, 0.02 + 0.49 * (1 + math.cos(math.pi * done)))


@dataclass
class Recipe:
    minutes: float
    rate: float
    dropout: float
    seed: int


def train(data: Data, shape, start, validation: list[Entry], recipe: Recipe, save):
    """Trains for the recipe's minutes. After each epoch, saves the running average of the parameters."""
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.scale_by_adam(b2=0.98))

    @functools.partial(jax.jit, donate_argnums=(0, 1, 2))
    def step(parameters, average, state, batch, key, rate, keep):
        (value, surprise), gradient = jax.value_and_grad(loss, has_aux=True)(
            parameters, shape, batch, recipe.dropout, key
        )
        updates, state = optimizer.update(gradient, state)
        decay = {name: DECAY if p.ndim > 1 else 0.0 for name, p in parameters.items()}
        parameters = {name: p - rate * (updates[name] + decay[name] * p) for name, p in parameters.items()}
        average = jax.tree.map(lambda a, p: keep * a + (1 - keep) * p, average, parameters)
        return parameters, average, state, value, surprise

    parameters = start or model.initial(shape, recipe.seed)
    print("parameters:", sum(x.size for x in parameters.values()), flush=True)
    average, state = jax.tree.map(jnp.copy, parameters), optimizer.init(parameters)
    generator, key = np.random.default_rng(recipe.seed), jax.random.key(recipe.seed)
    begin, count, epoch, losses, done = time.time(), 0, 0, [], 0.0
    while done < 1:
        for bucket, rows, weights in data.batches(generator):
            done = (time.time() - begin) / (60 * recipe.minutes)
            if done >= 1:
                break
            keep = min(AVERAGE, (count + 1) / (count + 10))
            now = rate_at(done, recipe.rate), keep
            batch = bucket.letters[rows], bucket.styles[rows], bucket.targets[rows], weights
            parameters, average, state, value, surprise = step(
                parameters, average, state, batch, jax.random.fold_in(key, count), *now
            )
            bucket.surprise[rows] = surprise
            losses.append(float(value))
            count += 1
            if count % 100 == 0:
                print(f"{count} steps, {done:.1%} of the time, loss {np.mean(losses[-100:]):.4f}", flush=True)
        epoch += 1
        save(average)
        plain, stressed = evaluate(average, shape, data.labels, validation)
        print(f"epoch {epoch}: {plain}; with stress {stressed}", flush=True)


def evaluate(parameters, shape, labels, entries):
    rows = []
    found = predict(parameters, shape, entries)
    for entry, scores_ in zip(entries, found):
        rows.append((entry.word, "".join(labels[i] for i in scores_.argmax(-1)), entry.phonemes))
    return scores(rows)


_logits = jax.jit(model.logits, static_argnums=1)


def predict(parameters, shape, entries):
    """The label scores for each letter of each word."""
    result = [None] * len(entries)
    for low, high in zip((0, *LENGTHS), (*LENGTHS, 64)):
        rows = [i for i, entry in enumerate(entries) if low < len(entry.word) <= high]
        if rows:
            letters = model.letter_ids([entries[i].letters for i in rows], high)
            styles = np.array([entries[i].style for i in rows])
            out = np.asarray(_logits(parameters, shape, letters, styles))
            for i, row in zip(rows, out):
                result[i] = row[: len(entries[i].word)]
    return result
