"""What can be said of elements by their type: which are bad, which have a sign."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt


def may_be_bad(element: np.dtype[Any]) -> bool:
    """Whether elements of a kind can be NaN or ∞ at all."""
    return element.kind in "fc"


def is_number(element: np.dtype[Any]) -> bool:
    """Whether elements of a kind are numbers; a string is none."""
    return element.kind in "biufc"


def bad_among(values: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which elements are NaN or ∞; of a complex number either part counts."""
    if not may_be_bad(values.dtype):
        return np.zeros(values.shape, np.bool_)
    found: npt.NDArray[np.bool_] = ~np.isfinite(values)
    return found


def plain_numbers(values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Elements as numbers that can be measured: of complex ones the magnitude.

    A magnitude is ∞ where a part is, and NaN where a part is and none is ∞.
    """
    with np.errstate(invalid="ignore", over="ignore"):  # a signalling NaN is like any other
        numbers = np.abs(values) if values.dtype.kind == "c" else values
        return numbers.astype(np.float64)
