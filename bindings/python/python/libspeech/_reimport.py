"""Supports a second import, after a program has deleted the package's modules, as test runners and notebooks do.

The second import gets the modules of the first, so that errors and results have the classes that it imports.
"""

from __future__ import annotations

import sys

from libspeech import _libspeech

sys.modules.update(_libspeech.MODULES)


def remember() -> None:
    """Keeps the imported modules for a second import."""
    modules = {name: module for name, module in list(sys.modules.items()) if name.startswith("libspeech._")}
    _libspeech.MODULES.update(modules)
