"""The sentences of both languages."""

import pytest
from voices.sentences import sentences


@pytest.mark.parametrize("language", ["en-US", "hi-IN"])
def test_a_third_is_kept_and_shares_nothing(language: str) -> None:
    choice, kept = sentences(language, "choice"), sentences(language, "kept")
    reserve = sentences(language, "reserve")
    assert (len(choice), len(kept), len(reserve)) == (64, 32, 62)
    assert len({s.text for part in (choice, kept, reserve) for s in part}) == 64 + 32 + 62
    assert {s.kind for s in kept} == {s.kind for s in choice}


@pytest.mark.parametrize("language", ["en-US", "hi-IN"])
def test_what_is_screened_is_of_every_kind(language: str) -> None:
    screened = sentences(language, "screen")
    assert len(screened) == 16
    assert set(screened) <= set(sentences(language, "choice"))
    assert len({s.kind for s in screened}) >= 8
