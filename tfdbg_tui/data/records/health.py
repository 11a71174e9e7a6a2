"""What a record says about the health of a tensor, in each mode of the recorder."""

from __future__ import annotations

import math
from enum import IntFlag
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tfdbg_tui.data.records.modes import (
    ANY_BAD,
    RECORDED_DIMENSIONS,
    VECTOR_FIELDS,
    VECTOR_LENGTH,
    Mode,
    tells_bad,
    tells_values,
    told_by,
)
from tfdbg_tui.data.records.tensors import dtype_name, to_array

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt


class Bad(IntFlag):
    """Which kinds of bad number a tensor holds."""

    NONE = 0
    NEG_INF = 1
    POS_INF = 2
    NAN = 4
    UNTOLD = 8
    """Some ∞ or NaN; CURT_HEALTH does not tell which."""


BAD_OF_FIELD = {
    ANY_BAD: Bad.UNTOLD,
    "neg_inf": Bad.NEG_INF,
    "pos_inf": Bad.POS_INF,
    "nan": Bad.NAN,
}
"""The kind of bad number that a field of a health vector counts."""

BAD_COLUMNS = {
    mode: tuple(
        (column, BAD_OF_FIELD[field])
        for column, field in enumerate(fields)
        if field in BAD_OF_FIELD
    )
    for mode, fields in VECTOR_FIELDS.items()
    if tells_bad(mode)
}
"""Where a health vector counts bad numbers."""

DT_DOUBLE = 2

USUAL_VECTOR = {mode: Struct(f"<{length}d") for mode, length in VECTOR_LENGTH.items()}
"""How the recorder writes a health vector; the format allows other encodings, too."""


def bad_told_by(mode: int) -> Bad:
    """The kinds of bad number that a mode tells apart."""
    told = Bad.NONE
    for field in told_by(mode).intersection(BAD_OF_FIELD):
        told |= BAD_OF_FIELD[field]
    return told


class Health(NamedTuple):
    """What is recorded of one tensor; None is what the mode does not tell."""

    bad: Bad = Bad.NONE
    tensor_id: int | None = None
    device_id: int | None = None
    dtype: str | None = None
    rank: int | None = None
    shape: tuple[int | None, ...] | None = None
    """Dimensions; a leading None stands for those that SHAPE leaves out."""
    size: int | None = None
    neg_inf: int | None = None
    pos_inf: int | None = None
    nan: int | None = None
    negative: int | None = None
    zero: int | None = None
    positive: int | None = None


def read_health(mode: int, proto: Any) -> Health | None:
    """The health that a recorded TensorProto states or, in FULL_TENSOR, has; None if nothing."""
    if tells_values(mode):
        values = to_array(proto)
        return None if values is None else health_of_values(values, dtype_name(proto.dtype))
    if mode not in VECTOR_LENGTH or proto.dtype != DT_DOUBLE:
        return None
    numbers = _vector(proto, USUAL_VECTOR[Mode(mode)])
    return None if numbers is None else health_of_vector(Mode(mode), numbers)


def _vector(proto: Any, usual: Struct) -> Sequence[float] | None:
    """The numbers of a health vector; None if there are not as many as there should be."""
    content, dimensions = proto.tensor_content, proto.tensor_shape.dim
    if len(dimensions) == 1 and len(content) == usual.size == 8 * dimensions[0].size:
        return usual.unpack(content)
    vector = to_array(proto)
    fits = vector is not None and 8 * vector.size == usual.size
    return vector.ravel().tolist() if vector is not None and fits else None


def health_of_vector(mode: Mode, numbers: Sequence[float]) -> Health:
    """What a health vector means; a number that is no count is not told."""
    bad = Bad.NONE
    for column, kind in BAD_COLUMNS.get(mode, ()):
        if numbers[column]:
            bad |= kind
    vector = [int(number) if math.isfinite(number) else None for number in numbers]
    told = dict(zip(VECTOR_FIELDS[mode], vector, strict=True))
    dtype, rank = told.get("dtype"), told.get("rank")
    return Health(
        bad=bad,
        tensor_id=told.get("tensor_id"),
        device_id=told.get("device_id"),
        dtype=None if dtype is None else dtype_name(dtype),
        rank=rank,
        shape=_recorded_shape(rank, vector[-RECORDED_DIMENSIONS:]) if mode is Mode.SHAPE else None,
        size=told.get("size"),
        neg_inf=told.get("neg_inf"),
        pos_inf=told.get("pos_inf"),
        nan=told.get("nan"),
        negative=told.get("negative"),
        zero=told.get("zero"),
        positive=told.get("positive"),
    )


def _recorded_shape(
    rank: int | None, dimensions: list[int | None]
) -> tuple[int | None, ...] | None:
    if rank is None or rank < 0:
        return None
    return tuple(dimensions[:rank] if rank <= RECORDED_DIMENSIONS else [None, *dimensions])


def health_of_values(values: npt.NDArray[Any], dtype: str) -> Health:
    """The health of a tensor whose values are all there.

    A complex element is NaN if a part is; a complex ∞ counts as -∞ only if its real part is.
    """
    stated = Health(dtype=dtype, rank=values.ndim, shape=values.shape, size=values.size)
    if values.dtype.kind not in "fc":
        return stated
    nan = np.isnan(values)
    infinite = np.isinf(values) & ~nan
    below = np.isneginf(values.real) & infinite
    above = infinite & ~below
    bad = Bad.NONE
    for kind, mask in ((Bad.NEG_INF, below), (Bad.POS_INF, above), (Bad.NAN, nan)):
        if mask.any():
            bad |= kind
    counted = stated._replace(
        bad=bad, neg_inf=_count(below), pos_inf=_count(above), nan=_count(nan)
    )
    if values.dtype.kind == "c":  # a complex number has no sign
        return counted
    finite = ~(nan | infinite)
    return counted._replace(
        negative=_count(finite & (values < 0)),
        zero=_count(values == 0),
        positive=_count(finite & (values > 0)),
    )


def _count(mask: npt.NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(mask))
