"""The voices of libspeech as files; ``libspeech.Engine()`` finds them automatically."""

from __future__ import annotations

from pathlib import Path

__all__ = ["path"]


def path() -> Path:
    """Return the directory of the voice bundle.

    Returns
    -------
    pathlib.Path
        The value for ``libspeech.Engine(bundle=...)``.

    Examples
    --------
    >>> import libspeech_voices
    >>> (libspeech_voices.path() / "bundle.json").is_file()
    True
    """
    return Path(__file__).parent / "bundle"
