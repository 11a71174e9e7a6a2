"""The functions of numpy that may be called, each with what is bounded before it is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.expressions.limits import (
    broadcast_size,
    refuse_many,
    refuse_power,
    refuse_product,
    refuse_shift,
    size_of,
)
from tfdbg_tui.command_line.expressions.names import AS_LARGE, ELEMENTWISE, REDUCING
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Bound = Callable[[Sequence[Any]], None]

MAX_BINS = 100_000
"""Bins of a histogram."""


MAX_DECIMALS = 300
"""Decimals that a number can have."""

MAX_SHARES = 1_000
"""Quantiles of an array."""


class Function(NamedTuple):
    """A function that may be called."""

    call: Callable[..., Any]
    bound: Bound
    """Raises CommandError if its result would be too much."""


def _spread(arguments: Sequence[Any]) -> None:
    """For what is done element by element."""
    refuse_many(broadcast_size(arguments))


def _as_large(arguments: Sequence[Any]) -> None:
    """For what gives no more than it gets."""
    refuse_many(sum(map(size_of, arguments)))


def _added(arguments: Sequence[Any]) -> None:
    """For what puts arrays together, which stand in a tuple."""
    parts = arguments[0] if arguments and isinstance(arguments[0], (tuple, list)) else arguments
    refuse_many(sum(map(size_of, parts)))


def _indices(arguments: Sequence[Any]) -> None:
    """For what gives an index for each dimension of what it finds."""
    refuse_many(sum(size_of(one) * max(np.ndim(one), 1) for one in arguments))


def _product(arguments: Sequence[Any]) -> None:
    sizes = [float(size_of(one)) for one in arguments]
    refuse_many(float(np.prod(sizes)))


def _repeated(arguments: Sequence[Any]) -> None:
    times = [float(np.sum(np.abs(one))) for one in arguments[1:2]]
    several = [float(np.prod(np.abs(np.asarray(one, np.float64)))) for one in arguments[1:2]]
    refuse_many(size_of(arguments[0]) * max([1.0, *times, *several]) if arguments else 0)


def _of_shape(arguments: Sequence[Any]) -> None:
    shape = np.asarray(arguments[-1] if len(arguments) > 1 else arguments[0], np.float64)
    refuse_many(float(np.prod(np.abs(shape))))


def _made(arguments: Sequence[Any]) -> None:
    """For zeros, ones and full: the shape comes first."""
    refuse_many(float(np.prod(np.abs(np.asarray(arguments[0], np.float64)))) if arguments else 0)


def _counted_up(arguments: Sequence[Any]) -> None:
    numbers = [float(one) for one in arguments]
    start, stop, step = (0.0, *numbers, 1.0) if len(numbers) == 1 else (*numbers, 1.0)[:3]
    if not step:
        raise CommandError("np.arange needs a step that is not 0.")
    refuse_many(abs((stop - start) / step))


def _linear(arguments: Sequence[Any]) -> None:
    refuse_many(float(arguments[2]) if len(arguments) > 2 else 50)


def _power(arguments: Sequence[Any]) -> None:
    _spread(arguments)
    if len(arguments) == 2:
        refuse_power(*arguments)


def _shift(arguments: Sequence[Any]) -> None:
    _spread(arguments)
    refuse_shift(arguments[1] if len(arguments) > 1 else 0)


def _multiplied(arguments: Sequence[Any]) -> None:
    if len(arguments) == 2:
        refuse_product(*arguments)


def _binned(arguments: Sequence[Any]) -> None:
    bins = arguments[1] if len(arguments) > 1 else 10
    if size_of(bins) == 1 and not 0 < float(bins) <= MAX_BINS:
        raise CommandError(f"np.histogram makes 1 to {MAX_BINS:,} bins.")


def _once(arguments: Sequence[Any]) -> None:
    """For differences, which could be asked for a billion times over."""
    if len(arguments) > 1:
        raise CommandError("np.diff takes one array here, and axis.")


def _few_shares(arguments: Sequence[Any]) -> None:
    """For quantiles, of which a list may be asked for."""
    if len(arguments) > 1 and size_of(arguments[1]) > MAX_SHARES:
        raise CommandError(f"At most {MAX_SHARES:,} quantiles are told at once.")


BOUNDED: dict[str, Bound] = {
    "power": _power,
    "float_power": _power,
    "left_shift": _shift,
    "right_shift": _shift,
    "matmul": _multiplied,
    "dot": _multiplied,
    "outer": _product,
    "kron": _product,
    "repeat": _repeated,
    "tile": _repeated,
    "broadcast_to": _of_shape,
    "concatenate": _added,
    "stack": _added,
    "hstack": _added,
    "vstack": _added,
    "zeros": _made,
    "ones": _made,
    "full": _made,
    "arange": _counted_up,
    "linspace": _linear,
    "histogram": _binned,
    "diff": _once,
    "nonzero": _indices,
    "argwhere": _indices,
    **dict.fromkeys(("quantile", "percentile", "nanquantile", "nanpercentile"), _few_shares),
}


def functions() -> Mapping[str, Function]:
    """All functions by their names."""
    bounds: dict[str, Bound] = dict.fromkeys(ELEMENTWISE, _spread)
    bounds |= dict.fromkeys(REDUCING, _nothing) | dict.fromkeys(AS_LARGE, _as_large) | BOUNDED
    found = ((name, getattr(np, name, None)) for name in bounds)
    known = {name: Function(call, bounds[name]) for name, call in found if call is not None}
    known["norm"] = Function(partial(np.linalg.norm, ord=None), _nothing)
    known["astype"] = Function(_as_type, _as_large)
    for name in ("round", "around"):
        known[name] = Function(_rounded, _spread)
    return known


def _nothing(arguments: Sequence[Any]) -> None:
    """For what gives less than it gets."""


def _rounded(array: Any, decimals: int = 0) -> Any:
    if abs(decimals) > MAX_DECIMALS:
        raise CommandError(f"Numbers are rounded to at most {MAX_DECIMALS} decimals.")
    return np.round(array, decimals)


def _as_type(array: Any, dtype: Any) -> Any:
    return np.asarray(array).astype(np.dtype(dtype))
