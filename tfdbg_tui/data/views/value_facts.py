"""What a whole recorded tensor holds, in a few numbers: only FULL_TENSOR tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

FIRST = 32
"""Values that are told one by one."""

LARGEST = 1 << 22
"""Bytes of a record that is read whole at a key press."""


class ValueFacts(NamedTuple):
    """The range of the finite numbers, where there are any, and the first values as they are."""

    lowest: float | None
    highest: float | None
    mean: float | None
    first: tuple[str, ...]


def value_facts(values: npt.NDArray[np.generic] | None) -> ValueFacts | None:
    """What a tensor holds; None if there is none."""
    if values is None:
        return None
    flat = values.reshape(-1)
    first = tuple(_text(value) for value in flat[:FIRST].tolist())
    numbers = _finite(flat)
    if not len(numbers):
        return ValueFacts(None, None, None, first)
    with np.errstate(over="ignore"):
        mean = float(numbers.mean())
    return ValueFacts(float(numbers.min()), float(numbers.max()), mean, first)


def _finite(flat: npt.NDArray[np.generic]) -> npt.NDArray[np.float64]:
    if flat.dtype.kind not in "biuf":
        return np.empty(0)
    numbers = flat.astype(np.float64)
    return numbers[np.isfinite(numbers)]


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return repr(value)[1:]
    return f"{value:.4g}" if isinstance(value, float) else str(value)
