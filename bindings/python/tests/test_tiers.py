"""The latency tiers of the audio-to-text side."""

from __future__ import annotations

import json
import math
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import libspeech
import pytest
from libspeech import InvalidRequestError, InvalidTierError, Tier, UseCase, tiers

TABLE = [
    ("ultra", (70, 0), 80, 139, 0.000139),
    ("turbo", (70, 3), 320, 100, 0.0001),
    ("standard", (70, 6), 560, 61, 0.000061),
    ("economy", (70, 13), 1120, 42, 0.000042),
]


def test_the_table_of_the_contract() -> None:
    rows = [(tier.value, tier.att_context_size, tier.latency_ms, tier.rate_micros) for tier in Tier]
    assert rows == [row[:4] for row in TABLE]
    for tier in Tier:
        assert tier.lookahead == pytest.approx(tier.latency_ms / 1000)
        assert tier.lookahead == pytest.approx((tier.att_context_size[1] + 1) * 0.08)


def test_a_tier_is_its_name() -> None:
    assert Tier("turbo") is Tier.TURBO
    assert Tier.TURBO == "turbo"  # type: ignore[comparison-overlap]
    assert f"{Tier.TURBO}" == str(Tier.TURBO) == "turbo"
    assert json.dumps({"tier": Tier.TURBO}) == '{"tier": "turbo"}'
    with pytest.raises(ValueError, match="premium"):
        Tier("premium")


def test_the_catalogue() -> None:
    catalogue = tiers()
    assert catalogue.default is Tier.STANDARD
    assert [tuple(entry) for entry in catalogue.tiers] == [
        (name, rate, usd, latency, True) for name, _, latency, rate, usd in TABLE
    ]
    assert isinstance(catalogue.tiers, tuple)
    assert all(isinstance(entry.tier, Tier) for entry in catalogue.tiers)


def test_the_json_of_the_contract() -> None:
    assert tiers([(70, 6), (70, 0), (56, 3)]).to_json() == (
        '{"tiers":['
        '{"tier":"ultra","rate_micros":139,"rate_usd_per_second":0.000139,"latency_ms":80,"available":true},'
        '{"tier":"turbo","rate_micros":100,"rate_usd_per_second":0.0001,"latency_ms":320,"available":false},'
        '{"tier":"standard","rate_micros":61,"rate_usd_per_second":0.000061,"latency_ms":560,"available":true},'
        '{"tier":"economy","rate_micros":42,"rate_usd_per_second":0.000042,"latency_ms":1120,"available":false}'
        '],"default":"standard"}'
    )


def test_a_tier_is_never_replaced() -> None:
    for bits in range(16):
        available = [tier for place, tier in enumerate(Tier) if bits >> place & 1]
        catalogue = tiers(iter([tier.att_context_size for tier in available]))
        assert [entry.available for entry in catalogue.tiers] == [tier in available for tier in Tier]
        for tier in Tier:
            if tier in available:
                assert catalogue.resolve(tier.value) is catalogue.resolve(tier) is tier
            else:
                with pytest.raises(InvalidTierError, match=f'"{tier.value}" is not available'):
                    catalogue.resolve(tier.value)


@pytest.mark.parametrize("name", ["", "Ultra", "standard ", "premium", "ultra\0", "ü"])
def test_an_unknown_tier(name: str) -> None:
    with pytest.raises(InvalidTierError) as caught:
        tiers().resolve(name)
    assert "does not exist" in caught.value.message


def test_what_suits_a_use() -> None:
    ranked: dict[UseCase, list[str]] = {
        "mid_sentence": ["ultra", "turbo", "standard", "economy"],
        "whole_utterance": ["turbo", "standard", "ultra", "economy"],
        "nothing_waits": ["economy", "standard", "turbo", "ultra"],
        "other": ["standard", "turbo", "economy", "ultra"],
    }
    some = tiers([(70, 3), (70, 6)])
    for use_case, names in ranked.items():
        assert tiers().ranked_for(use_case) == [Tier(name) for name in names]
        assert some.ranked_for(use_case) == [Tier(name) for name in names if name in ("turbo", "standard")]
        assert tiers([]).ranked_for(use_case) == []
    with pytest.raises(InvalidRequestError, match='unsupported use case "captions"; use mid_sentence, '):
        some.ranked_for("captions")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("tier", "seconds", "micros"),
    [
        ("ultra", 0, 0),
        ("ultra", Fraction(1, 10**9), 1),
        ("ultra", 0.01, 2),
        ("turbo", 60, 6000),
        ("turbo", 0.1, 10),
        ("turbo", 0.1 + 0.2, 30),
        ("turbo", Decimal("0.3"), 30),
        ("turbo", Decimal("0.300000001"), 31),
        ("standard", timedelta(hours=1), 219_600),
        ("standard", timedelta(microseconds=1), 1),
        ("economy", 10**12, 42 * 10**12),
        ("economy", True + 1, 84),
    ],
)
def test_a_charge(tier: str, seconds: Any, micros: int) -> None:
    charge = Tier(tier).charge(seconds)
    assert charge == micros
    assert type(charge) is int


def test_a_charge_for_samples() -> None:
    assert Tier.ECONOMY.charge_samples(22_050, 22_050) == 42
    assert Tier.ECONOMY.charge_samples(22_051, 22_050) == 43
    assert Tier.ECONOMY.charge_samples(0, 16_000) == 0
    # In floating point this is 138.99999999999997.
    assert Tier.ULTRA.charge_samples(44_100 * 49, 44_100 * 49) == 139
    for samples in (1, 7, 22_049, 10**12):
        exact = math.ceil(Fraction(samples * 61, 22_050))
        assert Tier.STANDARD.charge_samples(samples, 22_050) == exact


@pytest.mark.parametrize(
    "seconds",
    [-1, -0.1, math.nan, math.inf, Decimal("NaN"), Decimal("-Infinity"), timedelta(-1), 10**40],
)
def test_a_duration_that_is_none(seconds: Any) -> None:
    with pytest.raises(InvalidRequestError, match="seconds") as caught:
        Tier.ULTRA.charge(seconds)
    assert not isinstance(caught.value, TypeError)


@pytest.mark.parametrize("seconds", ["1", None, True, b"1", [1], 1j])
def test_a_duration_of_another_type(seconds: Any) -> None:
    with pytest.raises(InvalidRequestError, match="seconds") as caught:
        Tier.ULTRA.charge(seconds)
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize(("samples", "rate"), [(-1, 16_000), (1, 0), (1, -1), (2**64, 1), (1, 2**32)])
def test_samples_that_are_refused(samples: int, rate: int) -> None:
    with pytest.raises(InvalidRequestError):
        Tier.ULTRA.charge_samples(samples, rate)


@pytest.mark.parametrize(
    ("available", "is_type"),
    [
        (5, True),
        ("ultra", True),
        ([5], True),
        ([(70,)], True),
        ([(70, "6")], True),
        ([(70, True)], True),
        ([(70, -1)], False),
        ([(70, 2**40)], False),
    ],
)
def test_contexts_that_are_refused(available: Any, is_type: bool) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        tiers(available)
    assert isinstance(caught.value, TypeError) == is_type


def test_a_catalogue_is_read_as_often_as_one_likes() -> None:
    contexts = [(70, 6)]
    catalogue = tiers(contexts)
    contexts.append((70, 0))
    assert catalogue.ranked_for("other") == [Tier.STANDARD]
    assert "standard" in repr(catalogue)
    assert "none" in repr(libspeech.tiers([]))
