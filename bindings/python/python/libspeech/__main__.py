"""Text to speech on the command line: ``python -m libspeech``."""

from __future__ import annotations

import sys

from libspeech._cli import main

if __name__ == "__main__":
    sys.exit(main())
