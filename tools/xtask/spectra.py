"""Compares two 16-bit recordings of a sentence. Usage: spectra.py FOUND EXPECTED. The header of a WAV file must have 44
bytes.

Prints the similarity of the spectra. Samples cannot be compared one by one, because each set of kernels rounds
differently. A pitch with other last bits changes the phases over time, which is inaudible.
"""

import sys

import numpy as np

# The minimum ratio of the spectral magnitudes to their differences, in dB. AVX2 and the portable kernels on x86-64
# reach 43 dB.
LEAST = 30.0
# The maximum offset of the beginnings and ends in samples: the silence there is trimmed by loudness.
SHIFT = 64
# The window length of the spectra in samples.
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
