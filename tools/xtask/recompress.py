"""Recompresses a package of voices, which saves 3 to 5 MB.

Weights contain few repetitions. By default DEFLATE encodes three equal bytes as a repetition, although its distance
takes more space than the bytes. The strategy "filtered" only uses longer ones. The content of the package does not
change.

    python recompress.py FILE

The file is a gzip file (.tgz, .gz) or a zip file (.whl, .aar, .zip). Any other file (.tar) becomes FILE.gz.
"""

import gzip
import os
import sys
import zipfile
import zlib
from pathlib import Path

_GZIP, _RAW = 31, -15
"""zlib's window bits for the gzip format, and for raw DEFLATE."""


def compressor(form: int) -> "zlib._Compress":
    return zlib.compressobj(9, zlib.DEFLATED, form, 9, zlib.Z_FILTERED)


def recompress(path: Path) -> Path:
    partial = path.with_name(path.name + ".partial")
    to = path
    if path.suffix in (".whl", ".aar", ".zip"):
        _zip(path, partial)
    elif path.suffix in (".tgz", ".gz"):
        partial.write_bytes(_gzip(gzip.decompress(path.read_bytes())))
    else:
        partial.write_bytes(_gzip(path.read_bytes()))
        to = path.with_name(path.name + ".gz")
    os.replace(partial, to)
    return to


def _gzip(data: bytes) -> bytes:
    gz = compressor(_GZIP)
    return gz.compress(data) + gz.flush()


def _zip(path: Path, out: Path) -> None:
    # The module has a parameter for the level of DEFLATE, but not for its strategy.
    usual = zipfile._get_compressor
    zipfile._get_compressor = lambda method, level=None: (
        compressor(_RAW) if method == zipfile.ZIP_DEFLATED else usual(method, level)
    )
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w") as new:
        for member in old.infolist():
            new.writestr(member, old.read(member))


if __name__ == "__main__":
    print(recompress(Path(sys.argv[1])))
