"""The n-grams of graphones."""

import math
from types import SimpleNamespace

from g2p import ngrams
from g2p.lexicon import GOLD
from g2p.ngrams import END, START, Ngrams, graphone

LABELS = ["", "k", "ˈæ", "t", "s"]


def table() -> Ngrams:
    entries = [SimpleNamespace(letters=word, style=GOLD) for word in ("cat", "cat", "cast")]
    return Ngrams.of(entries, [["k", "ˈæ", "t"], ["k", "ˈæ", "t"], ["k", "ˈæ", "s", "t"]], LABELS)


def test_what_was_seen_is_likelier_than_what_was_not():
    found = table()
    c, a, t = graphone("c", 1), graphone("a", 2), graphone("t", 3)
    begins = found.log((START, START, START), c)
    assert begins == 0 > found.log((START, START, START), t) > found.log((START, START, START), graphone("z", 4))
    assert found.log((START, c, a), t) > found.log((START, c, a), END)


def test_an_unseen_graphone_costs_every_history():
    expected = 4 * ngrams.BACK_OFF + ngrams.UNSEEN
    assert math.isclose(table().log((START, START, START), graphone("z", 0)), expected)


def test_the_table_has_two_bytes_a_slot():
    found = table()
    slots = memoryview(found.bytes()).cast("H").tolist()
    assert len(slots) == ngrams.BUCKETS * ngrams.BUCKET
    assert sum(slot > 0 for slot in slots) == sum(map(len, found.buckets))
    assert all(slot >> 4 for slot in slots if slot)
