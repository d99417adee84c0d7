"""Pronunciations that requests can share."""

from __future__ import annotations

from libspeech import _checks, _libspeech


class Lexicon:
    r"""Words and their readings, for any number of requests. :meth:`parse` and :meth:`from_pls` create a lexicon.

    Examples
    --------
    >>> import libspeech
    >>> drugs = libspeech.Lexicon.parse("Siobhan\t/ʃɪˈvɔːn/\nkubectl\tcube control\n")
    >>> len(drugs)
    2
    >>> libspeech.Engine().synthesize("Siobhan runs kubectl.", lexicons=[drugs]).characters
    21
    """

    def __init__(self, native: _libspeech.Lexicon) -> None:
        self._native = native

    @classmethod
    def parse(cls, text: str) -> Lexicon:
        """Parses at most 5,000 entries, one per line: words and their reading, separated by a tab.

        Empty lines and lines that begin with ``#`` are comments; of two entries for the same words the later counts.

        Raises
        ------
        InvalidRequestError
            The message gives the line.
        """
        return cls(_libspeech.Lexicon.parse(_checks.string("text", text)))

    @classmethod
    def from_pls(cls, document: str) -> Lexicon:
        """Parses a lexicon in the Pronunciation Lexicon Specification 1.0.

        It is for texts in the language of its ``xml:lang``, and has at most 5,000 graphemes, with phonemes in the
        alphabet ``ipa`` or ``cmu-arpabet``.

        Raises
        ------
        InvalidRequestError
            For unsupported content; the message gives its line and column.
        """
        return cls(_libspeech.Lexicon.from_pls(_checks.string("document", document)))

    def __len__(self) -> int:
        """The number of entries."""
        return self._native.entries()

    def __repr__(self) -> str:
        """Omits the entries, which are the caller's."""
        return f"<Lexicon of {len(self)} entries>"
