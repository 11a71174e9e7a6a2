"""What a record says about the health of a tensor, in each mode of the recorder."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.records.tensors import dtype_name, to_array

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt


class Mode(IntEnum):
    """What the recorder was told to keep of each tensor."""

    UNSPECIFIED = 0
    NO_TENSOR = 1
    CURT_HEALTH = 2
    CONCISE_HEALTH = 3
    FULL_HEALTH = 4
    SHAPE = 5
    FULL_NUMERICS = 6
    FULL_TENSOR = 7
    REDUCE_INF_NAN_THREE_SLOTS = 8


class Bad(IntFlag):
    """Which kinds of bad number a tensor holds."""

    NONE = 0
    NEG_INF = 1
    POS_INF = 2
    NAN = 4
    UNTOLD = 8
    """Some ∞ or NaN; CURT_HEALTH does not tell which."""


VECTOR_LENGTH = {
    Mode.CURT_HEALTH: 2,
    Mode.CONCISE_HEALTH: 5,
    Mode.FULL_HEALTH: 11,
    Mode.SHAPE: 10,
}
"""Numbers in the health vector of each mode that writes one."""

BAD_COLUMNS = {
    Mode.CURT_HEALTH: ((1, Bad.UNTOLD),),
    Mode.CONCISE_HEALTH: ((2, Bad.NEG_INF), (3, Bad.POS_INF), (4, Bad.NAN)),
    Mode.FULL_HEALTH: ((5, Bad.NEG_INF), (6, Bad.POS_INF), (7, Bad.NAN)),
}
"""Where a health vector counts bad numbers."""

RECORDED_DIMENSIONS = 6
"""SHAPE writes the last six dimensions of a tensor."""

DT_DOUBLE = 2


def mode_name(number: int) -> str:
    """The recorder's name of a mode."""
    try:
        return Mode(number).name
    except ValueError:
        return f"MODE_{number}"


@dataclass(frozen=True, slots=True)
class Health:
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
    if mode == Mode.FULL_TENSOR:
        values = to_array(proto)
        return None if values is None else health_of_values(values, dtype_name(proto.dtype))
    if mode not in VECTOR_LENGTH or proto.dtype != DT_DOUBLE:
        return None
    vector = to_array(proto)
    if vector is None or vector.size != VECTOR_LENGTH[Mode(mode)]:
        return None
    return health_of_vector(Mode(mode), vector.ravel().tolist())


def health_of_vector(mode: Mode, numbers: Sequence[float]) -> Health:
    """What a health vector means; a number that is no count is not told."""
    bad = Bad.NONE
    for column, kind in BAD_COLUMNS.get(mode, ()):
        if numbers[column]:
            bad |= kind
    vector = [int(number) if math.isfinite(number) else None for number in numbers]
    if mode is Mode.CURT_HEALTH:
        return Health(bad=bad, tensor_id=vector[0])
    if mode is Mode.CONCISE_HEALTH:
        _, size, neg_inf, pos_inf, nan = vector
        return Health(
            bad=bad, tensor_id=vector[0], size=size, neg_inf=neg_inf, pos_inf=pos_inf, nan=nan
        )
    if mode is Mode.SHAPE:
        tensor_id, dtype, rank, size, *dimensions = vector
        return Health(
            tensor_id=tensor_id,
            dtype=None if dtype is None else dtype_name(dtype),
            rank=rank,
            shape=_recorded_shape(rank, dimensions),
            size=size,
        )
    tensor_id, device, dtype, rank, size, neg_inf, pos_inf, nan, negative, zero, positive = vector
    return Health(
        bad=bad,
        tensor_id=tensor_id,
        device_id=device,
        dtype=None if dtype is None else dtype_name(dtype),
        rank=rank,
        size=size,
        neg_inf=neg_inf,
        pos_inf=pos_inf,
        nan=nan,
        negative=negative,
        zero=zero,
        positive=positive,
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
    counted = replace(
        stated, bad=bad, neg_inf=_count(below), pos_inf=_count(above), nan=_count(nan)
    )
    if values.dtype.kind == "c":  # a complex number has no sign
        return counted
    finite = ~(nan | infinite)
    return replace(
        counted,
        negative=_count(finite & (values < 0)),
        zero=_count(values == 0),
        positive=_count(finite & (values > 0)),
    )


def _count(mask: npt.NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(mask))
