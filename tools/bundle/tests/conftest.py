from __future__ import annotations

import os
from pathlib import Path

import pytest
from bundle.model import float_graph
from bundle.sources import Sources


@pytest.fixture(scope="session")
def downloads() -> Path:
    """The directory of the published files listed in sources.json."""
    return _named("SPEECH_DOWNLOADS")


@pytest.fixture(scope="session")
def bundle() -> Path:
    """A bundle that this tool made from the same sources, in its own process."""
    return _named("SPEECH_BUNDLE")


@pytest.fixture(scope="session")
def recorded() -> Path:
    """The reference made with that bundle."""
    return _named("SPEECH_REFERENCE")


def _named(variable: str) -> Path:
    """A path set by `cargo xtask test`. Without it the tests fail: a skipped test would look like a passed one."""
    path = Path(os.environ.get(variable, ""))
    if not os.environ.get(variable) or not path.exists():
        pytest.fail(f"{variable} does not name what is tested: run `cargo xtask test bundle-tool`")
    return path


@pytest.fixture(scope="session")
def sources(downloads) -> Sources:
    return Sources.verified(downloads)


@pytest.fixture(scope="session")
def published(sources) -> bytes:
    return sources.published_model()


@pytest.fixture(scope="session")
def float_export(published):
    """The published graph in float arithmetic, not rewritten, and what was changed for that. It is the same for all tests."""
    return float_graph(published)


@pytest.fixture(scope="session")
def float_model(float_export):
    """The same graph as an ONNX model."""
    return float_export[0].to_model()
