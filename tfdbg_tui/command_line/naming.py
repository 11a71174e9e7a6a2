"""What a typed name means: a tensor of a graph, an output of an eager op or call, or an op."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.frozen.frozen import Frozen
from tfdbg_tui.words import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.data.stores.graph import Op

    Events = npt.NDArray[np.integer]
    """Numbers of events, ascending."""

_EVENT = re.compile(
    r"(?P<kind>graph|eager|call|run|)#(?P<number>[\d,]{1,15})(?::(?P<slot>\d{1,5}))?"
)
_SLOT = re.compile(r"(?P<op>.+):(?P<slot>\d{1,6})")

MAX_LIKE = 3
"""Names that are offered in place of one that is not there."""


class NamedTensor(Frozen):
    """A tensor that was named, with all of its computations."""

    name: str
    host: int
    kind: EventKind
    graph_id: str
    """Empty for what is computed in none."""
    op_name: str
    slot: int
    events: Events
    """The numbers of its computations, ascending; in a graph it may have none."""
    at: int | None
    """Which of them is meant."""
    note: str = ""
    """What else has that name."""

    @property
    def ref(self) -> EventRef | None:
        """The computation that is meant."""
        if self.at is None:
            return None
        output = 0 if self.kind is EventKind.TRACE else self.slot
        return EventRef(self.host, self.kind, int(self.events[self.at]), output)


def op_name_of(name: str) -> tuple[str, int]:
    """The name of an op and the slot behind it, 0 where there is none."""
    match = _SLOT.fullmatch(name)
    return (match["op"], int(match["slot"])) if match else (name, 0)


def ops_named(context: Context, name: str) -> list[tuple[int, Op]]:
    """The ops of graphs with a name, each with the number of its host."""
    return [
        (number, op)
        for number, index in context.hosts.items()
        for graph in tuple(index.host.graphs.by_id.values())
        if (op := graph.ops.get(name)) is not None
    ]


def tensor_named(context: Context, name: str, which: int | None = None) -> NamedTensor:
    """The tensor that a name means, in the computation asked for; raises CommandError.

    Without one asked for, that is the one in the call that is chosen, else the first bad one,
    else the last.
    """
    match = _EVENT.fullmatch(name)
    if match is not None:
        return _numbered(context, match)
    op_name, slot = op_name_of(name)
    ops = ops_named(context, op_name)
    if any(slot < op.num_outputs for _, op in ops):
        return _of_graph(context, name, [(n, op) for n, op in ops if slot < op.num_outputs], which)
    if ops:
        outputs = counted(ops[0][1].num_outputs, "output")
        raise CommandError(f"{op_name} has {outputs}; {name} is none of them.")
    found = _of_executions(context, name, which)
    if found is None:
        raise _unknown(context, name)
    return found


def _numbered(context: Context, match: re.Match[str]) -> NamedTensor:
    """An event by its number: as the list says it is, else as what is chosen."""
    chosen = context.chosen
    number, kind = int(match["number"].replace(",", "") or 0), EventKind.EXECUTION
    if match["kind"] == "graph" or (
        not match["kind"] and (chosen is None or chosen.kind is EventKind.TRACE)
    ):
        kind = EventKind.TRACE
    host = context.host if context.host is not None else 0 if chosen is None else chosen.host
    index = context.run.hosts[host]
    store = index.host.store_of(kind)
    if number >= len(store):
        what = "graph tensors" if kind is EventKind.TRACE else "executions"
        raise CommandError(f"There are {len(store):,} {what}; {match[0]} is none of them.")
    site = store.site_number(number)
    events = np.flatnonzero(store.site_numbers == site)
    at = int(np.searchsorted(events, number))
    facts = index.sites.of(kind, site)
    if kind is EventKind.EXECUTION:
        slot = int(match["slot"] or 0)
        return NamedTensor(facts.tensor, host, kind, "", facts.tensor, slot, events, at)
    traced = index.host.traces.sites[site]
    return NamedTensor(facts.tensor, host, kind, *traced[:3], events, at)


# Tensors of graphs.


def _of_graph(
    context: Context, name: str, ops: list[tuple[int, Op]], which: int | None
) -> NamedTensor:
    """The tensor of one of some ops of that name: that of the chosen graph, else a bad one."""
    slot = op_name_of(name)[1]
    found = _computations(context, ops, slot)
    best = max(range(len(ops)), key=lambda n: _preference(context, *ops[n], found[n]))
    (host, op), events = ops[best], found[best]
    note = ""
    if len(ops) > 1:
        graph = context.run.hosts[host].host.graphs.name_of(op.graph_id) or "the default graph"
        note = f"{counted(len(ops), 'graph')} have an op of this name; this one is in {graph}."
    at = _at(context, name, host, EventKind.TRACE, events, which)
    return NamedTensor(
        f"{op.name}:{slot}", host, EventKind.TRACE, op.graph_id, op.name, slot, events, at, note
    )


def _preference(context: Context, host: int, op: Op, events: Events) -> tuple[bool, bool, int]:
    traces, chosen = context.run.hosts[host].host.traces, context.chosen
    is_chosen = False
    if chosen is not None and chosen.host == host and chosen.kind is EventKind.TRACE:
        is_chosen = traces.site_of(chosen.event).graph_id == op.graph_id
    is_bad = bool(traces.bad_flags[events].any())
    return is_chosen, is_bad, int(events[-1]) if len(events) else -1


def _computations(context: Context, ops: list[tuple[int, Op]], slot: int) -> list[Events]:
    """All computations of an output of each of some ops: a host's events are gone over once."""
    found: dict[int, tuple[Events, npt.NDArray[np.integer]]] = {}
    sites = [context.run.hosts[n].joins.sites_of(op.graph_id, op.name, slot) for n, op in ops]
    for host in {host for host, _ in ops}:
        numbers = context.run.hosts[host].host.traces.site_numbers
        own = [site for (n, _), some in zip(ops, sites, strict=True) if n == host for site in some]
        events = np.flatnonzero(np.isin(numbers, own))
        found[host] = events, numbers[events]
    return [
        found[host][0][np.isin(found[host][1], own)]
        for (host, _), own in zip(ops, sites, strict=True)
    ]


# Outputs of executions.


def _of_executions(context: Context, name: str, which: int | None) -> NamedTensor | None:
    """An output of the eager ops or calls of that name or type, on the first host with any."""
    base, slot = op_name_of(name)
    for number, index in context.hosts.items():
        executions = index.host.executions
        sites = [
            site
            for site, known in enumerate(tuple(executions.sites))
            if base in (known.op_type, index.sites.execution(site).tensor)
        ]
        events = np.flatnonzero(np.isin(executions.site_numbers, sites))
        if len(events):
            at = _at(context, name, number, EventKind.EXECUTION, events, which)
            return NamedTensor(
                f"{base}:{slot}", number, EventKind.EXECUTION, "", base, slot, events, at
            )
    return None


# Which computation.


def _at(
    context: Context,
    name: str,
    host: int,
    kind: EventKind,
    events: Events,
    which: int | None,
) -> int | None:
    """Which of some computations is meant; None where there are none."""
    if which is not None:
        if which >= len(events):
            raise CommandError(
                f"{name} has {counted(len(events), 'computation')}, counted from 0; "
                f"-n {which} is none of them."
            )
        return which
    if not len(events):
        return None
    index = context.run.hosts[host]
    nearest = _in_chosen_call(context, host, kind, events)
    if nearest is not None:
        return nearest
    bad = np.flatnonzero(index.host.store_of(kind).bad_flags[events])
    return int(bad[0]) if len(bad) else len(events) - 1


def _in_chosen_call(context: Context, host: int, kind: EventKind, events: Events) -> int | None:
    """The computation in the invocation that is chosen, if there is one."""
    chosen = context.chosen
    if chosen is None or chosen.host != host:
        return None
    found: int | None = None
    joins, traces = context.run.hosts[host].joins, context.run.hosts[host].host.traces
    if chosen.kind is EventKind.TRACE and kind is EventKind.TRACE:
        found = joins.event_in_same_call(chosen.event, traces.site_number(int(events[0])))
    elif chosen.kind is kind:
        found = chosen.event
    if found is None:
        return None
    at = int(np.searchsorted(events, found))
    return at if at < len(events) and int(events[at]) == found else None


# Names that are not there.


def _unknown(context: Context, name: str) -> CommandError:
    base = op_name_of(name)[0]
    like = list(islice(_names_like(context, base.lower()), MAX_LIKE))
    hint = f"there are {listed(like)}" if like else "`lt` lists all, `lt WORD` those with a word"
    return CommandError(f"No tensor is called {name[:80]}; {hint}.")


def _names_like(context: Context, part: str) -> Iterator[str]:
    """Recorded names that hold a part."""
    seen = set()
    for index in context.hosts.values():
        for site in tuple(index.host.traces.sites):
            name = site.tensor_name
            if part in name.lower() and name not in seen:
                seen.add(name)
                yield name
