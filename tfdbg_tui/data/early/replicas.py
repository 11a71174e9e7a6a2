"""One replica, or one host, that goes bad while the others are clean: its data or state differs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.early.warning import WarningKind
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tfdbg_tui.data.cause.found_cause import FoundCause
    from tfdbg_tui.data.early.looking import LookedAt
    from tfdbg_tui.data.early.warning import EarlyWarning, Number
    from tfdbg_tui.data.stores.traces import TraceSite

_REPLICA = r"(^|/)replica_\d+/"
"""The scope of what a strategy makes for all replicas but the first."""

MAX_SITES = 200_000
"""Sites among which those of other replicas are sought."""

MEANS = (
    "The program is the same on each, so what differs is the part of the batch that it was given: "
    "look at that, not at the model."
)


def first_replica(
    hosts: Sequence[LookedAt], causes: Sequence[FoundCause]
) -> Iterator[EarlyWarning | None]:
    """The first cause in time, where the same op was clean on others in that step."""
    own = [cause for cause in causes if not cause.on_purpose]
    first = min(own, key=lambda cause: cause.time, default=None)
    if first is None or first.tensor.kind is not EventKind.TRACE:
        return
    at = hosts[first.tensor.host]
    others = _clean_replicas(at, first.tensor)
    yield None
    what, where = "replica", at.index.host.traces.site_of(first.tensor.event).device
    where = where.rpartition("device:")[2] or where
    if not others:
        others = _clean_hosts(hosts, first.tensor)
        what, where = "host", at.index.host.name
    if others:
        told = f"bad on {where} while {counted(others, what)} more computed it clean in that step"
        evidence: dict[str, Number] = {what: where, f"clean_{what}s": others}
        key = (WarningKind.FIRST_REPLICA,)
        yield at.warning(WarningKind.FIRST_REPLICA, first.tensor, told, MEANS, evidence, key=key)


def _plain(op_name: str) -> str:
    return re.sub(_REPLICA, r"\1", op_name) if "replica_" in op_name else op_name


def _clean_replicas(at: LookedAt, tensor: EventRef) -> int:
    """Other replicas that computed the same op in the same call, if all of them are clean."""
    traces = at.index.host.traces
    site = traces.site_of(tensor.event)
    wanted, clean = _plain(site.op_name), 0
    for number, other in enumerate(traces.sites[:MAX_SITES]):
        is_same = other.slot == site.slot and _plain(other.op_name) == wanted
        if not is_same or other.device == site.device or not _is_beside(at, other, site):
            continue
        event = at.index.joins.event_in_same_call(tensor.event, number)
        event = (
            at.index.joins.event_in_same_call(tensor.event, number, later=True)
            if (event is None)
            else event
        )
        if event is None:
            continue
        if traces.is_bad(event):
            return 0
        clean += 1
    return clean


def _is_beside(at: LookedAt, one: TraceSite, other: TraceSite) -> bool:
    """Whether two sites are of one graph, or of two that one function holds."""
    graphs = at.index.host.graphs
    if one.graph_id == other.graph_id:
        return one.op_name != other.op_name
    return graphs.function_of(one.graph_id) == graphs.function_of(other.graph_id)


def _clean_hosts(hosts: Sequence[LookedAt], tensor: EventRef) -> int:
    """Other hosts that computed the same op in the same step, if all of them are clean."""
    here = hosts[tensor.host].index
    site = here.host.traces.site_of(tensor.event)
    step = here.steps.step_of(here.host.traces.wall_time(tensor.event))
    clean = 0
    for at in hosts:
        traces = at.index.host.traces
        if at.number == tensor.host or not len(traces):
            continue
        same = [
            number
            for number, other in enumerate(traces.sites[:MAX_SITES])
            if (other.op_name, other.slot) == (site.op_name, site.slot)
        ]
        events = np.flatnonzero(np.isin(traces.site_numbers, same)) if same else np.empty(0, int)
        steps = [at.index.steps.step_of(traces.wall_time(int(event))) for event in events[:4096]]
        own = [int(e) for e, its in zip(events, steps, strict=False) if step and its == step]
        if any(map(traces.is_bad, own)):
            return 0
        clean += bool(own)
    return clean
