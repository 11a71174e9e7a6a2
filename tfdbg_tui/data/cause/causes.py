"""Cause against consequence: whether a bad tensor made its NaN or ∞ itself, or was given one.

A bad tensor *follows* if one of the recorded tensors that it was computed from is bad, past
whatever was not recorded between, as the graph pane walks; else it is a *cause*. The first in
time is a cause, unless it took a bad tensor that was written a little later, as happens to ops that
run side by side. Some inputs are not recorded where they matter:

- What was stored (a variable, a list of a loop) carries on what was computed before: what reads it
  follows from what was written, where that is known; where it is clean, the write itself made it
  bad. Else it follows if something was bad before. What takes it unrecorded follows if an earlier
  call was bad.
- What enters the body of a loop or a branch is not told: an op that takes it follows if something
  was bad before in the same call. What comes out follows from what was bad inside.
- Constants, data and what a call was given by numpy are no evidence: what takes them is a cause,
  and so is bad data itself, unless the first in time was computed inside a dataset.
- A constant, or the first value of a variable, that is ∞ may be meant. What makes a NaN out of it
  is a cause by itself.

The walk is bounded, and what it finds is kept by event, unless more may come to disk.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tfdbg_tui.data.cause.bad_before import BadBefore
from tfdbg_tui.data.cause.bad_reads import was_stored_bad
from tfdbg_tui.data.cause.finding_evidence import evidence_of, returned_sources
from tfdbg_tui.data.cause.inside import bad_inside, data_of_call
from tfdbg_tui.data.cause.judged import Judged, judged_by
from tfdbg_tui.data.cause.known_walks import MAX_KEPT, MAX_WALKED, SoFar
from tfdbg_tui.data.cause.meant import may_be_meant
from tfdbg_tui.data.flow.graph_nodes import GraphTensor, NodeMaker
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.data_ops import is_data
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import (
    ARGUMENT,
    takes_stored,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tfdbg_tui.data.cause.evidence import Evidence
    from tfdbg_tui.data.cause.untold_inputs import UntoldInputs
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.stores.alert_log import AlertLog


class Causes:
    """The judgements over one run, for any thread; one home for what `!` and `~` mean."""

    def __init__(self, run: RunIndex) -> None:
        self.hosts = tuple(
            HostCauses(number, index, run.log) for number, index in enumerate(run.hosts)
        )

    def judge(self, tensor: EventRef) -> Judged:
        """Whether a bad tensor follows from another one."""
        return self.hosts[tensor.host].judge(tensor.kind, tensor.event)


class HostCauses:
    """The judgements over the tensors of one host."""

    def __init__(self, number: int, index: HostIndex, log: AlertLog) -> None:
        self._number = number
        self._index = index
        self._log = log
        self._before = BadBefore(number, index, log)
        self._judged: dict[tuple[EventKind, int], Judged] = {}
        self._so_far = SoFar(0)
        self.cause_sites: set[int] = set()
        """Sites of traces that were a cause whenever it was asked: they are asked first."""
        self._begun: frozenset[tuple[EventKind, int]] = frozenset()
        """Sites that would follow from what is muted alone, and of which no flow tells that."""

    # Tensors.

    def judge(self, kind: EventKind, event: int) -> Judged:
        """Whether a bad event follows from another one; nothing is meant by it for others."""
        so_far = self._known_so_far().judged
        known = self._judged.get((kind, event)) or so_far.get((kind, event))
        if known is None:
            known = self._judged_anew(kind, event)
            if self._is_first(kind, event) and not self._has_later_cause(kind, event, known):
                known = known._replace(follows=False, is_final=False)
            kept = self._judged if known.is_final else so_far
            if len(kept) < MAX_KEPT:
                kept[kind, event] = known
            if kind is EventKind.TRACE and not known.follows:
                self.cause_sites.add(self._index.host.traces.site_number(event))
        if self._begun and known.follows:
            site = self._index.host.store_of(kind).site_number(event)
            return known._replace(follows=(kind, site) not in self._begun)
        return known

    def begin(self, tensors: Iterable[EventRef]) -> None:
        """Take the sites of these for causes, though they would follow, and no others."""
        store_of = self._index.host.store_of
        begun = frozenset((ref.kind, store_of(ref.kind).site_number(ref.event)) for ref in tensors)
        if begun != self._begun:
            self._begun = begun
            self._so_far = SoFar(self._so_far.events)  # walks lead elsewhere

    def _known_so_far(self) -> SoFar:
        """What was found out of what is on disk by now, and may change when more comes."""
        host = self._index.host
        events = len(host.executions) + len(host.traces) + len(self._log)
        if events != self._so_far.events:
            self._so_far = SoFar(events)
        return self._so_far

    def _judged_anew(self, kind: EventKind, event: int) -> Judged:
        judged = self._trace(event) if kind is EventKind.TRACE else self._execution(event)
        is_call = kind is EventKind.EXECUTION and bad_inside(self._index, event, 1)
        if is_call or not judged.follows:
            return judged
        if self._makes_nan_of_meant(kind, event, judged.sources):
            return judged._replace(follows=False)
        return judged

    def _makes_nan_of_meant(self, kind: EventKind, event: int, sources: Sequence[EventRef]) -> bool:
        """Whether a NaN is made of nothing but ∞ that may be meant."""
        if not sources or not self._is_nan_of_inf(kind, event, sources):
            return False
        roots = self.roots(sources, past_variables=False)
        return bool(roots) and all(map(self.may_be_meant, roots))

    def _is_nan_of_inf(self, kind: EventKind, event: int, sources: Sequence[EventRef]) -> bool:
        store = self._index.host.store_of(kind)
        if any(self._bad(source) & Bad.NAN for source in sources):
            return False
        if store.bad(event) & Bad.UNTOLD:  # a softmax lies between 0 and 1, or is NaN
            op_type = self._index.sites.of(kind, store.site_number(event)).op_type
            return op_type == "Softmax"
        return bool(store.bad(event) & Bad.NAN)

    def roots(
        self, tensors: Iterable[EventRef], past_variables: bool = True
    ) -> tuple[EventRef, ...]:
        """The causes that bad tensors come from, as far as their sources lead; itself for one.

        None if the way leads through a variable, where that is not asked for.
        """
        found: dict[EventRef, None] = {}
        pending = list(dict.fromkeys(tensors))
        seen = set(pending)
        walk = self._known_so_far().walk(past_variables)
        for walked, tensor in enumerate(pending):
            if walked + 1 == len(pending) and not found:
                end = walk.end_at(tensor, walked)
                if end is not None:
                    return end
            judged = self.judge(tensor.kind, tensor.event)
            if not judged.follows:
                found[tensor] = None
                continue
            new = [source for source in judged.sources if source not in seen]
            if len(pending) + len(new) > MAX_WALKED:
                return walk.lost()
            if not judged.sources or (not past_variables and self._is_read(tensor)):
                return walk.ended((), len(pending))
            pending += new
            seen.update(new)
        return walk.ended(tuple(found), len(pending))

    def path_to(self, tensor: EventRef) -> tuple[EventRef, ...]:
        """The bad tensors that lead to one, from a cause on, the shortest way."""
        before: dict[EventRef, EventRef | None] = {tensor: None}
        for reached in (pending := [tensor]):
            judged = self.judge(reached.kind, reached.event)
            if not judged.follows:
                path: list[EventRef] = []
                step: EventRef | None = reached
                while step is not None:
                    path.append(step)
                    step = before[step]
                return tuple(path)
            new = [source for source in judged.sources if source not in before]
            if len(before) < MAX_WALKED:
                pending += new
                before.update(dict.fromkeys(new, reached))
        return ()

    def _is_read(self, tensor: EventRef) -> bool:
        site = self._index.host.store_of(tensor.kind).site_number(tensor.event)
        return takes_stored(self._index.sites.of(tensor.kind, site).op_type or "")

    def may_be_meant(self, cause: EventRef) -> bool:
        """Whether a cause is a number that somebody wrote down, and nothing computed."""
        return may_be_meant(self._index, cause, self.judge(cause.kind, cause.event))

    def _bad(self, tensor: EventRef) -> Bad:
        return self._index.host.store_of(tensor.kind).bad(tensor.event)

    def follows(self, kind: EventKind, event: int) -> bool:
        """Whether it is bad, and that follows from something else."""
        is_bad = self._index.host.store_of(kind).is_bad(event)
        return is_bad and self.judge(kind, event).follows

    def is_bad(self, tensor: EventRef) -> bool:
        """Whether a tensor is bad at all."""
        return self._index.host.store_of(tensor.kind).is_bad(tensor.event)

    def is_absorbed(self, tensor: EventRef) -> bool:
        """Whether nothing that was computed from a bad tensor is bad."""
        from tfdbg_tui.data.cause.absorbed import is_absorbed  # no verdict needs it

        return is_absorbed(self._index, tensor.kind, tensor.event)

    def time_of(self, tensor: EventRef) -> float:
        """When a tensor was computed."""
        return self._index.host.store_of(tensor.kind).wall_time(tensor.event)

    def _is_first(self, kind: EventKind, event: int) -> bool:
        first = self._log.first()
        return first is not None and first[:3] == (self._number, kind, event)

    def _has_later_cause(self, kind: EventKind, event: int, judged: Judged) -> bool:
        """Whether the first bad tensor follows from one that was only written later.

        Parallel ops are written as they end: what took a number may stand before what made it.
        """
        if not judged.sources:
            return False
        itself = judged._replace(follows=False, is_final=False)
        judged_so_far = self._known_so_far().judged
        judged_so_far[kind, event] = itself  # where the walk leads in a circle
        roots = self.roots(judged.sources)
        judged_so_far.pop((kind, event), None)
        return bool(roots) and all(root[1:3] != (kind, event) for root in roots)

    def _trace(self, trace: int) -> Judged:
        host, joins = self._index.host, self._index.joins
        site, call = host.traces.site_of(trace), joins.execution_of(trace)
        maker = NodeMaker(host, self._index.sites, joins, trace, call)
        subject = GraphTensor(site.graph_id, site.op_name, site.slot, call)
        told = evidence_of(self._index, self._number, maker, subject, trace)
        was_bad = was_stored_bad(self._index, told, EventKind.TRACE, trace)
        follows = bool(told.sources) or (was_bad and self._before.read(trace, call))
        follows = follows or (told.takes_stored and self._before.call(trace, call))
        if told.takes_untold or told.takes_argument:
            if not follows and call is not None:
                told = told._replace(sources=data_of_call(self._index, self._number, call))
            is_inside = not told.takes_untold
            follows = follows or bool(told.sources)
            follows = follows or self._before.in_call(trace, call, is_inside)
        op = host.op_of(site)
        if told.takes_argument and op is not None and op.type == ARGUMENT:
            # What a function inside was given is no origin, if anything was bad by then.
            follows = follows or self._before.call(trace, call)
        takes_bad_data = told.takes_data and not told.sources
        dataset = self._before.first_of_dataset()
        if dataset and (takes_bad_data or (op is not None and is_data(op.type))):
            told, follows = told._replace(sources=told.sources or dataset), True
        ends = host.executions.wall_times
        # Which call it belongs to is told when that has ended.
        has_ended = call is not None or bool(len(ends) and ends[-1] >= host.traces.wall_time(trace))
        return judged_by(told, follows, has_ended and not told.is_open)

    def _execution(self, execution: int) -> Judged:
        index = self._index
        executions = index.host.executions
        site = executions.site_number(execution)
        is_call = index.sites.execution(site).is_call
        maker = NodeMaker(index.host, index.sites, index.joins, None, None)
        subject = maker.output_of(execution)
        inside = bad_inside(index, execution, 1)
        if inside:
            returned = returned_sources(index, self._number, maker, execution)
            first = EventRef(self._number, EventKind.TRACE, inside[0], 0)
            return Judged(True, returned or (first,))
        told = evidence_of(index, self._number, maker, subject, None)
        # What a call reads inside is not known where nothing of it is recorded.
        follows = bool(told.sources) or is_call
        follows = follows or was_stored_bad(index, told, EventKind.EXECUTION, execution)
        if told.takes_stored or told.takes_untold or told.takes_argument:
            follows = follows or self._before.time(executions.wall_time(execution))
        if not follows and self._untold.has_any(execution):
            told, follows = self._by_untold(execution, told)
        dataset = self._before.first_of_dataset()
        if dataset and is_data(executions.sites[site].op_type):
            told, follows = told._replace(sources=told.sources or dataset), True
        # What is inside a call comes in another file, perhaps later.
        is_whole = not is_call or self._has_caught_up(executions.wall_time(execution))
        return judged_by(told, follows, is_whole and not told.is_open)

    @cached_property
    def _untold(self) -> UntoldInputs:
        # Asked of eager ops alone, and most programs go bad in a function.
        from tfdbg_tui.data.cause.untold_inputs import UntoldInputs

        return UntoldInputs(self._number, self._index)

    def _by_untold(self, execution: int, told: Evidence) -> tuple[Evidence, bool]:
        """The same, with what an input may be that nothing recorded put out."""
        copied = self._untold.copied_from(execution)
        if copied is not None:
            return told._replace(sources=(copied,)), True
        time = self._index.host.executions.wall_time(execution)
        return told, self._untold.was_written_bad_before(time)

    def _has_caught_up(self, time: float) -> bool:
        """Whether what was computed inside calls is read up to a time."""
        times = self._index.host.traces.wall_times
        return bool(len(times)) and times[-1] >= time
