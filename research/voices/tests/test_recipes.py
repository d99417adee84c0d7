"""Recipes as text."""

import pytest
from voices.recipes import ingredients, parse_recipe, towards_hindi, written


def test_one_style_is_timbre_and_prosody() -> None:
    assert parse_recipe("af_heart") == {"timbre": {"af_heart": 1.0}, "prosody": {"af_heart": 1.0}}


def test_timbre_and_prosody_are_blended_apart() -> None:
    recipe = parse_recipe("0.25*am_eric + 0.75*am_liam / am_echo")
    assert recipe == {"timbre": {"am_eric": 0.25, "am_liam": 0.75}, "prosody": {"am_echo": 1.0}}
    assert ingredients(recipe) == {"am_eric", "am_liam", "am_echo"}


def test_the_articulation_is_apart_where_it_is_given() -> None:
    recipe = parse_recipe("hf_alpha | af_heart / af_river")
    assert recipe == {
        "articulation": {"hf_alpha": 1.0},
        "timbre": {"af_heart": 1.0},
        "prosody": {"af_river": 1.0},
    }
    assert ingredients(recipe) == {"hf_alpha", "af_heart", "af_river"}


def test_weights_that_do_not_sum_to_one_are_refused() -> None:
    with pytest.raises(ValueError, match="do not sum to 1"):
        parse_recipe("0.5*af_heart + 0.4*af_river")


def test_a_step_towards_hindi_keeps_the_sum() -> None:
    moved = towards_hindi({"af_heart": 1.0}, 0.8)
    assert moved["hf_alpha"] == pytest.approx(0.2)
    assert moved["af_heart"] == pytest.approx(0.9)
    assert moved["am_onyx"] == pytest.approx(-0.1)
    assert sum(moved.values()) == pytest.approx(1)
    assert parse_recipe("af_heart > 0.8 / hf_alpha")["timbre"] == moved


def test_what_is_written_is_read_again() -> None:
    for text in ("af_heart", "am_eric > 0.75 | am_eric / hm_psi", "0.34*am_echo + 0.33*am_eric + 0.33*am_liam"):
        recipe = parse_recipe(text)
        assert parse_recipe(written(recipe)) == recipe
