"""Reading a part of a tensor out of its flat elements: what lies close is read together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from tfdbg_tui.data.values.slices import Selected

    Array = npt.NDArray[Any]
    Read = Callable[[int, int], Array]
    """Gives the elements between two places in the order of memory."""

TOGETHER = 1 << 18
"""Elements that are read at once at the most, unless they are all wanted."""

GAP = 1024
"""Elements read in vain for each wanted one: to read again elsewhere takes about as long."""


class _Axis(NamedTuple):
    """One dimension of what is wanted, and all behind it."""

    indices: range
    stride: int
    """How far two elements are apart that follow each other in the tensor."""
    lowest: int
    """From index 0 to the first that is wanted, in this dimension and those behind."""
    span: int
    """From there to behind the last."""
    wanted: int
    """How many are."""


def read_window(read: Read, selected: Selected, element: np.dtype[Any]) -> Array:
    """What is selected, in its shape."""
    axes = _axes(selected)
    if not selected.size:
        return np.empty(selected.shape, element)
    if not axes:
        return read(0, 1).reshape(())
    found = np.empty([len(axis.indices) for axis in axes], element)
    _fill(read, found, axes, 0)
    return found.reshape(selected.shape)


def _axes(selected: Selected) -> list[_Axis]:
    axes: list[_Axis] = []
    stride, lowest, span, wanted = 1, 0, 1, 1
    pairs = zip(reversed(selected.axes), reversed(selected.tensor_shape), strict=True)
    for axis, size in pairs:
        indices = range(axis, axis + 1) if isinstance(axis, int) else axis
        if indices:
            first, last = sorted((indices[0], indices[-1]))
            lowest, span = lowest + first * stride, span + (last - first) * stride
            wanted *= len(indices)
        axes.append(_Axis(indices, stride, lowest, span, wanted))
        stride *= size
    return axes[::-1]


def _fill(read: Read, found: Array, axes: list[_Axis], base: int) -> None:
    """Fill an array with what is wanted of the last dimensions; the others give the base."""
    axis, inner = axes[0], axes[1:]
    span, wanted, lowest = (inner[0].span, inner[0].wanted, inner[0].lowest) if inner else (1, 1, 0)
    step = abs(axis.indices.step) * axis.stride
    is_dense = step <= GAP * wanted
    rows = (TOGETHER - span) // step + 1 if is_dense and span <= TOGETHER else 1
    if rows == 1 and inner and wanted > 1:
        for row, index in enumerate(axis.indices):
            _fill(read, found[row], inner, base + index * axis.stride)
        return
    strides = [one.indices.step * one.stride for one in axes]
    begins = sum(one.indices[0] * one.stride for one in inner)
    for row in range(0, len(axis.indices), rows):
        part = axis.indices[row : row + rows]
        start = base + min(part[0], part[-1]) * axis.stride + lowest
        flat = read(start, start + (len(part) - 1) * step + span)
        first = base + part[0] * axis.stride + begins - start
        shape = (len(part), *found.shape[1:])
        found[row : row + rows] = as_strided(
            flat[first:], shape, [stride * flat.itemsize for stride in strides]
        )
