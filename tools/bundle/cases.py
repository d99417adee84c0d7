"""Test utterances in phonemes, and the model inputs for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .sources import STYLE_WIDTH

Feeds = dict[str, NDArray]

GENERATOR_STYLE = "generator_style"
"""The input [1, 128] of a model whose generator has its own style."""


@dataclass(frozen=True)
class Case:
    """An utterance in phonemes, spoken by a voice of the bundle."""

    phonemes: str
    table: str
    speed: float = 1.0


HELLO = Case("həlˈO.", "aria/en-US")
HINDI = Case("nəmˈʌsteː, ˈaːp kˈɛːseː hɛ̃ː?", "aria/hi-IN")
"""In a style with a separate part for the generator."""
OTHERS = (
    Case("a", "sofia/en-US"),
    Case("mˈɛː kˈʌl dˈɪlliː ɟˈaː ɾˈʌhaː hˈuː, ˈɔːɾ pˈʌɾsoː lˈɔːʈuːŋɡaː.", "john/hi-IN", 0.8),
    Case("jˈɛs, ˌIm hˈɪɹ.", "leo/en-US", 1.25),
)
"""A single phoneme, and other speeds."""


def style_of(case: Case, table: NDArray[np.float32]) -> NDArray[np.float32]:
    """The style vector, [256] or [384], of `table` for an utterance of that length."""
    return table[len(case.phonemes) - 1]


def feed_of(case: Case, vocabulary: dict[str, int], table: NDArray[np.float32]) -> Feeds:
    """The inputs of the model; `table` is that of the case's voice. The generator's separate style is left out."""
    tokens = [vocabulary[symbol] for symbol in case.phonemes]
    return {
        "tokens": np.array([[0, *tokens, 0]], np.int64),
        "style": style_of(case, table)[None, :STYLE_WIDTH],
        "speed": np.array([case.speed], np.float32),
    }


def separate_feed_of(case: Case, vocabulary: dict[str, int], table: NDArray[np.float32]) -> Feeds:
    """The inputs of a model after `vocoder.separate_generator_style`."""
    style = style_of(case, table)
    generator = style[STYLE_WIDTH:] if style.size > STYLE_WIDTH else style[: STYLE_WIDTH // 2]
    return feed_of(case, vocabulary, table) | {GENERATOR_STYLE: generator[None]}
