"""All indexes over the stores of one host."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tfdbg_tui.data.index.joins import Joins
from tfdbg_tui.data.index.site_facts import SiteIndex
from tfdbg_tui.data.index.stacks import Stacks
from tfdbg_tui.data.index.steps import Steps
from tfdbg_tui.data.stores.columns import sorted_positions

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.index.line_groups import LineGroups
    from tfdbg_tui.data.index.line_index import LineIndex
    from tfdbg_tui.data.index.session_run_numbers import SessionRunNumbers
    from tfdbg_tui.data.index.session_runs import SessionRuns
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.program_notes import Failure
    from tfdbg_tui.data.stores.run import Run

MAX_WITHOUT_CALL = 200
"""Bad tensors in a row that may belong to no call before the search for one is given up."""

MAX_BAD_INSIDE = 10_000
"""Bad tensors around one call that are looked at; a row has to be made within microseconds."""


class HostIndex:
    """The indexes over one host's stores; `extend` is for the feed's thread."""

    run_numbers: SessionRunNumbers
    groups: LineGroups
    lines: LineIndex

    def __init__(self, host: Host, run: Run, only_steps: bool = False) -> None:
        self.origin = host
        """The host itself, whose stores may be replaced."""
        self.host = host.as_now()
        """A copy that keeps the stores of this moment: when a file is replaced, its host gets
        another store, while all that is shown and indexed stays consistent until indexed anew."""
        self._run = run
        self._stores = _indexed(host)
        self.session_runs: SessionRuns | None = None
        """The runs of TF1 sessions, where no execution is recorded; in place of these."""
        if _lacks_runs(host):
            from tfdbg_tui.data.index.session_runs import SessionRuns  # as in `_lacks_runs`

            self.session_runs = self.host.executions = SessionRuns(self.host)
        self.sites = SiteIndex(self.host)
        self.stacks = Stacks(self.host)
        self.steps = Steps(self.host, self.sites)
        self.joins = Joins(self.host, self.sites)
        if not only_steps:
            self._prepare_lines()

    def _prepare_lines(self) -> None:
        # `check` needs none of them, and starts sooner without.
        from tfdbg_tui.data.index.line_groups import LineGroups
        from tfdbg_tui.data.index.line_index import LineIndex
        from tfdbg_tui.data.index.session_run_numbers import SessionRunNumbers

        self.run_numbers = SessionRunNumbers(self.host, self.joins)
        self.groups = LineGroups(self.host, self.sites)
        self.lines = LineIndex(self.host, self.sites)

    @property
    def is_partial(self) -> bool:
        """Whether events are known to be missing from the recording."""
        return self._run.is_partial

    @property
    def started(self) -> float:
        """When the run began: times are shown since then; the first event if nothing tells."""
        told = self._run.started
        if told and math.isfinite(told):
            return told
        stores = (self.host.traces, self.host.executions)
        firsts = [float(store.wall_times[0]) for store in stores if len(store)]
        return min(filter(math.isfinite, firsts), default=0.0)

    def is_of(self, host: Host) -> bool:
        """Whether it indexes a host and its present stores."""
        same_host = self.origin is host and all(map(_same, self._stores, _indexed(host)))
        return same_host and _lacks_runs(host) == (self.session_runs is not None)

    def extend_steps(self) -> bool:
        """Index a slice of what is new for steps and joins alone; True while there is more."""
        has_more_runs = self.session_runs is not None and self.session_runs.extend_runs()
        pending = [part.extend() for part in (self.steps, self.joins)]
        return has_more_runs or any(pending)

    def extend(self) -> bool:
        """Index a slice of what is new; True while there is more."""
        parts = (self.steps, self.joins, self.run_numbers, self.groups, self.lines)
        has_more_runs = self.session_runs is not None and self.session_runs.extend_runs()
        pending = [part.extend() for part in parts]
        return has_more_runs or any(pending)

    def failure_of(self, graph_id: str, op_name: str) -> Failure | None:
        """The error that ended the program, if an op raised it."""
        program, hosts = self._run.program, self._run.hosts
        if program is None or program.failure is None or not program.failed:
            return None
        # Most programs end well, and are looked at sooner without.
        from tfdbg_tui.data.index.failing_op import failing_op

        found = failing_op(hosts, program.failure)
        if found is None or hosts[found.host] is not self.origin:
            return None
        is_it = (found.op.graph_id, found.op.name) == (graph_id, op_name)
        return program.failure if is_it else None

    def bad_inside(self, call: int, most: int = MAX_BAD_INSIDE) -> npt.NDArray[Any]:
        """The first bad tensors that the graphs of a call computed."""
        alerts = self.host.traces.bad_events
        low, high = sorted_positions(alerts, self.joins.window_of(call)).tolist()
        end = min(high, low + MAX_BAD_INSIDE)
        # Nearly all belong to the call: if one is wanted, it is among few.
        found = self.joins.own_traces(call, alerts[low : min(end, low + 4 * most)])
        if len(found) < most and low + 4 * most < end:
            found = self.joins.own_traces(call, alerts[low:end])
        return found[:most]

    def first_inside(self, call: int) -> int | None:
        """The first bad tensor inside a call, else its first; None for what is no call."""
        bad = self.bad_inside(call)
        found = bad if len(bad) else self.joins.traces_of(call, limit=1)
        return int(found[0]) if len(found) else None

    def bad_call(self, execution: int, steps: int) -> int | None:
        """The next call behind an execution, or the last before it, that computed bad tensors."""
        alerts = self.host.traces.bad_events
        inside = range(len(self.host.executions))
        if execution in inside:
            first, end = sorted_positions(alerts, self.joins.window_of(execution)).tolist()
        else:
            first, end = (len(alerts), 0)
        rows = range(end, len(alerts)) if steps > 0 else range(first - 1, -1, -1)
        for row in rows[:MAX_WITHOUT_CALL]:
            call = self.joins.execution_of(int(alerts[row]))
            if call is not None and (call > execution if steps > 0 else call < execution):
                return call
        return None


def _indexed(host: Host) -> tuple[object, ...]:
    """The stores that indexes are made of: all but the metadata."""
    return (host.sources, host.frames, host.graphs, host.executions, host.traces)


def _lacks_runs(host: Host) -> bool:
    """Whether sessions have run, and not even that is recorded."""
    if len(host.executions):
        return False
    # Most recordings are of TF2, and are looked at sooner without.
    from tfdbg_tui.data.index.session_graphs import has_session_traces

    return has_session_traces(host)


def _same(one: object, other: object) -> bool:
    return one is other
