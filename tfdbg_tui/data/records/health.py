"""What a record says about the health of a tensor, in each mode of the recorder."""

from __future__ import annotations

import math
from enum import IntFlag
from operator import itemgetter
from struct import Struct
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.records.modes import (
    ANY_BAD,
    NUMBERS,
    RECORDED_DIMENSIONS,
    VECTOR_FIELDS,
    VECTOR_LENGTH,
    Mode,
    tells_bad,
    tells_values,
    told_by,
)
from tfdbg_tui.data.records.tensors import (
    MAX_DECODED,
    MAX_RANK,
    dtype_name,
    may_be_bad,
    to_array,
    written_tensor,
)
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.records.tensors import WrittenTensor


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

BEYOND_COUNTING = 2.0**63
"""No tensor has so many elements; a number of them that is larger, or negative, is no count."""

_COLUMNS = {
    mode: (
        tuple(-1.0 if field in NUMBERS else -BEYOND_COUNTING for field in fields),
        itemgetter(
            *(
                fields.index(field) if field in fields else len(fields)
                for field in ("tensor_id", "device_id", *NUMBERS)
            )
        ),
    )
    for mode, fields in VECTOR_FIELDS.items()
}
"""What each number of a health vector is larger than, and what takes out of a vector, with a None
behind it, what `Health` tells: a number that is no count is not told."""

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
    unread: int = 0
    """Elements of a whole tensor that were not looked at: it is written in too many values."""


def read_health(mode: int, proto: Any) -> Health | None:
    """The health that a recorded TensorProto states or, in FULL_TENSOR, has; None if nothing."""
    if tells_values(mode):
        # What has no ∞ and no NaN is only measured.
        most = MAX_DECODED if may_be_bad(proto.dtype) else 0
        written = written_tensor(proto, most)
        return None if written is None else health_of_tensor(written)
    if mode not in VECTOR_LENGTH or proto.dtype != DT_DOUBLE:
        return None
    known = Mode(mode)
    numbers = _vector(proto, USUAL_VECTOR[known])
    return None if numbers is None else health_of_vector(known, numbers)


def _vector(proto: Any, usual: Struct) -> Sequence[float] | None:
    """The numbers of a health vector; None if there are not as many as there should be."""
    content, dimensions = proto.tensor_content, proto.tensor_shape.dim
    if len(dimensions) == 1 and len(content) == usual.size == 8 * dimensions[0].size:
        return usual.unpack(content)
    sizes = [dimension.size for dimension in dimensions[: MAX_RANK + 1]]
    if 8 * math.prod(sizes) != usual.size:
        return None
    vector = to_array(proto)
    return None if vector is None else vector.ravel().tolist()


def health_of_vector(mode: Mode, numbers: Sequence[float]) -> Health:
    """What a health vector means; a number that is no count is not told."""
    bad = 0  # combined as a plain number: an IntFlag takes as long as all the rest
    for column, kind in BAD_COLUMNS.get(mode, ()):
        if numbers[column]:
            bad |= kind.value
    lowest, pick = _COLUMNS[mode]
    known = [
        int(number) if low < number < BEYOND_COUNTING else None
        for number, low in zip(numbers, lowest, strict=True)
    ]
    known.append(None)
    tensor_id, device_id, dtype, rank, size, *counts = pick(known)
    return Health(
        Bad(bad),
        tensor_id,
        device_id,
        None if dtype is None else dtype_name(dtype),
        rank,
        _recorded_shape(rank, known[-1 - RECORDED_DIMENSIONS : -1]) if mode is Mode.SHAPE else None,
        size,
        *counts,
    )


def _recorded_shape(
    rank: int | None, dimensions: list[int | None]
) -> tuple[int | None, ...] | None:
    if rank is None or rank < 0:
        return None
    return tuple(dimensions[:rank] if rank <= RECORDED_DIMENSIONS else [None, *dimensions])


class Counts(NamedTuple):
    """How many numbers there are of each kind."""

    neg_inf: int
    pos_inf: int
    nan: int
    negative: int
    zero: int
    positive: int


def health_of_tensor(written: WrittenTensor) -> Health:
    """The health of a tensor from its written values and the weight of the last.

    A complex element is NaN if a part is; a complex ∞ counts as -∞ only if its real part is.
    """
    dtype, shape, size = written[:3]
    stated = Health(dtype=dtype, rank=len(shape), shape=shape, size=size)
    if not written.may_be_bad:
        return stated
    with np.errstate(invalid="ignore"):  # a signalling NaN is a value like any other
        counts = _weighed_counts(written)
    bad = Bad.NONE
    for kind, count in ((Bad.NEG_INF, counts.neg_inf), (Bad.POS_INF, counts.pos_inf)):
        bad |= kind if count else Bad.NONE
    bad |= Bad.NAN if counts.nan else Bad.NONE
    told = counts._asdict()
    if written.codes.dtype.kind == "c":  # a complex number has no sign
        told = dict(list(told.items())[:3])
    return stated._replace(bad=bad, unread=written.unread, **told)


def _weighed_counts(written: WrittenTensor) -> Counts:
    totals = [0] * len(Counts._fields)
    for numbers in written.pieces():
        counts = counted_numbers(numbers)
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
    if written.repeats:
        last = counted_numbers(written.numbers(len(written.codes) - 1, len(written.codes)))
        totals = [total + written.repeats * one for total, one in zip(totals, last, strict=True)]
    return Counts(*totals)


def counted_numbers(values: npt.NDArray[Any]) -> Counts:
    """How many of some numbers are of each kind; a complex number has no sign."""
    nan = np.isnan(values)
    infinite = np.isinf(values) & ~nan
    below = np.isneginf(values.real) & infinite
    if values.dtype.kind == "c":
        signs = (0, 0, 0)
    else:
        finite = ~(nan | infinite)
        signs = (_count(finite & (values < 0)), _count(values == 0), _count(finite & (values > 0)))
    return Counts(_count(below), _count(infinite & ~below), _count(nan), *signs)


def _count(mask: npt.NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(mask))
