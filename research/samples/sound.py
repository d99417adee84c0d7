"""Converts wav files into small files that every browser plays, at equal loudness."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

LOUDNESS = -22.0
"""The loudness of our voices, in LUFS. A louder engine would seem better."""

BIT_RATE = "64k"


def compress(wav: Path, mp3: Path) -> None:
    """Writes the audio of a wav file as MP3, with the integrated loudness LOUDNESS."""
    gain = LOUDNESS - loudness(_ffmpeg("-i", wav, "-af", "ebur128", "-f", "null", "-"))
    # A limiter catches what the gain would clip.
    filters = f"volume={gain:.2f}dB,alimiter=limit=0.9:level=disabled"
    # Without tags the same audio gives the same file.
    plain = ("-map_metadata", "-1", "-fflags", "+bitexact")
    _ffmpeg("-i", wav, "-af", filters, "-ac", "1", "-b:a", BIT_RATE, *plain, "-y", mp3)


def loudness(printed: str) -> float:
    """The integrated loudness in the summary of ffmpeg's filter `ebur128`, in LUFS."""
    found = re.findall(r"I:\s+(-?\d+\.\d) LUFS", printed)
    if not found:
        raise ValueError(f"ffmpeg says nothing of the loudness:\n{printed}")
    return float(found[-1])


def _ffmpeg(*arguments: str | Path) -> str:
    import imageio_ffmpeg

    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-hide_banner", "-nostdin", *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stderr
