"""Transcripts compared with the text."""

from voices import transcripts
from voices.consonants import MISSING, Confusions, aligned, share, table


def test_consonants_keep_their_letters() -> None:
    found = transcripts.hindi_consonants("बुद्धि से कट्टा")
    assert [consonant.text for consonant in found] == ["ब", "ध", "स", "क", "ट"]
    assert "".join(consonant.sign for consonant in found) == transcripts.hindi_skeleton("बुद्धि से कट्टा")


def test_a_missing_and_a_wrong_sign_are_found() -> None:
    assert aligned("kTb", "ktb") == ["k", "t", "b"]
    assert aligned("kTb", "kb") == ["k", MISSING, "b"]
    assert aligned("kb", "kTb") == ["k", "b"]
    assert aligned("", "kb") == []


def test_confusions_are_counted_by_letter_and_cluster() -> None:
    confusions = Confusions()
    for _ in range(12):
        confusions.add("डर और स्थान", "در اور ستان")
    assert confusions.letters["ड"]["d"] == 12
    assert confusions.letters["थ"]["t"] == 12
    assert confusions.clusters["स्थ"][True] == 12
    written = table({"aria": confusions})
    assert "| ड | 12 | 1.000 | d 12 |" in written
    assert "| स्थ | 12 | 0.00 |" in written


def test_every_voice_has_its_share() -> None:
    shares = share(["a", "b", "c", "d", "e"])
    assert {len(texts) for texts in shares.values()} == {120}
    assert len({text for texts in shares.values() for text in texts}) == 300
