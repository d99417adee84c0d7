"""Compares two recordings of a sentence, in 16 bits: spectra.py FOUND EXPECTED, of which a WAV file has a header of 44 bytes.

Prints how near their spectra are. Each set of kernels rounds at other places. A pitch that is another in its last bits makes other
phases in time, which nobody hears: samples cannot be compared one by one.
"""

import sys

import numpy as np

# The least ratio of the spectra's magnitudes to their differences, in decibels. On x86-64, AVX2 and the portable kernels have 43 dB.
LEAST = 30.0
# The most samples by which one may begin or end later: silence at the ends is cut where the sound is loud enough.
SHIFT = 64
# The length of the windows that spectra are of, in samples.
WINDOW = 512


def spectra(sound: np.ndarray) -> np.ndarray:
    windows = np.lib.stride_tricks.sliding_window_view(sound, WINDOW)[:: WINDOW // 2]
    return np.abs(np.fft.rfft(windows * np.hanning(WINDOW + 1)[:-1]))


def compare(found: np.ndarray, expected: np.ndarray) -> str:
    if abs(len(found) - len(expected)) > SHIFT:
        sys.exit(f"there are {len(found)} samples, and should be {len(expected)}")
    if not expected.any():
        sys.exit("there is nothing to hear")
    if np.array_equal(found, expected):
        return "every sample the same"
    length = min(len(found), len(expected)) - SHIFT
    moved = [pair for i in range(SHIFT) for pair in ((found[i:], expected), (found, expected[i:]))]
    pairs = [(a[:length], b[:length]) for a, b in moved]
    a, b = (spectra(it) for it in min(pairs, key=lambda pair: np.square(pair[0] - pair[1]).mean()))
    decibels = 10 * np.log10(np.square(b).sum() / np.square(a - b).sum())
    if decibels < LEAST:
        sys.exit(f"it sounds otherwise: {decibels:.1f} dB, and {LEAST:.0f} is the least")
    return f"spectra to {decibels:.0f} dB"


def samples(path: str) -> np.ndarray:
    return np.fromfile(path, "<i2", offset=44 if path.endswith(".wav") else 0).astype(float)


if __name__ == "__main__":
    print(compare(*map(samples, sys.argv[1:])))
