from __future__ import annotations

import os
from pathlib import Path

import pytest
from bundle.model import float_graph
from bundle.sources import Sources


@pytest.fixture(scope="session")
def downloads() -> Path:
    """The directory of the published files. Without it the tests fail: a skipped test would look like a passed one."""
    value = os.environ.get("SPEECH_DOWNLOADS")
    if not value or not Path(value).is_dir():
        pytest.fail("set SPEECH_DOWNLOADS to the directory that holds the files named in sources.json")
    return Path(value)


@pytest.fixture(scope="session")
def sources(downloads) -> Sources:
    return Sources.verified(downloads)


@pytest.fixture(scope="session")
def published(sources) -> bytes:
    return sources.published_model()


@pytest.fixture(scope="session")
def float_model(published):
    """The published graph in float arithmetic, not rewritten, as an ONNX model."""
    return float_graph(published)[0].to_model()
