"""Events as rows: which event stands where in a list, and what a row says.

A list of millions of rows costs nothing here: a row is made from disk when it comes into view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tfdbg_tui.data.records.value_facts import LARGEST
from tfdbg_tui.data.stores.columns import sorted_positions
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.frozen.frozen import Frozen
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt

    from tfdbg_tui.data.cause.call_causes import CallCauses
    from tfdbg_tui.data.cause.causes import HostCauses
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.session_run_numbers import SessionRunFacts
    from tfdbg_tui.data.index.site_facts import SiteFacts
    from tfdbg_tui.data.records.health import Bad, Health
    from tfdbg_tui.data.stores.columns import RowsSoFar
    from tfdbg_tui.data.stores.executions import ExecutionStore
    from tfdbg_tui.data.stores.host import AnyEventStore

    Events = npt.NDArray[np.uint32]
    """Numbers of events, ascending."""

    IsMuted = Callable[[EventKind, int, int], bool]
    """Whether all that is bad in the row of some events is muted."""


class TraceRow(Frozen):
    """One tensor computed inside a graph."""

    index: int
    seconds: float
    """Since the run began."""
    step: int | None
    facts: SiteFacts
    mode: int
    bad: Bad
    health: Health | None
    """None, too, where the record is too large to be read for a row."""
    follows: bool = False
    """Where it is bad: whether that follows from a bad input; else it is a cause."""
    is_muted: bool = False


class ExecutionRow(Frozen):
    """One eager op, call of a function or run of a session; or several ops of one line."""

    index: int
    seconds: float
    step: int | None
    facts: SiteFacts
    mode: int
    outputs: int
    bad: Bad
    health: Health | None
    """Of its worst recorded output."""
    bad_inside: int
    """Bad tensors inside the graphs of the call."""
    collapsed: int = 1
    """How many executions this row stands for."""
    session_run: SessionRunFacts | None = None
    """Which run of a TF1 session it is."""
    follows: bool = False
    """Where it or something inside is bad: whether it holds no cause."""
    is_muted: bool = False
    """Whether all of that is muted."""


class Positions(Protocol):
    """Which events a list shows, in the order of their index."""

    def __len__(self) -> int: ...

    def event_at(self, position: int) -> int:
        """The event in a row of the list."""

    def position_of(self, event: int) -> int:
        """The row of an event, or of the last one before it."""

    def size_at(self, position: int) -> int:
        """How many events a row stands for."""

    @property
    def listed(self) -> Events | None:
        """The events that have a row, ascending; None if all have."""


class AllEvents(NamedTuple):
    """Every event of a store."""

    store: AnyEventStore

    def __len__(self) -> int:
        return len(self.store)

    def event_at(self, position: int) -> int:
        """The event in a row of the list."""
        return position

    def position_of(self, event: int) -> int:
        """The row of an event."""
        return event

    def size_at(self, position: int) -> int:
        """Every event has a row of its own."""
        return 1

    @property
    def listed(self) -> Events | None:
        """No event is left out."""
        return None


class SortedRows(Protocol):
    """A growing, sorted column of event numbers."""

    @property
    def rows(self) -> Events:
        """The numbers so far."""


class SomeEvents:
    """The events that a search found."""

    def __init__(self, chosen: SortedRows) -> None:
        self.chosen = chosen

    def __len__(self) -> int:
        return len(self.chosen.rows)

    def event_at(self, position: int) -> int:
        """The event in a row of the list; a search may lose matches as names become known."""
        rows = self.chosen.rows
        return int(rows[min(position, len(rows) - 1)]) if len(rows) else 0

    def position_of(self, event: int) -> int:
        """The row of an event, or of the last one before it."""
        return max(0, int(sorted_positions(self.chosen.rows, event, side="right")) - 1)

    def size_at(self, position: int) -> int:
        """Every event that was found has a row of its own."""
        return 1

    @property
    def listed(self) -> Events | None:
        """The events that were found."""
        return self.chosen.rows


class Groups(SortedRows, Protocol):
    """First events of groups that follow each other without a gap."""

    @property
    def so_far(self) -> RowsSoFar:
        """The first events, and where the last group ends, at one moment."""


class GroupedEvents(SomeEvents):
    """The first events of groups."""

    def __init__(self, groups: Groups) -> None:
        super().__init__(groups)
        self._groups = groups

    def size_at(self, position: int) -> int:
        """How many events the group of a row has."""
        starts, end = self._groups.so_far
        if position >= len(starts):
            return 1
        last = position + 1 >= len(starts)
        following = end if last else int(starts[position + 1])
        return max(1, following - int(starts[position]))

    @property
    def listed(self) -> Events | None:
        """Every event is in a group."""
        return None


def nothing_muted(kind: EventKind, event: int, count: int) -> bool:
    """That no row is muted."""
    return False


class TraceRows:
    """Makes the rows of graph tensors."""

    def __init__(
        self,
        index: HostIndex,
        positions: Positions,
        causes: HostCauses | None = None,
        is_muted: IsMuted = nothing_muted,
    ) -> None:
        self.index = index
        self.positions = positions
        self._causes = causes
        self._is_muted = is_muted

    def __len__(self) -> int:
        return len(self.positions)

    def rows(self, start: int, stop: int) -> list[TraceRow]:
        """Some rows of the list."""
        started, shown = self.index.started, range(start, min(stop, len(self)))
        return [self._row(self.positions.event_at(row), started) for row in shown]

    def row(self, event: int) -> TraceRow:
        """The row of one event."""
        return self._row(event, self.index.started)

    def _row(self, event: int, started: float) -> TraceRow:
        index = self.index
        traces = index.host.traces
        site = traces.site_number(event)
        wall_time = traces.wall_time(event)
        return TraceRow(
            event,
            wall_time - started,
            index.steps.step_of(wall_time),
            index.sites.trace(site),
            traces.sites[site].mode,
            traces.bad(event),
            traces.health(event) if traces.record_size(event) <= LARGEST else None,
            self._causes is not None and self._causes.follows(EventKind.TRACE, event),
            self._is_muted(EventKind.TRACE, event, 1),
        )


class ExecutionRows:
    """Makes the rows of the execution timeline."""

    def __init__(
        self,
        index: HostIndex,
        positions: Positions,
        causes: CallCauses | None = None,
        is_muted: IsMuted = nothing_muted,
    ) -> None:
        self.index = index
        self.positions = positions
        self._causes = causes
        self._is_muted = is_muted

    def __len__(self) -> int:
        return len(self.positions)

    def rows(self, start: int, stop: int) -> list[ExecutionRow]:
        """Some rows of the list."""
        started, shown = self.index.started, range(start, min(stop, len(self)))
        positions = self.positions
        return [
            self._row(positions.event_at(row), positions.size_at(row), started) for row in shown
        ]

    def row(self, event: int, collapsed: int = 1) -> ExecutionRow:
        """The row of one execution, or of a group that begins with it."""
        return self._row(event, collapsed, self.index.started)

    def _row(self, event: int, collapsed: int, started: float) -> ExecutionRow:
        index = self.index
        executions = index.host.executions
        site = executions.site_number(event)
        facts = index.sites.execution(site)
        described = executions.sites[site]
        wall_time = executions.wall_time(event)
        return ExecutionRow(
            event,
            wall_time - started,
            index.steps.step_of(wall_time),
            facts,
            described.mode,
            described.num_outputs,
            _bad_of(executions, event, collapsed),
            _worst(executions, event) if collapsed == 1 else None,
            bad_inside=len(index.bad_inside(event)) if facts.is_call else 0,
            collapsed=collapsed,
            session_run=index.run_numbers.of(event) if facts.is_session_run else None,
            follows=self._causes is not None and self._causes.row_follows(event, collapsed),
            is_muted=self._is_muted(EventKind.EXECUTION, event, collapsed),
        )


def _bad_of(executions: AnyEventStore, first: int, count: int) -> Bad:
    """The bad numbers of some executions that follow each other."""
    if count == 1:
        return executions.bad(first)
    return executions.bad_between(first, first + count)


def _worst(executions: ExecutionStore, event: int) -> Health | None:
    return executions.worst_health(event) if executions.record_size(event) <= LARGEST else None
