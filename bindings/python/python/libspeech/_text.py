"""Texts that are longer than a request, or that arrive in pieces."""

from __future__ import annotations

from typing import NamedTuple

from libspeech import _checks, _libspeech
from libspeech._raw import RawSegment

#: More than any text has.
_MOST = 2**63 - 1


def split_text(text: str, max_characters: int = _libspeech.MAX_CHARACTERS) -> list[str]:
    """Cuts a text into parts, in order: after sentences if it can, else after clauses, else between words, and inside a
    word only if the word alone is over the limit. White space around the parts is left out.

    Parameters
    ----------
    text : str
        A text of any length.
    max_characters : int
        The most characters of a part, 1 or more.

    Returns
    -------
    list of str
        The parts; none if the text is empty or only white space.

    Raises
    ------
    InvalidRequestError
        If the text is no string, or the limit is no such number.

    Examples
    --------
    >>> import libspeech
    >>> libspeech.split_text("One sentence. And a second one.", 20)
    ['One sentence.', 'And a second one.']
    """
    limit = _checks.count("max_characters", max_characters, 1, _MOST)
    return _libspeech.split_text(_checks.string("text", text), limit)


class Segment(NamedTuple):
    """A sentence of a text that arrives in pieces.

    Attributes
    ----------
    text : str
        The sentence, without white space around it.
    span : slice
        Where it is in all that was pushed.
    ends_paragraph : bool
        Whether a paragraph, a heading or an item of a list ends with it.
    """

    text: str
    span: slice
    ends_paragraph: bool


class Segmenter:
    """Cuts a text that arrives in pieces, such as the tokens of a language model, into sentences to speak.

    However the text is cut into pieces, the sentences are the same. Each has at most :data:`MAX_CHARACTERS` characters.

    Examples
    --------
    >>> import libspeech
    >>> segmenter = libspeech.Segmenter()
    >>> [s.text for piece in ["Dr", ". No paid $3", ".50. He", " left"] for s in segmenter.push(piece)]
    ['Dr. No paid $3.50.']
    >>> [segment.text for segment in segmenter.finish()]
    ['He left']
    """

    def __init__(self) -> None:
        self._native = _libspeech.Segmenter()

    def push(self, piece: str) -> list[Segment]:
        """Takes the next piece, of any length, and gives the sentences that are now decided."""
        return _segments(self._native.push(_checks.string("piece", piece)))

    def finish(self) -> list[Segment]:
        """Ends the text, and gives the sentences that are left. The next piece begins another text."""
        return _segments(self._native.finish())


def _segments(raw: list[RawSegment]) -> list[Segment]:
    return [Segment(text, slice(start, end), ends) for text, start, end, ends in raw]
