from __future__ import annotations

from compare.machine import describe_cpu

EPYC = """processor\t: 0
model name\t: AMD EPYC 9R14 96-Core Processor
microcode\t: 0xa101148
flags\t\t: fpu avx avx2 fma avx512f avx512bw avx512vl avx512_vnni

processor\t: 1
model name\t: AMD EPYC 9R14 96-Core Processor
"""

XEON = """model name\t: Intel(R) Xeon(R) Platinum 8488C
flags\t\t: avx2 fma avx512f avx512bw avx512vl avx512_vnni avx512_bf16 amx_bf16 amx_tile
"""

ARM = "processor\t: 0\nFeatures\t: fp asimd bf16\n"


def test_the_line_names_a_family_and_what_it_can_do():
    cases = [
        (EPYC, "x86_64", 2, "AMD EPYC (x86_64), AVX2, AVX-512, AVX-512 VNNI, 2 processor cores"),
        (
            XEON, "x86_64", 1,
            "Intel Xeon (x86_64), AVX2, AVX-512, AVX-512 VNNI, AVX-512 BF16, AMX BF16, 1 processor core",
        ),
        (ARM, "aarch64", 4, "aarch64, NEON, BF16, 4 processor cores"),
        ("", "arm64", 8, "arm64, 8 processor cores"),
    ]  # fmt: skip
    wrong = [
        (found, expected)
        for text, architecture, processors, expected in cases
        if (found := describe_cpu(text, architecture, processors)) != expected
    ]
    assert wrong == []
