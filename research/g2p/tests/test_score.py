"""Error rates."""

from g2p.score import distance, scores


def test_levenshtein():
    assert distance("kˈæt", "kˈæt") == 0
    assert distance("kæt", "bætə") == 2
    assert distance("", "abc") == 3


def test_the_nearest_reference_counts_and_segments_have_no_stress():
    segments, stressed = scores([("read", "ɹˈid", ("ɹˈɛd", "ɹid"))])
    assert (segments.errors, segments.symbols) == (0, 3)
    assert (stressed.errors, stressed.symbols) == (1, 3)
