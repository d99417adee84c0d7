from __future__ import annotations

import pytest
from compare.configurations import BASELINE, TEXTS, by_name
from compare.errors import CompareError, NotHere
from compare.speech import arguments, require_asked, require_same_sentence, require_same_texts

HELP = "      --threads <N>\n      --precision <PRECISION>  fp32, bf16\n      --kernels <KERNELS>\n"


def test_a_flag_is_given_where_the_build_has_it():
    assert arguments(by_name("speech-bf16"), HELP) == ["--precision", "bf16"]
    assert arguments(by_name("speech-avx2"), HELP) == ["--precision", "fp32", "--kernels", "avx2"]


def test_a_build_without_flags_does_the_default_only():
    assert arguments(by_name(BASELINE), "--threads <N>") == []
    for name, flag in [("speech-bf16", "--precision"), ("speech-avx2", "--kernels"), ("speech-low", "--latency")]:
        with pytest.raises(NotHere, match=f"not in this build: {flag}"):
            arguments(by_name(name), "--threads <N>")


def test_what_ran_must_be_what_was_asked_for():
    configuration = by_name("speech-avx2")
    asked = arguments(configuration, HELP)
    require_asked(configuration, asked, {"precision": "fp32", "kernels": "avx2"})
    with pytest.raises(NotHere, match="asked for kernels avx2, it ran neon"):
        require_asked(configuration, asked, {"precision": "fp32", "kernels": "neon"})
    with pytest.raises(CompareError, match="does not say which kernels"):
        require_asked(configuration, asked, {"precision": "fp32"})
    require_asked(by_name(BASELINE), [], {})


def test_the_texts_must_be_equal():
    require_same_texts({"texts": [{**entry, "rtf": 0.2} for entry in TEXTS]})
    with pytest.raises(CompareError, match="other texts"):
        require_same_texts({"texts": [*TEXTS[:-1], {**TEXTS[-1], "text": "Another one."}]})


def test_the_sessions_must_speak_the_same_sentence():
    require_same_sentence({"text": TEXTS[1]["text"]})
    with pytest.raises(CompareError, match="another text"):
        require_same_sentence({"text": TEXTS[0]["text"]})
