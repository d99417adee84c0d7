"""Utterances in phonemes, and what a model is fed for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Feeds = dict[str, NDArray]


@dataclass(frozen=True)
class Case:
    """An utterance in phonemes, spoken by a voice of the bundle."""

    phonemes: str
    table: str
    speed: float = 1.0


HELLO = Case("həlˈO.", "aria/en-US")
OTHERS = (
    Case("a", "sofia/en-US"),
    Case("nəmˈʌsteː, ˈaːp kˈɛːseː hɛ̃ː?", "aria/hi-IN"),
    Case("mˈɛː kˈʌl dˈɪlliː ɟˈaː ɾˈʌhaː hˈuː, ˈɔːɾ pˈʌɾsoː lˈɔːʈuːŋɡaː.", "john/hi-IN", 0.8),
    Case("jˈɛs, ˌIm hˈɪɹ.", "leo/en-US", 1.25),
)
"""One phoneme, Hindi, other speeds."""


def feed_of(case: Case, vocabulary: dict[str, int], table: NDArray[np.float32]) -> Feeds:
    """The inputs of the model; `table` is that of the case's voice."""
    tokens = [vocabulary[symbol] for symbol in case.phonemes]
    return {
        "tokens": np.array([[0, *tokens, 0]], np.int64),
        "style": table[len(tokens) - 1][None],
        "speed": np.array([case.speed], np.float32),
    }
