"""The STFT as a convolution, on a graph of the export's form, and on similar graphs that must stay unchanged."""

from __future__ import annotations

import numpy as np
import pytest
from bundle.stft import fourier_basis, stft_to_convolution
from graphs import graph, model, node, normal, ops, run


def stft_graph(comparison="Greater", index=(1, 0), threshold=0.0):
    """As in the export: magnitude, and phase = atan(im / re), plus or minus pi where re < 0."""
    constants = {
        "hop": np.int64(5), "window": np.hanning(21)[:20].astype(np.float32), "length": np.int64(20),
        "one": np.int64(index[0]), "none": np.int64(index[1]), "zero": np.float32(threshold), "pi": np.float32(np.pi),
    }  # fmt: skip
    nodes = [
        node("STFT", "x hop window length", "s", onesided=1),
        node("Transpose", "s", "t", perm=[0, 2, 1, 3]),
        node("Gather", "t one", "im", axis=3),
        node("Gather", "t none", "re", axis=3),
        node("Div", "im re", "ratio"),
        node("Atan", "ratio", "angle"),
        node(comparison, "im zero", "up"),
        node("Less", "re zero", "left"),
        node("Add", "angle pi", "plus"),
        node("Sub", "angle pi", "minus"),
        node("Where", "up plus minus", "turned"),
        node("Where", "left turned angle", "phase"),
    ]
    outputs = {"re": [1, 11, "f"], "im": [1, 11, "f"], "phase": [1, 11, "f"]}
    return nodes, {"x": [1, "n"]}, outputs, constants


def test_stft_as_a_convolution_gives_the_spectrum_and_the_angle():
    args = stft_graph()
    g = graph(*args)
    assert stft_to_convolution(g) == 1
    g.drop_unused()
    assert "STFT" not in ops(g)
    x = normal(1, 400)
    re, im, phase = run(g, x=x)
    expected = run(model(*args), x=x)
    np.testing.assert_allclose(re, expected[0], atol=3e-5)
    np.testing.assert_allclose(im, expected[1], atol=3e-5)
    np.testing.assert_array_equal(im[:, [0, -1]], 0)
    angle = np.arctan2(im, re)
    np.testing.assert_allclose(phase, angle, atol=1e-5)
    assert (phase[:, [0, -1]][re[:, [0, -1]] < 0] > 3.14).all() and (re[:, [0, -1]] < 0).any()


@pytest.mark.parametrize(
    "other",
    [{"comparison": "GreaterOrEqual"}, {"threshold": 0.5}, {"index": (1, 1)}],
    ids=["sign rule", "threshold", "parts"],
)
def test_an_stft_whose_sign_rule_is_not_the_known_one_stays(other):
    g = graph(*stft_graph(**other))
    assert stft_to_convolution(g) == 0 and ops(g)["STFT"] == 1


def test_the_fourier_basis_has_exact_zeros():
    basis = fourier_basis(np.hanning(21)[:20])
    assert basis.shape == (22, 20) and not basis[11].any() and not basis[21].any() and basis[0].any()
