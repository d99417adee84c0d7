"""Long texts, and texts that arrive in pieces."""

from __future__ import annotations

from typing import NamedTuple

from libspeech import _checks, _libspeech
from libspeech._native_types import SegmentFields

#: The largest limit: ``sys.maxsize`` of a 64-bit Python.
_MAX_LIMIT = 2**63 - 1


def split_text(text: str, max_characters: int = _libspeech.MAX_CHARACTERS) -> list[str]:
    """Splits a text into parts, in order: between sentences if possible, otherwise between clauses, otherwise between
    words, and inside a word only if the word itself exceeds the limit. Whitespace around the parts is dropped.

    Parameters
    ----------
    text : str
        A text of any length.
    max_characters : int
        The maximum length of a part, 1 or more.

    Returns
    -------
    list of str
        The parts; none if the text is empty or only whitespace.

    Raises
    ------
    InvalidRequestError
        If the text is not a string or has a NUL character, or the limit is not an integer of 1 or more.

    Examples
    --------
    >>> import libspeech
    >>> libspeech.split_text("One sentence. And a second one.", 20)
    ['One sentence.', 'And a second one.']
    """
    limit = _checks.count("max_characters", max_characters, 1, _MAX_LIMIT)
    return _libspeech.split_text(_checks.string("text", text), limit)


class Segment(NamedTuple):
    """A sentence of a text that arrives in pieces.

    Attributes
    ----------
    text : str
        The sentence, without surrounding whitespace.
    span : slice
        Its position in the pushed text.
    ends_paragraph : bool
        Whether a paragraph, a heading or a list item ends with it.
    """

    text: str
    span: slice
    ends_paragraph: bool


class Segmenter:
    """Splits a text that arrives in pieces, such as the tokens of a language model, into sentences to speak.

    The sentences do not depend on how the text is divided into pieces. Each has at most :data:`MAX_CHARACTERS`
    characters.

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
        """Adds the next piece, of any length, and returns the sentences that are complete now.

        Raises
        ------
        InvalidRequestError
            If the piece is not a string or has a NUL character. The piece is then not added.
        """
        return _segments(self._native.push(_checks.string("piece", piece)))

    def finish(self) -> list[Segment]:
        """Ends the text, and returns the remaining sentences. The next piece begins a new text."""
        return _segments(self._native.finish())


def _segments(fields: list[SegmentFields]) -> list[Segment]:
    return [Segment(text, slice(start, end), ends_paragraph) for text, start, end, ends_paragraph in fields]
