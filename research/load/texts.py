"""The spoken texts: everyday sentences in both languages and all voices."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypedDict


class Text(TypedDict):
    """The fields of a request."""

    language: str
    voice: str
    text: str


def read() -> list[Text]:
    """The texts of `texts.json`."""
    texts: list[Text] = json.loads(Path(__file__).with_name("texts.json").read_text(encoding="utf-8"))
    return texts
