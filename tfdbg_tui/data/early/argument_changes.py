"""What was different between two calls of a function, as far as it is recorded."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.tf_names import is_branch
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.records.health import Health

MAX_ARGUMENTS = 32
"""Arguments that are compared."""

MAX_TENSORS = 64
"""Tensors inside the two calls that are compared where arguments tell nothing."""

PAD = "Pad to one shape, or give the function an input_signature or reduce_retracing=True."
CAST = "Convert arguments to one element type before the call."
PYTHON = (
    "A Python number, string or object is part of what a trace is made for: pass numbers as "
    "tensors, and make the function once, outside of the loop."
)


class Change(NamedTuple):
    """What changed, and what helps."""

    words: str
    means: str
    is_known: bool
    """Whether it is something that is recorded."""


def what_changed(index: HostIndex, before: int, now: int) -> Change:
    """What changed from one call to another one of the same function."""
    for one, other, name in (*_arguments(index, before, now), *_inside(index, before, now)):
        if one.dtype != other.dtype:
            return Change(f"{name} was {one.dtype}, now {other.dtype}", CAST, True)
        if (one.shape, one.rank, one.size) != (other.shape, other.rank, other.size):
            words = f"{name} had {_shape(one)}, now {_shape(other)}"
            return Change(words, PAD, True)
    inputs = [len(index.joins.inputs_of(call)) for call in (before, now)]
    words = "nothing that is recorded changed, so a Python argument did"
    if inputs[0] != inputs[1]:
        words = f"it took {inputs[0]} tensors, now {inputs[1]}"
    return Change(words, PYTHON, False)


def _shape(health: Health) -> str:
    if health.shape is not None and None not in health.shape:
        return f"shape ({', '.join(map(str, health.shape))})"
    rank = "" if health.rank is None else f"{health.rank}-D, "
    return f"{rank}{health.size:,} elements" if health.size is not None else f"{rank}unknown size"


def _arguments(index: HostIndex, before: int, now: int) -> Iterator[tuple[Health, Health, str]]:
    """The arguments that eager ops made, as far as they tell."""
    pairs = zip(index.joins.inputs_of(before), index.joins.inputs_of(now), strict=False)
    for number, (one, other) in enumerate(islice(pairs, MAX_ARGUMENTS)):
        healths = (_made(index, one, before), _made(index, other, now))
        if healths[0] is not None and healths[1] is not None:
            yield healths[0], healths[1], f"argument {number}"


def _made(index: HostIndex, tensor_id: int, before: int) -> Health | None:
    producer = index.joins.producer_of(tensor_id, before)
    return None if producer is None else index.host.executions.health(*producer)


def _inside(index: HostIndex, before: int, now: int) -> Iterator[tuple[Health, Health, str]]:
    """The first tensors that both calls computed, by the names of their ops."""
    traces = index.host.traces
    ours, theirs = (_by_name(index, call) for call in (before, now))
    for name, event in ours.items():
        if name in theirs:
            one, other = traces.health(event), traces.health(theirs[name])
            if one is not None and other is not None:
                yield one, other, name


def _by_name(index: HostIndex, call: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for event in index.joins.traces_of(call, limit=MAX_TENSORS).tolist():
        site = index.host.traces.site_of(event)
        if not is_branch(index.host.graphs.name_of(site.graph_id) or ""):
            found.setdefault(site.tensor_name, event)
    return found
