"""Weights of the model: floats, or one byte each with a scale and a zero point.

A bundle lays weights out differently from an export (transposed, with an extra axis, side by side). Each such operation
is defined here for both kinds, so that one-byte weights stay one-byte weights. Where that is impossible the result is a
float weight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.generic]


@dataclass(frozen=True)
class Quantization:
    """One byte per value: `value = (codes - zero_point) * scale`.

    `scale` and `zero_point` have the rank of `codes` and broadcast to it, with at most one axis longer than 1.
    """

    codes: NDArray[np.uint8]
    scale: NDArray[np.float32]
    zero_point: NDArray[np.uint8]

    def expand(self) -> NDArray[np.float32]:
        """The values, in the float32 arithmetic that the library uses when it loads the bundle."""
        centred = self.codes.astype(np.int16) - self.zero_point.astype(np.int16)
        return centred.astype(np.float32) * self.scale

    @property
    def axis(self) -> int | None:
        """The axis along which the scale varies; None for one scale per tensor."""
        long_axes = [i for i, n in enumerate(self.scale.shape) if n > 1]
        return long_axes[0] if long_axes else None


class Weight:
    """A constant of the graph, with its smallest lossless storage form."""

    def __init__(
        self, array: Array | None = None, quantization: Quantization | None = None, half: bool = False
    ) -> None:
        """Takes either an array or a quantization. `half`: the values were float16, and are stored so."""
        if (array is None) == (quantization is None):
            raise ValueError("a weight is either an array or quantized")
        self._array = array
        self.quantization = quantization
        self.half = half and quantization is None

    @classmethod
    def quantized(cls, codes: Array, scale: Array, zero_point: Array | None, axis: int | None) -> Weight:
        """From the operands of an ONNX quantized operator: int8 or uint8 codes, and one scale per tensor or along
        `axis`."""
        scale = np.asarray(scale, np.float32)
        zero = np.zeros(scale.shape, codes.dtype) if zero_point is None else np.asarray(zero_point)
        if codes.dtype == np.int8:
            codes, zero = _as_unsigned(codes), _as_unsigned(zero.astype(np.int8))
        shape = [1] * codes.ndim
        if scale.size > 1:
            if axis is None:
                raise ValueError("several scales but no axis")
            shape[axis] = scale.size
        zero = np.broadcast_to(zero.reshape(-1), (scale.size,))
        return cls(quantization=Quantization(codes, scale.reshape(shape), zero.astype(np.uint8).reshape(shape)))

    @property
    def shape(self) -> tuple[int, ...]:
        return self.quantization.codes.shape if self.quantization else self._array.shape  # type: ignore[union-attr]

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(np.float32) if self.quantization else self._array.dtype  # type: ignore[union-attr]

    def value(self) -> Array:
        return self.quantization.expand() if self.quantization else self._array  # type: ignore[return-value,union-attr]

    def transposed(self, permutation: list[int]) -> Weight:
        return self._laid_out(lambda a: np.transpose(a, permutation))

    def with_axis(self, axis: int) -> Weight:
        """The same weight with an extra axis of length 1."""
        return self._laid_out(lambda a: np.expand_dims(a, axis))

    def columns(self, span: slice) -> Weight:
        """Some columns of a matrix."""
        q = self.quantization
        if q is None:
            return Weight(self._array[:, span], half=self.half)  # type: ignore[index]
        scale, zero = (p[:, span] if q.axis == 1 else p for p in (q.scale, q.zero_point))
        return Weight(quantization=Quantization(q.codes[:, span], scale, zero))

    def taken(self, axis: int, index: int) -> Weight:
        """The slice at one index of `axis`, without that axis."""
        q = self.quantization
        if q is None:
            return Weight(np.take(self._array, index, axis), half=self.half)  # type: ignore[arg-type]
        parts = (np.take(part, index if part.shape[axis] > 1 else 0, axis) for part in (q.codes, q.scale, q.zero_point))
        return Weight(quantization=Quantization(*parts))

    def padded(self, axis: int, size: int) -> Weight:
        """The weight zero-padded along `axis` to `size`."""
        missing = size - self.shape[axis]
        if missing == 0:
            return self
        q = self.quantization
        if q is None:
            return Weight(_extended(self._array, axis, missing), half=self.half)  # type: ignore[arg-type]
        parts = [q.scale, q.zero_point]
        if q.axis == axis:
            parts = [_extended(part, axis, missing) for part in parts]
        shape = [*q.codes.shape]
        shape[axis] = size
        codes = np.broadcast_to(parts[1], shape).copy()
        codes[tuple(slice(0, n) for n in q.codes.shape)] = q.codes
        return Weight(quantization=Quantization(codes, *parts))

    def _laid_out(self, layout: Callable[[Array], Array]) -> Weight:
        q = self.quantization
        if q is None:
            return Weight(np.ascontiguousarray(layout(self._array)), half=self.half)
        parts = (np.ascontiguousarray(layout(part)) for part in (q.codes, q.scale, q.zero_point))
        return Weight(quantization=Quantization(*parts))


def concatenated(weights: list[Weight], axis: int) -> Weight:
    """The weights side by side along `axis`."""
    quantizations = [w.quantization for w in weights]
    if all(q is not None and q.axis in (None, axis) for q in quantizations):
        return Weight(quantization=_concatenated_codes(quantizations, axis))  # type: ignore[arg-type]
    half = all(w.half for w in weights)
    return Weight(np.concatenate([w.value() for w in weights], axis), half=half)


def _concatenated_codes(parts: list[Quantization], axis: int) -> Quantization:
    def along(part: Quantization, values: Array) -> Array:
        shape = [1] * part.codes.ndim
        shape[axis] = part.codes.shape[axis]
        return np.broadcast_to(values, shape)

    return Quantization(
        np.concatenate([p.codes for p in parts], axis),
        np.concatenate([along(p, p.scale) for p in parts], axis),
        np.concatenate([along(p, p.zero_point) for p in parts], axis),
    )


def _extended(array: Array, axis: int, zeros: int) -> Array:
    widths = [(0, 0)] * array.ndim
    widths[axis] = (0, zeros)
    return np.pad(array, widths)


def _as_unsigned(values: NDArray[np.int8]) -> NDArray[np.uint8]:
    return (values.astype(np.int16) + 128).astype(np.uint8)
