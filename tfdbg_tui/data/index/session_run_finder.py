"""Where one run of a session's graph ends and the next begins, found in its traces alone.

Nothing records it. But in one run each op outside loops is computed once at the most, and traced
behind its inputs. So a trace cannot be of the same run as an earlier one if that is of the same
site or of one that takes its output: the two *collide*. A run goes on until a trace collides with
one of its own; that one is certainly of the next run.

The next run may have begun a little before, though, with ops that the run before does not have: a
constant of the optimizer behind a validation. What has no connection with the run that ends may
belong to either, or be a run by itself. Runs that are known settle it, or else the time: between
two runs the program is in Python, and that takes longer than to go from op to op.

Two runs that share nothing and always follow each other are taken for one: nothing tells them
from a run that computes one thing after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.index.session_run_events import no_events
from tfdbg_tui.data.index.session_run_stretch import Stretch
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.index.session_graphs import Roles
    from tfdbg_tui.data.index.session_run_stretch import Edges

    Column = npt.NDArray[Any]

MAX_KINDS = 10_000
"""Different runs that are remembered."""

PLAIN, TRAINING, INITIAL = 0, 1, 2
"""What a run is for: anything, updating variables, giving them their first values."""


class FoundRuns(NamedTuple):
    """Runs of one graph, in the order of time."""

    begins: Column
    """When the first trace of each was computed."""
    ends: Column
    """When the last one was."""
    purposes: Column


class _Bounds(NamedTuple):
    """Where runs begin and end."""

    places: list[int]
    """The first trace of each run, and the end of the last."""
    certain: int
    """How many runs will not change."""


class SessionRunFinder:
    """Finds the runs of one graph as its traces come; for the feed's thread.

    What is found of the last few runs may change: how a run ends is certain when those behind it
    have ended as well.
    """

    def __init__(self) -> None:
        self._events = no_events()
        """From the first run on that is not certain."""
        self._is_beginning = True
        """Whether only first values of variables were computed so far."""
        self._kinds: dict[int, int] = {}
        """How often each kind of run was found for certain."""
        self.open_runs = no_runs()
        """Those that are not certain yet."""
        self.last_time = -np.inf
        """The time of the last trace."""

    def extend(
        self, sites: Column, times: Column, is_switch: Column, roles: Roles, edges: Edges
    ) -> FoundRuns:
        """Take more traces; gives the runs that have become certain.

        `is_switch` tells which of them come behind one of another graph.
        """
        self._events = self._events.followed_by(sites, times, is_switch, roles)
        self.last_time = float(times[-1])
        if not self._events.total:
            return no_runs()
        bounds = self._bounds(roles, edges)
        runs = self._runs(bounds.places, roles)
        self._events = self._events.since(bounds.places[bounds.certain])
        self.open_runs = FoundRuns(*(column[bounds.certain :] for column in runs))
        return FoundRuns(*(column[: bounds.certain] for column in runs))

    def finish(self) -> FoundRuns:
        """Take what there is for whole runs: something else has run meanwhile."""
        found, self.open_runs = self.open_runs, no_runs()
        self._events = no_events()
        return found

    def _bounds(self, roles: Roles, edges: Edges) -> _Bounds:
        total = self._events.total
        known = dict(self._kinds)  # and those that are found on the way, certain or not
        stretch = Stretch(self._events, roles, edges, known)
        beginning = self._end_of_beginning(roles)
        places, certain = [0], 0
        while True:
            here = places[-1]
            end = stretch.collision(here)
            switch = stretch.switch(here, end)
            is_certain = stretch.is_certain(end)
            if here < beginning <= end:
                cut: int | None = beginning
                is_certain = True
            elif switch is not None:
                cut, is_certain = switch, True
            else:
                cut = stretch.cut(here, end)
            if cut is None:
                self._is_beginning &= places[certain] < beginning or beginning == 0
                return _Bounds([*places, total], certain)
            kind = stretch.kind(here, cut)
            known[kind] = known.get(kind, 0) + 1
            if is_certain and certain == len(places) - 1:
                certain += 1
                self._remember(kind)
            places.append(cut)

    def _end_of_beginning(self, roles: Roles) -> int:
        """Where the first values of variables end: nothing else is computed in a run with them."""
        if not self._is_beginning:
            return 0
        others = np.flatnonzero(~roles.is_initial[self._events.site])
        if len(others) and not others[0]:
            self._is_beginning = False
        return int(others[0]) if len(others) else 0

    def _remember(self, kind: int) -> None:
        if len(self._kinds) < MAX_KINDS or kind in self._kinds:
            self._kinds[kind] = self._kinds.get(kind, 0) + 1

    def _runs(self, places: list[int], roles: Roles) -> FoundRuns:
        starts = np.array(places[:-1])
        events = self._events.cut_at(starts)
        trains = np.add.reduceat(events.training, starts) > 0
        is_initial = np.logical_and.reduceat(roles.is_initial[events.site], starts)
        purposes = np.where(trains, TRAINING, np.where(is_initial, INITIAL, PLAIN))
        ends = np.fmax.reduceat(events.latest, starts)
        return FoundRuns(events.time[starts], ends, purposes.astype(np.uint8))


def no_runs() -> FoundRuns:
    """None found."""
    return FoundRuns(np.empty(0), np.empty(0), np.empty(0, np.uint8))
