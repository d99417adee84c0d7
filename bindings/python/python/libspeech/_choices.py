"""The types of values from a closed set."""

from __future__ import annotations

from typing import Literal

#: The BCP 47 tag of a language.
Language = Literal["en-US", "hi-IN"]

#: The identifier of a voice.
VoiceId = Literal["aria", "jason", "john", "leo", "sofia"]

#: How a service or a program delivers speech: one RIFF/WAVE file, or raw samples by sentence.
Format = Literal["wav", "pcm"]

#: Whether a stream returns the first half second of a long first sentence before the rest is computed.
Latency = Literal["standard", "low"]

#: The networks that compute the speech, which determine the amount of computation.
Quality = Literal["auto", "full", "fast", "light"]

#: The sample rates, in hertz.
SampleRate = Literal[8000, 16000, 22050, 24000, 44100, 48000]

#: The encodings of a sample: a 16-bit integer, a 32-bit floating-point number from -1 to 1, or an 8-bit G.711 code.
Encoding = Literal["pcm16", "float32", "mulaw", "alaw"]

#: The name of a viseme in OVR LipSync.
VisemeName = Literal["sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "ih", "oh", "ou"]

#: The SIMD instruction sets.
Kernels = Literal["auto", "portable", "avx2", "avx512", "amx", "neon", "simd128"]

#: The number formats of the vocoder's products.
Precision = Literal["auto", "fp32", "bf16", "int16"]

#: The uses that a tier is chosen for.
UseCase = Literal["mid_sentence", "whole_utterance", "nothing_waits", "other"]
