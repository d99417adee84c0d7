"""The installed packages contain everything they need and nothing else."""

from __future__ import annotations

import enum
import importlib.metadata
import inspect
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import libspeech
import pytest
from conftest import Run
from libspeech import _libspeech
from support import clean, variable

DISTRIBUTIONS = ["libspeech-sdk", "libspeech-sdk-voices"]


def files(distribution: str) -> list[str]:
    found = importlib.metadata.files(distribution)
    assert found
    return [str(path) for path in found if "__pycache__" not in str(path)]


def test_the_package_that_is_tested_is_the_installed_one() -> None:
    package = Path(libspeech.__file__).resolve().parent
    installed = importlib.metadata.distribution("libspeech-sdk").locate_file("libspeech")
    assert package == Path(str(installed)).resolve()
    assert not (package.parent.parent / "Cargo.toml").exists()


def test_the_version_is_one() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", libspeech.__version__)
    assert libspeech.__version__ == _libspeech.VERSION
    for name in DISTRIBUTIONS:
        assert importlib.metadata.version(name) == libspeech.__version__


def test_what_is_in_it() -> None:
    found = files("libspeech-sdk")
    in_package = [name for name in found if name.startswith("libspeech/")]
    needed = ["__init__.py", "__main__.py", "py.typed", "_libspeech.pyi", "_libspeech.abi3.so", "voices.txt"]
    assert {f"libspeech/{name}" for name in needed} <= set(in_package)
    assert {Path(name).suffix for name in in_package} == {".py", ".typed", ".pyi", ".so", ".txt"}
    others = {name.split("/")[0] for name in found} - {"libspeech"}
    assert all(name.endswith(".dist-info") or name == ".." for name in others), others


def test_what_is_in_the_voices() -> None:
    found = files("libspeech-sdk-voices")
    bundle = [name for name in found if name.startswith("libspeech_voices/bundle/")]
    assert sorted(Path(name).name for name in bundle) == [
        "bundle.json",
        "prosody.safetensors",
        "small_decoder.safetensors",
        "small_prosody.safetensors",
        "vocoder.safetensors",
        "voices.safetensors",
    ]
    code = [name for name in found if name.endswith((".so", ".py"))]
    assert code == ["libspeech_voices/__init__.py"]


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_the_licences_are_in_it(name: str) -> None:
    metadata = importlib.metadata.metadata(name)
    named = metadata.get_all("License-File") or []
    texts = [text for text in files(name) if ".dist-info/" in text]
    assert named
    for licence in named:
        assert any(text.endswith(licence) for text in texts), licence
    words = "\n".join(
        Path(str(importlib.metadata.distribution(name).locate_file(text))).read_text("utf-8", "replace")
        for text in texts
        if any(text.endswith(licence) for licence in named)
    )
    assert "Apache License" in words
    assert name.endswith("voices") or "Permission is hereby granted, free of charge" in words
    assert "GNU GENERAL PUBLIC LICENSE" not in words.upper()


def test_what_it_asks_for() -> None:
    metadata = importlib.metadata.metadata("libspeech-sdk")
    assert metadata["Requires-Python"] == ">=3.11"
    required = importlib.metadata.requires("libspeech-sdk") or []
    assert [line for line in required if "extra ==" not in line] == []
    assert not [line for line in importlib.metadata.requires("libspeech-sdk-voices") or [] if "extra" not in line]


@pytest.mark.parametrize(
    ("pattern", "megabytes"), [("libspeech_sdk-*.whl", 20), ("libspeech_sdk_voices-*-none-any.whl", 100)]
)
def test_the_size_of_a_wheel(pattern: str, megabytes: int) -> None:
    (wheel,) = variable("SPEECH_WHEELS").glob(pattern)
    assert wheel.stat().st_size < megabytes * 1_000_000
    if "voices" not in pattern:
        assert "-cp311-abi3-manylinux_" in wheel.name


def test_nothing_of_this_machine_is_needed(fake_model: Path, tmp_path: Path) -> None:
    program = "import libspeech, sys; print(len(libspeech.Engine(sys.argv[1]).synthesize('Hello.').pcm))"
    (tmp_path / "bin").mkdir()
    settings = {"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path / "home")}
    if "PYTHONPATH" in os.environ:
        settings["PYTHONPATH"] = os.environ["PYTHONPATH"]
    done = subprocess.run(
        [sys.executable, "-c", program, str(fake_model)],
        cwd=tmp_path,
        env=settings,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert int(clean(done)) > 0
    assert done.stderr == ""
    assert not (tmp_path / "home").exists()


@pytest.mark.voices
def test_the_voices_are_found_by_themselves(run: Run, tmp_path: Path) -> None:
    ended = run(
        """
        for name in ("SPEECH_BUNDLE", "SPEECH_CACHE", "XDG_CACHE_HOME"):
            os.environ.pop(name, None)
        os.environ["HOME"] = sys.argv[1]
        print(len(libspeech.Engine().synthesize("Hello.").pcm))
        """,
        str(tmp_path),
    )
    assert int(clean(ended)) > 0


def test_another_bundle_comes_first(run: Run) -> None:
    ended = run(
        """
        os.environ["SPEECH_BUNDLE"] = FAKE_MODEL
        same = libspeech.Engine().synthesize(TEXT).pcm == libspeech.Engine(FAKE_MODEL).synthesize(TEXT).pcm
        os.environ["SPEECH_BUNDLE"] = "/nowhere/at all"
        try:
            libspeech.Engine()
        except libspeech.ModelError as error:
            print(same, "/nowhere/at all" in str(error))
        """
    )
    assert clean(ended) == "True True\n"


def test_importing_it_is_quick_and_quiet(run: Run) -> None:
    ended = run("print(sorted({'numpy', 'pip', 'argparse', 'multiprocessing'} & set(sys.modules)))")
    assert clean(ended) == "[]\n"
    assert ended.stderr == ""


def test_all_that_is_public_is_exported() -> None:
    assert len(libspeech.__all__) == len(set(libspeech.__all__))
    visible = {name for name in vars(libspeech) if not name.startswith("_")}
    modules = {name for name in visible if inspect.ismodule(getattr(libspeech, name))}
    assert visible - modules - {"annotations"} <= set(libspeech.__all__)
    for name in libspeech.__all__:
        value = getattr(libspeech, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert value.__module__ == "libspeech", name
    public_modules = {info.name for info in pkgutil.iter_modules(libspeech.__path__) if not info.name.startswith("_")}
    assert public_modules == {"batch", "ray", "spark"}


def members(value: Any) -> Iterator[tuple[str, Any]]:
    for name, member in vars(value).items():
        if not name.startswith("_") and (callable(member) or isinstance(member, (property, classmethod))):
            yield f"{value.__name__}.{name}", member


def documented() -> Iterator[tuple[str, Any]]:
    for value in (getattr(libspeech, name) for name in libspeech.__all__):
        name = getattr(value, "__name__", "")
        if inspect.isclass(value) or inspect.isfunction(value):
            yield name, value
        if inspect.isclass(value):
            yield from members(value)


def test_all_that_is_public_is_documented() -> None:
    assert libspeech.__doc__
    rows = [row for row in documented() if not isinstance(row[1], enum.Enum)]
    assert rows
    missing = [name for name, value in rows if not inspect.getdoc(value)]
    assert missing == []


def test_what_is_shown_of_an_engine(engine: libspeech.Engine, fake_model: Path) -> None:
    assert all(part in repr(engine) for part in ("Engine", "1 thread", engine.kernels, engine.precision))
    with libspeech.Engine(fake_model, threads=3) as other:
        assert other.threads == 3
        open_inside = not other.closed
        assert "closed" not in repr(other)
    assert other.closed
    assert open_inside
    assert "closed" in repr(other)
    for name in ("threads", "kernels", "precision", "closed"):
        with pytest.raises(AttributeError):
            setattr(other, name, 1)


@pytest.mark.parametrize("kind", ["path", "string", "tar", "bytes", "bytearray", "memoryview"])
def test_a_bundle_in_every_form(engine: libspeech.Engine, fake_model: Path, tmp_path: Path, kind: str) -> None:
    import tarfile

    archive = tmp_path / "voices.tar"
    with tarfile.open(archive, "w", format=tarfile.USTAR_FORMAT) as tar:
        tar.add(fake_model, ".")
    data = archive.read_bytes()
    forms: dict[str, Any] = {
        "path": fake_model,
        "string": str(fake_model),
        "tar": archive,
        "bytes": data,
        "bytearray": bytearray(data),
        "memoryview": memoryview(data),
    }
    with libspeech.Engine(forms[kind], threads=1) as other:
        assert other.synthesize("Hello.").pcm == engine.synthesize("Hello.").pcm


@pytest.mark.parametrize("map_bundle", [True, False, None])
def test_a_bundle_that_is_mapped_and_one_that_is_not(
    fake_model: Path, engine: libspeech.Engine, map_bundle: bool | None
) -> None:
    with libspeech.Engine(fake_model, threads=1, map_bundle=map_bundle) as other:
        assert other.synthesize("Hello.").pcm == engine.synthesize("Hello.").pcm


def test_kernels_and_precision_that_are_named(fake_model: Path) -> None:
    with libspeech.Engine(fake_model, threads=1, kernels="portable", precision="fp32") as engine:
        assert (engine.kernels, engine.precision) == ("portable", "fp32")
        audio = engine.synthesize("Hello.")
    assert (audio.kernels, audio.precision) == ("portable", "fp32")
    with libspeech.Engine(fake_model, kernels="auto", precision="auto") as engine:
        assert engine.kernels != "auto"
        assert engine.precision != "auto"
