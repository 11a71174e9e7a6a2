"""Warnings about numbers that are bad already: where a NaN is still to come, or has come to stay.

They build on the causes of the run, which tell what is meant; what is meant gives no warning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.reach import Reach
from tfdbg_tui.data.cause.variable_names import VariableNames
from tfdbg_tui.data.early.warning import WarningKind
from tfdbg_tui.data.flow.graph_nodes import ExecutionOutput
from tfdbg_tui.data.flow.variable_reads import VariableReads
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.words import first_few, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tfdbg_tui.data.cause.found_cause import FoundCause
    from tfdbg_tui.data.early.looking import LookedAt
    from tfdbg_tui.data.early.warning import EarlyWarning, Number
    from tfdbg_tui.data.flow.variable_reads import Read

HALF = ("float16", "bfloat16")

MAX_NAMED = 3
"""Variables that are named."""

MAX_CAUSES = 200
"""Causes that are looked at."""

HALF_MEANS = (
    "{dtype} ends at {limit}: scale the loss, keep this op in float32, or lower what goes in."
)
SKIPS_MEANS = (
    "Loss scaling skips most steps, so next to nothing is learned: its scale is too large."
)
POISONED_MEANS = (
    "From here on each step computes with bad weights: no later step is worth looking at, and "
    "what was saved since is lost."
)


def half_infinities(at: LookedAt, causes: Sequence[FoundCause]) -> Iterator[EarlyWarning | None]:
    """Infinity in half precision, unless loss scaling skips the step, as it is meant to."""
    for cause in causes[:MAX_CAUSES]:
        event = cause.tensor
        store = at.index.host.store_of(event.kind)
        kinds = store.bad(event.event)
        yield None
        if not kinds & (Bad.NEG_INF | Bad.POS_INF) or kinds & Bad.NAN:
            continue
        if cause.on_purpose and not cause.reached.is_tested:
            continue  # a mask
        health = at.health(event)
        if health is None or health.dtype not in HALF:
            continue
        found = _half(at, cause, health.dtype)
        if found is not None:
            yield found


def _half(at: LookedAt, cause: FoundCause, dtype: str) -> EarlyWarning | None:
    event = cause.tensor
    store = at.index.host.store_of(event.kind)
    site = store.site_number(event.event)
    invocations = int((store.site_numbers == site).sum())
    bad = int((store.site_numbers[store.bad_events] == site).sum())
    evidence: dict[str, Number] = {"invocations": invocations, "with_inf": bad, "dtype": dtype}
    told = f"holds inf in {dtype}, in {bad:,} of its {invocations:,} invocations"
    means = HALF_MEANS.format(
        dtype=dtype, limit="65,504" if dtype == "float16" else "3.4e38, with 3 digits"
    )
    if cause.on_purpose:
        limits = at.thresholds
        if invocations < limits.half_inf_invocations or bad <= limits.half_inf_share * invocations:
            return None
        means = SKIPS_MEANS
    return at.warning(WarningKind.HALF_INF, event, told, means, evidence)


def poisoned(at: LookedAt, causes: Sequence[FoundCause]) -> Iterator[EarlyWarning | None]:
    """Variables that were clean, and are bad whenever they are read since: one warning for all."""
    names: dict[str, EventRef] = {}
    reads, variables = VariableReads(at.index.host, at.index.joins), VariableNames(at.index)
    for cause in causes[:MAX_CAUSES]:
        if cause.on_purpose or cause.reached.reach is not Reach.VARIABLE:
            continue
        for write in cause.reached.writes:
            bad = [read for read in reads.next_reads(write) if reads.is_bad(read)]
            if bad:
                event = _event(at, bad[0])
                name = variables.of(write) or at.name_of(event)
                known = names.get(name)
                if known is None or at.time_of(event) < at.time_of(known):
                    names[name] = event
            yield None
    if names:
        yield _poisoned_since(at, names)


def _poisoned_since(at: LookedAt, names: dict[str, EventRef]) -> EarlyWarning:
    """A warning about some variables, each with the first read that was bad."""
    ordered = sorted(names, key=lambda name: (at.time_of(names[name]), name))
    is_one = len(ordered) == 1
    verbs = ("was", "holds") if is_one else ("were", "hold")
    return at.warning(
        WarningKind.POISONED_VARIABLE,
        names[ordered[0]],
        f"{verbs[0]} clean, and {verbs[1]} NaN or inf at each read",
        POISONED_MEANS,
        {"variables": len(ordered)},
        name=listed(first_few(ordered, MAX_NAMED)),
        count=len(ordered),
        key=(WarningKind.POISONED_VARIABLE, at.number),
    )


def _event(at: LookedAt, read: Read) -> EventRef:
    if isinstance(read, ExecutionOutput):
        return EventRef(at.number, EventKind.EXECUTION, read.execution, 0)
    return EventRef(at.number, EventKind.TRACE, read, 0)
