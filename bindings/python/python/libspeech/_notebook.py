"""Displays audio at the end of a notebook cell: a player, and the waveform with the words under it."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable
from typing import NamedTuple

from libspeech import _libspeech

#: The longest embedded audio, in seconds: 7 MB as base64.
LONGEST = 120

_SECONDS_PER_ROW = 6
_WIDTH = 720
_PER_SECOND = _WIDTH / _SECONDS_PER_ROW
_BAR = 3
#: The layout of a row: half of the waveform, the waveform with two lines of words, and the size of the words.
_MIDDLE = 20
_ROW = 66
_FONT = 11


class Label(NamedTuple):
    """A word, and the second at which it begins."""

    text: str
    start: float


def page(pcm: bytes, rate: int, labels: Iterable[Label]) -> str:
    """HTML for 16-bit mono samples at a rate, with their words: well-formed XML too.

    Long audio is cut, with a note.
    """
    samples = memoryview(pcm).cast("h")
    shown = samples[: LONGEST * rate]
    wav = base64.b64encode(_libspeech.wav(shown.tobytes(), rate, "pcm16")).decode()
    parts = [f'<audio controls="controls" src="data:audio/wav;base64,{wav}"></audio>']
    parts.append(_waveform(shown, rate, [label for label in labels if label.start < LONGEST]))
    if len(shown) < len(samples):
        parts.append(f"<p>The first {LONGEST} s of {len(samples) / rate:.0f} s. The method save writes all of it.</p>")
    return f"<div>{''.join(parts)}</div>"


def _waveform(samples: memoryview, rate: int, labels: list[Label]) -> str:
    rows = max(1, -(-len(samples) // (_SECONDS_PER_ROW * rate)))
    words = " ".join(_visible(label.text) for label in labels)
    name = f"Waveform of {len(samples) / rate:.1f} seconds" + (f": {words}" if words else "")
    # The color of the surrounding text is readable on light and on dark pages.
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{html.escape(name)}" '
        f'viewBox="0 0 {_WIDTH} {rows * _ROW}" width="100%" style="display:block;max-width:{_WIDTH}px" '
        f'font-family="sans-serif" font-size="{_FONT}" fill="currentColor">'
        f'<path stroke="currentColor" stroke-width="2" stroke-linecap="round" opacity=".6" d="{_bars(samples, rate)}"/>'
        f"{''.join(_texts(labels))}</svg>"
    )


def _bars(samples: memoryview, rate: int) -> str:
    """A path with one bar per few milliseconds, as high as the loudest of their samples."""
    step = max(1, rate * _BAR // int(_PER_SECOND))
    per_row = _WIDTH // _BAR
    bars = []
    for place, start in enumerate(range(0, len(samples), step)):
        part = samples[start : start + step].tolist()
        half = round(max(max(part), -min(part)) * (_MIDDLE - 1) / 32_768)
        row, column = divmod(place, per_row)
        bars.append(f"M{column * _BAR + 1} {row * _ROW + _MIDDLE - half}v{2 * half}")
    return "".join(bars)


def _texts(labels: list[Label]) -> list[str]:
    """The words at their times, each in the first of two lines that has room."""
    texts = []
    ends: dict[tuple[int, int], float] = {}
    for label in labels:
        row, seconds = divmod(label.start, _SECONDS_PER_ROW)
        x = seconds * _PER_SECOND
        first, second = (int(row), 0), (int(row), 1)
        line = first if ends.get(first, 0.0) <= x else second
        text = _visible(label.text)
        ends[line] = x + (len(text) + 1) * _FONT * 0.55
        y = line[0] * _ROW + 2 * _MIDDLE + _FONT * (line[1] + 1)
        texts.append(f'<text x="{x:.0f}" y="{y}">{html.escape(text)}</text>')
    return texts


def _visible(text: str) -> str:
    """The text without characters that XML does not allow."""
    return "".join(character if character.isprintable() else " " for character in text)
