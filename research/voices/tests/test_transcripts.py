"""The distance of a transcript from the text."""

from g2p.score import distance
from voices.transcripts import errors, hindi_skeleton, urdu_skeleton


def test_words_are_compared_without_case_and_punctuation() -> None:
    assert errors("The Johnsons, of course!", "the johnson's of course", "en-US") == (0, 4)
    assert errors("No, not today.", "No not to day", "en-US") == (2, 3)


def test_hindi_is_compared_with_urdu_by_consonants() -> None:
    assert hindi_skeleton("घड़ी") == "gD"
    assert urdu_skeleton("گھڑی") == "gD"
    assert errors("आपका नाम", "آپکا نام", "hi-IN") == (0, 4)
    assert errors("कमल", "کمر", "hi-IN") == (1, 3)


def test_a_nasal_vowel_and_an_h_at_the_end_of_a_word_do_not_count() -> None:
    assert errors("जी हाँ, वहाँ", "جی ہا وہاں", "hi-IN") == (0, 2)
    assert errors("सुबह बाँसुरी", "صبح بانسری", "hi-IN") == (0, 5)
    assert errors("नहर", "نر", "hi-IN") == (1, 3)


def test_numbers_in_devanagari_count_in_a_transcript() -> None:
    assert urdu_skeleton("دو सौ") == hindi_skeleton("दो सौ")


def test_edit_distance() -> None:
    assert distance("kitten", "sitting") == 3
    assert distance("", "abc") == 3
