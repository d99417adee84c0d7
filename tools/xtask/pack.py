"""Packs a directory into a file that has the same bytes whenever the directory has.

It is a tar.gz of the directory or, if its name ends so, a zip file of it, or an AAR, which is a zip file of what is in it.

    python pack.py DIRECTORY ARCHIVE

Names are sorted, and owner, time and permissions do not come from the machine. Prints, as JSON,
about how many bytes each file takes up in the archive.
"""

import gzip
import json
import os
import sys
import tarfile
import zipfile
from pathlib import Path


def neutral(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Takes out of a member what the machine put in."""
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    executable = member.isdir() or member.mode & 0o100
    member.mode = 0o755 if executable else 0o644
    return member


def pack(directory: Path, archive: Path) -> dict[str, int]:
    """Writes the archive and returns the bytes that each file takes up in it."""
    partial = archive.with_name(archive.name + ".partial")
    if archive.suffix == ".aar":
        packed = write_zip(directory, directory, partial)
    elif archive.suffix == ".zip":
        packed = write_zip(directory, directory.parent, partial)
    else:
        packed = write_tar(directory, partial)
    os.replace(partial, archive)
    return packed


def write_zip(directory: Path, root: Path, archive: Path) -> dict[str, int]:
    """Writes a zip file, in which paths begin at the root."""
    packed = {}
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(directory.rglob("*"), key=Path.as_posix):
            if path.is_file():
                # A new one has the oldest time that there is in zip files.
                member = zipfile.ZipInfo(path.relative_to(root).as_posix())
                member.external_attr = 0o100644 << 16
                member.compress_type = zipfile.ZIP_DEFLATED
                file.writestr(member, path.read_bytes())
                packed[path.relative_to(directory).as_posix()] = member.compress_size
    return packed


def write_tar(directory: Path, archive: Path) -> dict[str, int]:
    """Writes a tar.gz."""
    packed = {}
    with archive.open("wb") as raw:
        with gzip.GzipFile("", "wb", 6, fileobj=raw, mtime=0) as compressed:
            with tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as tar:
                for path in [directory, *sorted(directory.rglob("*"), key=Path.as_posix)]:
                    before = raw.tell()
                    name = path.relative_to(directory.parent).as_posix()
                    tar.add(path, name, recursive=False, filter=neutral)
                    if path.is_file() and not path.is_symlink():
                        packed[path.relative_to(directory).as_posix()] = raw.tell() - before
    return packed


if __name__ == "__main__":
    print(json.dumps(pack(Path(sys.argv[1]), Path(sys.argv[2]))))
