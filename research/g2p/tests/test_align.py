"""Alignment of letters and phonemes."""

from g2p.align import align, sounds

WORDS = [
    ("cat", "kˈæt"),
    ("cab", "kˈæb"),
    ("tab", "tˈæb"),
    ("bat", "bˈæt"),
    ("back", "bˈæk"),
    ("tack", "tˈæk"),
    ("tax", "tˈæks"),
    ("bass", "bˈæs"),
    ("sat", "sˈæt"),
    ("sack", "sˈæk"),
]


def test_a_stress_mark_belongs_to_the_sound_after_it():
    assert sounds("kˌæbˈA") == ["k", "ˌæ", "b", "ˈA"]


def test_letters_say_what_they_say_elsewhere():
    found = dict(zip((word for word, _ in WORDS), align(WORDS)))
    assert found["cat"] == ["k", "ˈæ", "t"]
    assert found["tax"] == ["t", "ˈæ", "ks"]
    assert sorted(found["back"]) == ["", "b", "k", "ˈæ"]


def test_a_word_with_too_many_sounds_has_no_alignment():
    assert align([*WORDS, ("a", "ˈækt")])[-1] is not None
    assert align([*WORDS, ("a", "ˈæktˈæk")])[-1] is None
