"""How much an expression may be, do and hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_SOURCE = 1_000
"""Characters of an expression."""

MAX_NODES = 200
"""Parts of an expression."""

MAX_DEPTH = 40
"""Parts inside parts."""

MAX_BYTES = 1 << 28
"""Bytes of one array."""

MAX_WORK = 1 << 31
"""Bytes of all arrays that an expression makes, one after the other."""

MAX_PRODUCTS = 1 << 31
"""Products that one matrix product adds up."""

WORD = 63
"""Bits of a whole number."""

ELEMENT = 16
"""Bytes of an element, at most."""


def refuse_many(elements: float) -> None:
    """Raise CommandError if so many elements are too many for one array."""
    if elements * ELEMENT > MAX_BYTES:
        raise CommandError(
            f"That would be {elements:,.12g} elements at once; at most {MAX_BYTES // ELEMENT:,} "
            "are computed. Choose a part by a slice in the backquotes: `name:0[0:100]`."
        )


def size_of(value: object) -> int:
    """How many elements a value has."""
    return int(np.size(value)) if isinstance(value, (np.ndarray, tuple)) else 1


def shape_of(value: object) -> tuple[int, ...]:
    """The shape of a value."""
    return value.shape if isinstance(value, np.ndarray) else ()


def broadcast_size(values: Sequence[object]) -> float:
    """How many elements come of values that are spread over each other."""
    shape = np.broadcast_shapes(*map(shape_of, values))
    return float(np.prod(shape, dtype=np.float64))


def refuse_power(base: object, exponent: object) -> None:
    """Raise CommandError for a power of whole numbers that is no number of 64 bits."""
    if isinstance(base, int) and isinstance(exponent, int):
        bits = max(base.bit_length() - 1, 0) * max(exponent, 0)
        if bits > WORD or (abs(base) > 1 and exponent > WORD):
            raise CommandError("That power is larger than whole numbers of 64 bits go.")


def refuse_shift(shift: object) -> None:
    """Raise CommandError for a shift beyond the bits of a whole number."""
    if isinstance(shift, int) and not 0 <= shift <= WORD:
        raise CommandError(f"Whole numbers are shifted by 0 to {WORD} bits, not by {shift:,}.")


def refuse_product(left: Any, right: Any) -> None:
    """Raise CommandError for a product of matrices that would take very long."""
    rows, columns = shape_of(left), shape_of(right)
    if not rows or not columns:
        raise CommandError("@ multiplies matrices and vectors, not single numbers.")
    inner = max(rows[-1], 1)
    elements = float(np.size(left)) * float(np.size(right)) / inner  # as an upper bound
    if elements * inner > MAX_PRODUCTS:
        raise CommandError("That product of matrices is larger than is computed here.")
    refuse_many(elements / inner)


def checked(value: Any) -> Any:
    """A value that was computed, if it is one that may go on."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > WORD:
        raise CommandError("That is larger than whole numbers of 64 bits go.")
    if isinstance(value, np.ndarray) and value.nbytes > MAX_BYTES:
        refuse_many(value.nbytes / ELEMENT)
    return value


def told_limits() -> str:
    """What an expression may be, in words."""
    return f"{counted(MAX_SOURCE, 'character')} and {counted(MAX_NODES, 'part')}"
