"""The modes of the recorder, and what each of them tells of a tensor.

Most modes write a *health vector*, a few numbers for each tensor, in an order of their own.
FULL_TENSOR writes the tensor itself, from which all the numbers can be counted. What a mode
tells follows from the fields of its vector; all other modules ask here.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache


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


NUMBERS = (
    "dtype",
    "rank",
    "size",
    "neg_inf",
    "pos_inf",
    "nan",
    "negative",
    "zero",
    "positive",
)
"""What can be told of a tensor as a number, in the order of a FULL_HEALTH vector."""

ANY_BAD = "any_bad"
"""Not 0 if any element is ∞ or NaN; which of them is not told."""

DIMENSION = "dimension"

RECORDED_DIMENSIONS = 6
"""SHAPE writes the last six dimensions of a tensor."""

VECTOR_FIELDS: dict[Mode, tuple[str, ...]] = {
    Mode.CURT_HEALTH: ("tensor_id", ANY_BAD),
    Mode.CONCISE_HEALTH: ("tensor_id", "size", "neg_inf", "pos_inf", "nan"),
    Mode.FULL_HEALTH: ("tensor_id", "device_id", *NUMBERS),
    Mode.SHAPE: ("tensor_id", "dtype", "rank", "size", *[DIMENSION] * RECORDED_DIMENSIONS),
}
"""What the numbers of the health vector mean, for each mode that writes one."""

VECTOR_LENGTH = {mode: len(fields) for mode, fields in VECTOR_FIELDS.items()}
"""How many numbers that are."""

BAD_FIELDS = (ANY_BAD, "neg_inf", "pos_inf", "nan")
"""What tells whether a tensor holds ∞ or NaN."""

BY_DETAIL = (
    Mode.FULL_TENSOR,
    Mode.FULL_HEALTH,
    Mode.CONCISE_HEALTH,
    Mode.CURT_HEALTH,
    Mode.SHAPE,
    Mode.NO_TENSOR,
)
"""The modes that today's TensorFlow offers; the one that tells most comes first."""


def mode_name(number: int) -> str:
    """The recorder's name of a mode."""
    try:
        return Mode(number).name
    except ValueError:
        return f"MODE_{number}"


def told_by(mode: int) -> frozenset[str]:
    """What a mode tells of a tensor: names of `NUMBERS`, and more that its vector has."""
    if tells_values(mode):
        return frozenset(NUMBERS)
    return frozenset(VECTOR_FIELDS[Mode(mode)]) if mode in VECTOR_FIELDS else frozenset()


@lru_cache(maxsize=64)  # it is asked for every site, and there are few modes
def tells_bad(mode: int) -> bool:
    """Whether a mode tells that a tensor holds ∞ or NaN."""
    return not told_by(mode).isdisjoint(BAD_FIELDS)


def tells_values(mode: int) -> bool:
    """Whether a mode records the elements of a tensor themselves."""
    return mode == Mode.FULL_TENSOR


def records_tensors(mode: int) -> bool:
    """Whether a mode records anything of a tensor but that it was computed.

    A mode that this program does not know is taken for one that does.
    """
    return mode not in (Mode.UNSPECIFIED, Mode.NO_TENSOR)
