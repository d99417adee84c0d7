"""Writes core/text/src/languages/hi_in/data/romanized.bin; `romanized/tables.rs` documents the format."""

from __future__ import annotations

import math
import os
import struct
from pathlib import Path

from oov import ENDS
from spelling import POSITIONS, SPELLINGS, SYMBOLS, key, symbols

LETTERS = "abcdefghijklmnopqrstuvwxyz"
GROUPS = 8
"""The keys of a block."""


def fnv(text: str) -> int:
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def byte(cost: float, scale: int) -> int:
    return max(0, min(255, round(cost * scale)))


def _channel(channel) -> bytes:
    out = bytes([len(SYMBOLS)])
    for symbol in SYMBOLS:
        name = symbol.encode()
        out += bytes([len(name)]) + name + bytes([len(SPELLINGS[symbol])])
        for spelling in SPELLINGS[symbol]:
            out += bytes([len(spelling)]) + spelling.encode()
            out += bytes(byte(channel.cost[symbol, place][spelling], 16) for place in range(POSITIONS))
    return out


def _groups(groups: dict[str, dict[str, bytes]], nibble) -> bytes:
    """Words by their keys, in blocks of eight keys; keys and words share a prefix with the previous one."""
    body, offsets, last = b"", [], ""
    for number, name in enumerate(sorted(groups)):
        if number % GROUPS == 0:
            offsets.append(len(body))
            last = ""
        words, before = b"", ""
        for word in sorted(groups[name]):
            shared = 0
            while shared < min(15, len(word) - 1, len(before)) and word[shared] == before[shared]:
                shared += 1
            codes = [ord(c) - 0x900 for c in word[shared:]]
            assert all(0 <= code < 128 for code in codes), word
            codes[-1] |= 0x80
            words += bytes([shared << 4 | nibble(word), *codes]) + groups[name][word]
            before = word
        shared = len(os.path.commonprefix([name[:15], last]))
        length = bytes([len(words) & 0x7F | 0x80, len(words) >> 7]) if len(words) > 0x7F else bytes([len(words)])
        assert len(name) - shared < 16, name
        body += bytes([shared << 4 | len(name) - shared]) + name[shared:].encode() + length + words
        last = name
    return struct.pack("<I", len(offsets)) + b"".join(struct.pack("<I", o) for o in offsets) + body


def _weights(weights: dict[str, float], smallest: float) -> bytes:
    kept = {fnv(name): weight for name, weight in weights.items() if abs(weight) >= smallest}
    scale = max(map(abs, kept.values())) / 127
    names = sorted(kept)
    values = struct.pack(f"<{len(names)}b", *(round(kept[name] / scale) for name in names))
    print(len(weights), "weights,", len(names), "kept")
    return struct.pack("<fI", scale, len(names)) + struct.pack(f"<{len(names)}I", *names) + values


def write(path: Path, model, odds, field, chooser, common: dict[str, int], anchors: set[str]) -> None:
    words = {name: {word: b"" for word, _ in rows} for name, rows in model.index.items()}
    known = {}
    for latin, found in model.known.items():
        kept = {}
        for word, cost in found.items():
            by_channel = model.channel.score(symbols(word), latin) if word in words.get(key(latin), {}) else math.inf
            if abs(by_channel - cost) > 0.7 and latin.isascii():
                kept[word] = bytes([byte(cost + model.prior(word), 8)])
        if kept:
            known[latin] = kept
    marks = {fnv(word): value for word, value in common.items()}
    for word in anchors:
        marks[fnv(word)] = marks.get(fnv(word), 0) | 4
    names = sorted(marks)
    frequent = sorted(fnv(word) for word in chooser.frequent)
    sections = [
        _channel(model.channel),
        _groups(words, lambda word: max(0, min(15, round((model.prior(word) - 3) / 0.75)))),
        _groups(known, lambda word: 0),
        bytes(byte(model.sounds.cost[a, b], 16) for a in (*SYMBOLS, ENDS) for b in (*SYMBOLS, ENDS)),
        struct.pack(
            f"<{27 * 26 * 27}b",
            *(max(-127, min(127, round(odds.of(a + b + c) * 16))) for a in LETTERS + "^" for b in LETTERS for c in LETTERS + "$"),
        ),
        _weights(field.weights, 0.05),
        struct.pack("<12f", *(field.links[gap, a + b] for gap in range(3) for a in "HE" for b in "HE")),
        _weights(chooser.weights, 0.08),
        struct.pack(f"<{len(frequent)}I", *frequent),
        struct.pack(f"<{len(names)}I", *names) + bytes(marks[name] for name in names),
    ]
    path.write_bytes(b"".join(struct.pack("<I", len(section)) + section for section in sections))
    print(path, path.stat().st_size, "bytes:", [len(section) for section in sections])
