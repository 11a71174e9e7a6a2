"""What a whole recorded tensor holds, in a few numbers: only FULL_TENSOR tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.records.tensors import WrittenTensor

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


def value_facts(written: WrittenTensor | None) -> ValueFacts | None:
    """What a tensor holds, from what is written of it; None if there is none."""
    if written is None:
        return None
    first = tuple(_text(value) for value in _first(written))
    lowest, highest, total, count = np.inf, -np.inf, 0.0, 0
    last = written.numbers(len(written.codes) - 1, len(written.codes))
    weighed = ((piece, 1) for piece in written.pieces())
    for piece, weight in (*weighed, (last, written.repeats)):
        numbers = _finite(piece)
        if len(numbers) and weight:
            lowest, highest = min(lowest, numbers.min()), max(highest, numbers.max())
            with np.errstate(over="ignore", invalid="ignore"):
                total += float(numbers.sum()) * weight
            count += len(numbers) * weight
    if not count:
        return ValueFacts(None, None, None, first)
    return ValueFacts(float(lowest), float(highest), total / count, first)


def _first(written: WrittenTensor) -> list[object]:
    values: list[object] = written.numbers(0, FIRST).tolist()
    return values + values[-1:] * min(FIRST - len(values), written.repeats)


def _finite(flat: npt.NDArray[np.generic]) -> npt.NDArray[np.float64]:
    if flat.dtype.kind not in "biuf":
        return np.empty(0)
    with np.errstate(invalid="ignore"):  # a signalling NaN is a value like any other
        numbers = flat.astype(np.float64)
    return numbers[np.isfinite(numbers)]


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return quoted(value)
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def quoted(string: bytes) -> str:
    """A recorded string in quotes; what could not be shown is escaped."""
    return repr(string)[1:]
