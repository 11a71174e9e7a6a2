"""Which ops each line of the recorded sources created, and how they fared.

Thousands of ops share hundreds of stacks, so lines know stacks and stacks know ops. Frames and
sources may reach the disk after the ops that name them: such stacks are looked at again whenever
one of the two files has grown.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tfdbg_tui.data.index.alert_tallies import UNKNOWN, AlertTallies
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.user_code import is_user_file
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tfdbg_tui.data.index.alert_tallies import StackTally
    from tfdbg_tui.data.index.site_facts import SiteIndex
    from tfdbg_tui.data.stores.graph import Graph, Op
    from tfdbg_tui.data.stores.host import Host

    _BadStacks = dict["_Stack", StackTally]

SLICE_FRAMES = 3_000
"""Stack frames looked up in one go, a few milliseconds; an op with a known stack counts as one."""

OPS_LOOKED_AT = 100
"""Ops of one stack among which the best is sought: that is done at a key press."""


class LineFacts(NamedTuple):
    """What a line of a source file created: it stands somewhere in their creation stacks."""

    line: int
    ops: int
    """Graph ops and sites of executions."""
    own: int
    """Those of them whose innermost frame of the user is this line."""
    bad_sites: int
    alerts: int
    own_alerts: int


class LineOp(NamedTuple):
    """A graph op, or a site of executions, that a line created."""

    kind: EventKind
    """Of the events that it has: traces for a graph op, else executions."""
    graph_id: str
    """For executions the graph that is called; empty where there is none or it is not told."""
    name: str
    """For executions the op type or the name of the function."""
    op_type: str
    function: str | None
    slots: int
    sites: tuple[int, ...]
    """Sites with recordings, in the store of its kind."""
    alerts: int
    first_bad_event: int | None
    own: bool
    """Whether this line is the user's innermost in its stack."""


class SourceEntry(NamedTuple):
    """A recorded source file."""

    file: int
    path: str
    is_user: bool
    ops: int
    alerts: int


class _Stack:
    """One distinct stack and what was created from it.

    One thread adds, any thread reads: ops and sites come one by one.
    """

    __slots__ = ("ids", "number", "open_ids", "ops", "own", "sites")

    def __init__(self, ids: tuple[str, ...], number: int) -> None:
        self.ids = ids
        self.number = number
        self.open_ids = ids
        """Frames that are not known to their lines, for they are not on disk yet."""
        self.ops: dict[tuple[str, str], None] = {}
        """Graph id and name of graph ops."""
        self.sites: list[int] = []
        """Sites of executions."""
        self.own: tuple[int, int] | None = None
        """File and line of the user's innermost frame."""


class _StacksAt(NamedTuple):
    """The stacks that one line, and its whole file, are in."""

    on_line: list[_Stack]
    in_file: dict[_Stack, None]


class LineIndex:
    """The lines of one host's sources; `extend` is for the feed's thread, all else for any.

    Stacks, and what was created from them, are only ever added (an op that is recorded again may
    move to another stack). Readers copy a collection before they walk through it; what they
    count may lag behind by the slice that is being indexed. Alerts are one frozen value.
    """

    def __init__(self, host: Host, site_index: SiteIndex) -> None:
        self._host = host
        self._site_index = site_index
        self._stacks: dict[tuple[str, ...], _Stack] = {}
        self._numbered: list[_Stack] = []
        self._stacks_of_line: dict[int, dict[int, list[_Stack]]] = {}
        self._stacks_of_file: dict[int, dict[_Stack, None]] = {}
        self._stacks_at_frame: dict[str, _StacksAt] = {}
        self._stack_of_op: dict[tuple[str, str], _Stack] = {}
        self._sites_of_op: dict[tuple[str, str], list[int]] = {}
        self._ops_read: dict[str, int] = {}
        self._ops_replaced = 0
        self._op_records_read = 0
        self._trace_sites_read = 0
        self._execution_sites_read = 0
        self._open: list[_Stack] = []
        self._retrying: list[_Stack] = []
        self._retried_at = (0, 0)
        self._tallies = AlertTallies(host)

    def extend(self) -> bool:
        """Index a slice of what is new; True while there is more."""
        left = self._add_trace_sites(SLICE_FRAMES)
        left = self._add_execution_sites(left)
        left = self._add_ops(left)
        return self._retry(left) <= 0

    def _add_trace_sites(self, left: int) -> int:
        sites = self._host.traces.sites
        stacks = []
        end = min(len(sites), self._trace_sites_read + left)
        for number in range(self._trace_sites_read, end):
            site = sites[number]
            key = (site.graph_id, site.op_name)
            self._sites_of_op.setdefault(key, []).append(number)
            stack = self._stack_of_op.get(key)
            stacks.append(UNKNOWN if stack is None else stack.number)
        self._tallies.add_sites(EventKind.TRACE, stacks)
        self._trace_sites_read += len(stacks)
        return left - len(stacks)

    def _add_execution_sites(self, left: int) -> int:
        sites = self._host.executions.sites
        stacks = []
        while self._execution_sites_read < len(sites) and left > 0:
            number = self._execution_sites_read
            stack, cost = self._stack(sites[number].stack)
            stack.sites.append(number)
            stacks.append(stack.number)
            self._execution_sites_read = number + 1
            left -= cost
        self._tallies.add_sites(EventKind.EXECUTION, stacks)
        return left

    def _add_ops(self, left: int) -> int:
        graphs = self._host.graphs
        if graphs.counts.ops == self._op_records_read:
            return left
        kept = sum(len(graph.ops) for graph in graphs.by_id.values())
        if graphs.counts.ops - kept != self._ops_replaced:
            # An op that is recorded again replaces the first: any may be another now.
            self._ops_replaced = graphs.counts.ops - kept
            self._ops_read.clear()
        for graph in graphs.by_id.values():
            if left > 0 and self._ops_read.get(graph.id, 0) < len(graph.ops):
                left = self._add_ops_of(graph, left)
        if left > 0:
            self._op_records_read = graphs.counts.ops
        return left

    def _add_ops_of(self, graph: Graph, left: int) -> int:
        read = self._ops_read.get(graph.id, 0)
        for op in islice(graph.ops.values(), read, None):
            left -= self._add_op(op)
            read += 1
            if left <= 0:
                break
        self._ops_read[graph.id] = read
        return left

    def _add_op(self, op: Op) -> int:
        key = (op.graph_id, op.name)
        stack, cost = self._stack(self._host.graphs.stack_of(op))
        before = self._stack_of_op.get(key)
        if before is not stack:
            if before is not None:
                del before.ops[key]
            self._stack_of_op[key] = stack
            stack.ops[key] = None
            self._tallies.move(EventKind.TRACE, self._sites_of_op.get(key, ()), stack.number)
        return cost

    def _stack(self, ids: tuple[str, ...]) -> tuple[_Stack, int]:
        """A stack, and what it costs to find it."""
        stack = self._stacks.get(ids)
        if stack is not None:
            return stack, 1
        stack = _Stack(ids, len(self._numbered))
        self._numbered.append(stack)
        self._stacks[ids] = stack
        return stack, self._add_to_lines(stack)

    def _retry(self, left: int) -> int:
        """Look at open stacks again, once for every growth of the frames or the sources."""
        grown_to = (self._host.frames.records, self._host.sources.records)
        if not self._retrying and grown_to != self._retried_at:
            self._retried_at = grown_to
            self._retrying, self._open = self._open, []
        while self._retrying and left > 0:
            left -= self._add_to_lines(self._retrying.pop())
        return left

    def _add_to_lines(self, stack: _Stack) -> int:
        """Make a stack known to its lines as far as they are on disk; what that costs."""
        again = stack.open_ids is not stack.ids
        still_open = []
        for frame_id in stack.open_ids:
            stacks = self._stacks_at_frame.get(frame_id) or self._find_stacks_at(frame_id)
            if stacks is None:
                still_open.append(frame_id)
                continue
            _add_once(stack, stacks.on_line, again)
            stacks.in_file[stack] = None
        stack.open_ids = tuple(still_open)
        line = self._site_index.line_of(stack.ids)
        if line is not None:
            stack.own = (line.file, line.line)
        if still_open or (line is None and not self._host.has_whole_stack(stack.ids)):
            self._open.append(stack)
        return len(stack.ids) + 1

    def _find_stacks_at(self, frame_id: str) -> _StacksAt | None:
        """The stacks of the line and of the file of a frame; None while it is not on disk."""
        frame = self._host.frames.by_id.get(frame_id)
        if frame is None:
            return None
        lines = self._stacks_of_line.setdefault(frame.file_index, {})
        in_file = self._stacks_of_file.setdefault(frame.file_index, {})
        stacks = _StacksAt(lines.setdefault(frame.line, []), in_file)
        self._stacks_at_frame[frame_id] = stacks
        return stacks

    def lines(self, file: int) -> dict[int, LineFacts]:
        """What each line of a file created; lines that created nothing are left out."""
        bad = self._bad_stacks()
        lines = sorted(self._stacks_of_line.get(file, {}).items())
        facts = (_facts(file, line, stacks, bad) for line, stacks in lines)
        return {found.line: found for found in facts if found.ops}

    def ops(self, file: int, line: int, limit: int | None = None) -> tuple[LineOp, ...]:
        """What a line created, at most `limit`; first that of which it is the own line."""
        stacks = tuple(self._stacks_of_line.get(file, {}).get(line, ()))
        own_first = sorted(stacks, key=lambda stack: stack.own != (file, line))
        found = (op for stack in own_first for op in self._ops_of(stack, stack.own == (file, line)))
        return tuple(islice(found, limit))

    def best_op(self, file: int, line: int) -> LineOp | None:
        """The op of a line that tells most: one that went bad, if it is the line's own."""
        bad = self._bad_stacks()
        stacks = tuple(self._stacks_of_line.get(file, {}).get(line, ()))
        made = [stack for stack in stacks if stack.ops or stack.sites]
        if not made:
            return None
        best = min(made, key=lambda stack: (stack.own != (file, line), stack not in bad))
        ops = self._ops_of(best, best.own == (file, line))
        looked_at = tuple(islice(ops, OPS_LOOKED_AT))
        return min(
            looked_at,
            key=lambda op: (op.first_bad_event is None, not op.sites),
            default=None,
        )

    def first_telling(self, file: int) -> int:
        """The line of a file to show first: one whose ops went bad, else one that made some."""
        facts = self.lines(file).values()
        order = (
            next((found.line for found in facts if found.own_alerts), None),
            next((found.line for found in facts if found.alerts), None),
            next((found.line for found in facts), None),
        )
        return next((line for line in order if line is not None), 1)

    def files(self) -> tuple[SourceEntry, ...]:
        """All recorded source files, the user's own first."""
        bad = self._bad_stacks()
        sources = self._host.sources
        entries = [
            self._entry(number, source.path, bad)
            for number in range(len(sources.files))
            if (source := sources.get(number)) is not None
        ]
        return tuple(sorted(entries, key=lambda entry: not entry.is_user))

    def _entry(self, file: int, path: str, bad: _BadStacks) -> SourceEntry:
        stacks = tuple(self._stacks_of_file.get(file, ()))
        ops = sum(len(stack.ops) + len(stack.sites) for stack in stacks)
        alerts = sum(bad[stack].alerts for stack in stacks if stack in bad)
        return SourceEntry(file, path, is_user_file(path), ops, alerts)

    def _bad_stacks(self) -> _BadStacks:
        return {self._numbered[n]: tally for n, tally in self._tallies.by_stack().items()}

    def _ops_of(self, stack: _Stack, own: bool) -> Iterator[LineOp]:
        for graph_id, name in tuple(stack.ops):
            op = self._host.graphs.op(graph_id, name)
            if op is not None:
                yield self._graph_op(op, own)
        for site in tuple(stack.sites):
            yield self._execution_op(site, own)

    def _graph_op(self, op: Op, own: bool) -> LineOp:
        sites = tuple(self._sites_of_op.get((op.graph_id, op.name), ()))
        function = self._host.graphs.function_of(op.graph_id)
        bad = self._tallies.bad_of(EventKind.TRACE, sites)
        return LineOp(
            EventKind.TRACE,
            op.graph_id,
            op.name,
            op.type,
            function,
            op.num_outputs,
            sites,
            *bad,
            own,
        )

    def _execution_op(self, site: int, own: bool) -> LineOp:
        described = self._host.executions.sites[site]
        facts = self._site_index.execution(site)
        bad = self._tallies.bad_of(EventKind.EXECUTION, (site,))
        return LineOp(
            EventKind.EXECUTION,
            described.graph_id,
            facts.tensor,
            described.op_type,
            facts.function,
            described.num_outputs,
            (site,),
            *bad,
            own,
        )


def _add_once(stack: _Stack, stacks: list[_Stack], again: bool) -> None:
    """Add a stack to those of a line, which may be on it several times: functions recurse."""
    known = stack in stacks if again else bool(stacks) and stacks[-1] is stack
    if not known:
        stacks.append(stack)


def _facts(file: int, line: int, stacks: Iterable[_Stack], bad: _BadStacks) -> LineFacts:
    ops = own = bad_sites = alerts = own_alerts = 0
    for stack in stacks:
        tally = bad.get(stack)
        created = len(stack.ops) + len(stack.sites)
        ops += created
        if tally is not None:
            bad_sites += tally.sites
            alerts += tally.alerts
        if stack.own == (file, line):
            own += created
            own_alerts += tally.alerts if tally else 0
    return LineFacts(line, ops, own, bad_sites, alerts, own_alerts)
