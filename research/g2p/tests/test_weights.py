"""The file of weights."""

import numpy as np
from g2p.weights import packed, quantized, quantized_table, rounded


def test_eight_bits_keep_each_column_within_half_a_step():
    matrix = np.random.default_rng(1).normal(size=(50, 7)).astype(np.float32) * np.arange(7)
    scales, numbers = quantized(matrix)
    assert numbers.dtype == np.int8
    assert (np.abs(numbers * scales - matrix) <= 0.501 * scales).all()


def test_vectors_are_kept():
    parameters = {"norm": np.ones(3) / 3, "0.attention.distance": np.ones((2, 3)) / 3}
    for name, value in rounded(parameters).items():
        assert (value == parameters[name].astype(np.float32)).all()


def test_two_columns_of_a_table_share_a_byte():
    table = np.random.default_rng(1).normal(size=(9, 6)).astype(np.float32)
    _, numbers = quantized_table(table)
    halves = packed(numbers)
    assert halves.shape == (9, 3)
    assert (np.stack([halves & 15, halves >> 4], -1).reshape(9, 6).astype(int) - 8 == numbers).all()
