"""Held-out words stay out of training."""

import pytest
from g2p.lexicon import GOLD, Entry
from g2p.split import Stems, stem


def entry(word: str) -> Entry:
    return Entry(word, ("x",), GOLD)


@pytest.mark.parametrize(
    ("held", "word", "out"),
    [
        ("gritted", "grit", True),
        ("gritted", "gritting", True),
        ("grit", "gritish", True),
        # A suffix that many short stems take by chance.
        ("grit", "gritty", False),
        ("happy", "happily", True),
        ("happy", "happinesses", True),
        ("dichotomous", "dichotomies", True),
        ("Amsterdam", "amsterdamer", True),
        ("grit", "grits's", True),
        ("grit", "gristle", False),
        ("grit", "ungritted", False),
        ("pub", "public", False),
        ("horse", "horsehair", False),
    ],
)
def test_words_of_a_held_out_stem(held, word, out):
    assert Stems([entry(held)]).include(word) is out


def test_a_possessive_has_the_stem_of_its_word():
    assert stem("teacher's") == stem("teachers") == "teacher"
