"""The types of what has a few allowed values."""

from __future__ import annotations

from typing import Literal

#: The BCP 47 tag of a language.
Language = Literal["en-US", "hi-IN"]

#: The identifier of a voice.
VoiceId = Literal["aria", "jason", "john", "leo", "sofia"]

#: How a service or a program delivers speech: one RIFF/WAVE file, or raw samples by sentence.
Format = Literal["wav", "pcm"]

#: Whether a stream gives the first half second of a long first sentence before the rest is computed.
Latency = Literal["standard", "low"]

#: Which networks compute the speech, and so how much computation it takes.
Quality = Literal["auto", "full", "fast", "light"]

#: The type of samples: 16-bit integers, or 32-bit floating-point numbers from -1 to 1.
SampleFormat = Literal["int16", "float32"]

#: The name of a viseme in OVR LipSync.
VisemeName = Literal["sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "ih", "oh", "ou"]

#: The SIMD instructions to compute with.
Kernels = Literal["auto", "portable", "avx2", "avx512", "amx", "neon", "simd128"]

#: The floating-point type to compute with.
Precision = Literal["auto", "fp32", "bf16", "int16"]

#: What waits for the text of a transcription.
UseCase = Literal["mid_sentence", "whole_utterance", "nothing_waits", "other"]
