"""The names that the documentation gives for Python."""

from __future__ import annotations

import inspect
import os
import re
from pathlib import Path

import libspeech
import pytest

_ROWS = [
    [cell.strip() for cell in line.split("|")]
    for line in Path(os.environ["SPEECH_PAGES"]).read_text("utf-8").splitlines()
    if line.startswith("|")
]
_COLUMN = next(row.index("Python") for row in _ROWS if {"Rust", "Python", "Go"} <= set(row))
_NAMES = sorted({row[_COLUMN].strip("`") for row in _ROWS if len(row) == 10 and row[_COLUMN].startswith("`")})


def test_the_table_is_found() -> None:
    assert len(_NAMES) > 30


@pytest.mark.parametrize("name", _NAMES)
def test_each_is_there(name: str) -> None:
    of, member, parameter = re.fullmatch(r"(\w+)(?:\.(\w+))?(?:\((\w+)\))?", name).groups()  # type: ignore[union-attr]
    value = getattr(libspeech, of)
    if parameter is not None:
        assert parameter in inspect.signature(value).parameters
    elif member is not None:
        # Keys of a `TypedDict`, and attributes that an initializer sets from its parameters.
        keys = getattr(value, "__optional_keys__", ())
        assert hasattr(value, member) or member in {*keys, *inspect.signature(value.__init__).parameters}
