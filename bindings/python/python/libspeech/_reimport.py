"""A second import, after a program has deleted the modules of the package, as test runners and notebooks do.

It gets the modules of the first. So errors and results are of the classes that the second import names, too.
"""

from __future__ import annotations

import sys

from libspeech import _libspeech

sys.modules.update(_libspeech.MODULES)


def remember() -> None:
    """Keeps the modules that are imported, for a second import."""
    modules = {name: module for name, module in list(sys.modules.items()) if name.startswith("libspeech._")}
    _libspeech.MODULES.update(modules)
