from __future__ import annotations

import copy
import json

import numpy as np
import pytest
from bundle.errors import BundleError
from bundle.voices import LANGUAGES, VOICES, blended_table, blended_tables, ingredients, read_recipes


def test_the_committed_recipes_are_complete():
    voices = read_recipes()
    assert [v["id"] for v in voices] == list(VOICES)
    assert all(set(v["recipes"]) == set(LANGUAGES) for v in voices)


def test_timbre_and_prosody_are_blended_separately():
    rng = np.random.default_rng(0)
    published = {k: rng.standard_normal((510, 256)).astype(np.float32) for k in ("a", "b", "c")}
    recipe = {"timbre": {"a": 0.25, "b": 0.75}, "prosody": {"c": 1.0}, "gain_db": 0.0}
    voices = [{"id": "aria", "name": "Aria", "recipes": {"en-US": recipe}}]
    assert ingredients(voices) == {"a", "b", "c"}
    table = blended_tables(voices, published)["aria/en-US"]
    assert table.dtype == np.float32
    np.testing.assert_allclose(
        table[:, :128], 0.25 * published["a"][:, :128] + 0.75 * published["b"][:, :128], rtol=1e-6, atol=1e-7
    )
    np.testing.assert_array_equal(table[:, 128:], published["c"][:, 128:])


def test_the_decoder_reads_the_articulation_and_the_generator_the_timbre():
    rng = np.random.default_rng(0)
    published = {k: rng.standard_normal((510, 256)).astype(np.float32) for k in ("a", "b", "c")}
    recipe = {"articulation": {"a": 1.0}, "timbre": {"b": 1.0}, "prosody": {"c": 1.0}, "gain_db": 0.0}
    assert ingredients([{"recipes": {"hi-IN": recipe}}]) == {"a", "b", "c"}
    table = blended_table(recipe, published)
    assert table.shape == (510, 384)
    for third, part in enumerate((published["a"][:, :128], published["c"][:, 128:], published["b"][:, :128])):
        np.testing.assert_array_equal(table[:, third * 128 : (third + 1) * 128], part)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda v: v.pop(), "aria, |expected"),
        (lambda v: v[0]["recipes"].pop("hi-IN"), "needs id, name, and recipes"),
        (lambda v: v[0]["recipes"]["en-US"].pop("gain_db"), "needs timbre, prosody and gain_db"),
        (lambda v: v[0]["recipes"]["en-US"].update(timbre={"af_heart": 0.9}), "do not sum to 1"),
        (lambda v: v[0]["recipes"]["en-US"].update(prosody={}), "do not sum to 1"),
    ],
)
def test_mistakes_in_recipes_are_named(tmp_path, change, message):
    voices = copy.deepcopy(read_recipes())
    change(voices)
    path = tmp_path / "recipes.json"
    path.write_text(json.dumps({"voices": voices}))
    with pytest.raises(BundleError, match=message):
        read_recipes(path)
