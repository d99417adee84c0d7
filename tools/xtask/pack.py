"""Packs a directory into a reproducible archive: the same contents give the same bytes.

The archive is a tar.gz; a zip file if its name ends in .zip; or an AAR, a zip file without the directory itself.

    python pack.py DIRECTORY ARCHIVE [LEVEL]

LEVEL is that of gzip, from 1 (fast) to 9 (small); the default is 6.

Sorts the names, and sets owner, time and permissions to fixed values. Prints the approximate size of each file in the
archive as JSON.
"""

import gzip
import json
import os
import sys
import tarfile
import zipfile
from pathlib import Path


def neutral(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Removes values of the machine from a member."""
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    executable = member.isdir() or member.mode & 0o100
    member.mode = 0o755 if executable else 0o644
    return member


def pack(directory: Path, archive: Path, level: int) -> dict[str, int]:
    """Writes the archive, and returns the size of each file in it in bytes."""
    partial = archive.with_name(archive.name + ".partial")
    if archive.suffix == ".aar":
        packed = write_zip(directory, directory, partial)
    elif archive.suffix == ".zip":
        packed = write_zip(directory, directory.parent, partial)
    else:
        packed = write_tar(directory, partial, level)
    os.replace(partial, archive)
    return packed


def write_zip(directory: Path, root: Path, archive: Path) -> dict[str, int]:
    """Writes a zip file with paths relative to `root`."""
    packed = {}
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(directory.rglob("*"), key=Path.as_posix):
            if path.is_file():
                # A new entry has the earliest time of the zip format.
                member = zipfile.ZipInfo(path.relative_to(root).as_posix())
                member.external_attr = 0o100644 << 16
                member.compress_type = zipfile.ZIP_DEFLATED
                file.writestr(member, path.read_bytes())
                packed[path.relative_to(directory).as_posix()] = member.compress_size
    return packed


def write_tar(directory: Path, archive: Path, level: int) -> dict[str, int]:
    """Writes a tar.gz."""
    packed = {}
    with archive.open("wb") as raw:
        with gzip.GzipFile("", "wb", level, fileobj=raw, mtime=0) as compressed:
            with tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as tar:
                for path in [directory, *sorted(directory.rglob("*"), key=Path.as_posix)]:
                    before = raw.tell()
                    name = path.relative_to(directory.parent).as_posix()
                    tar.add(path, name, recursive=False, filter=neutral)
                    if path.is_file() and not path.is_symlink():
                        packed[path.relative_to(directory).as_posix()] = raw.tell() - before
    return packed


if __name__ == "__main__":
    print(json.dumps(pack(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if sys.argv[3:] else 6)))
