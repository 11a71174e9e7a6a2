"""The traces of a session's graph that tell its runs apart, each with what follows it.

What a loop repeats, or another graph inside the session's computes, does not tell runs apart; it
belongs to the run of the trace before it, or of the one behind it if a longer time lies before.
What computes an update belongs to the run before: an update is never the first thing in a run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.index.session_graphs import Roles

    Column = npt.NDArray[Any]


class SessionRunEvents(NamedTuple):
    """Traces that count, in columns; each stands for itself and all up to the next one."""

    site: Column
    time: Column
    is_switch: Column
    """Whether another graph has run since the one before."""
    latest: Column
    """The latest time of all it stands for."""
    training: Column
    """How many of these compute an update of a variable."""
    gap: Column
    """The longest time between two of these that follow each other, or the next that counts,
    where another run may begin."""
    early_latest: Column
    """The latest time before that gap."""
    last: Column
    """The time of the last of all it stands for."""

    @property
    def total(self) -> int:
        """How many there are."""
        return len(self.site)

    def since(self, first: int) -> SessionRunEvents:
        """Those from one on."""
        return SessionRunEvents(*(column[first:].copy() for column in self))

    def cut_at(self, starts: Column) -> SessionRunEvents:
        """The same if runs begin with some of them: what comes late before one belongs to it."""
        ends = starts[starts > 0] - 1
        latest = self.latest.copy()
        latest[ends] = self.early_latest[ends]
        return self._replace(latest=latest)

    def followed_by(
        self, sites: Column, times: Column, is_switch: Column, roles: Roles
    ) -> SessionRunEvents:
        """These and more traces."""
        trains = roles.trains[sites].astype(np.int64)
        starts = np.flatnonzero(roles.counts[sites])
        leading = int(starts[0]) if len(starts) else len(sites)
        if self.total:
            self._add_to_last(times[: leading + 1], trains[:leading])
        if not len(starts):
            return self
        new = _events(sites, times, is_switch, trains, starts)
        return SessionRunEvents(*(np.concatenate(pair) for pair in zip(self, new, strict=True)))

    def _add_to_last(self, times: Column, trains: Column) -> None:
        """Let the last one stand for more, as many as there are `trains`; then comes another."""
        gaps = times - np.append(self.last[-1:], times[:-1])
        if trains.any():
            gaps[: np.flatnonzero(trains)[-1] + 1] = self.gap[-1] = -np.inf
        longest = int(np.argmax(gaps)) if len(gaps) else 0
        if len(gaps) and not gaps[longest] <= self.gap[-1]:
            before = np.append(self.latest[-1:], times[:longest])
            self.gap[-1], self.early_latest[-1] = gaps[longest], np.fmax.reduce(before)
        if len(trains):
            own = times[: len(trains)]
            self.last[-1] = own[-1]
            self.latest[-1] = np.fmax(self.latest[-1], np.fmax.reduce(own))
            self.training[-1] += trains.sum()


def _events(
    sites: Column, times: Column, is_switch: Column, trains: Column, starts: Column
) -> SessionRunEvents:
    """Traces from the first that counts on."""
    gaps = np.append(times[1:] - times[:-1], -np.inf)
    ends = np.append(starts[1:], len(sites))
    if len(starts) == ends[-1] - starts[0]:  # every one counts
        own = times[starts]
        return SessionRunEvents(
            sites[starts], own, is_switch[starts], own, trains[starts], gaps[starts], own, own
        )
    rows = np.arange(len(sites))
    numbers = np.repeat(np.arange(len(starts)), ends - starts)
    last_training = np.maximum.reduceat(np.where(trains > 0, rows, -1), starts)
    gaps[starts[0] :][rows[starts[0] :] < last_training[numbers]] = -np.inf
    longest = np.fmax.reduceat(gaps, starts)
    hits = np.flatnonzero(~(gaps[starts[0] :] < longest[numbers]))
    _, firsts = np.unique(numbers[hits], return_index=True)
    behind = hits[firsts] + starts[0] + 1
    halves = np.column_stack((starts, behind)).ravel()
    return SessionRunEvents(
        sites[starts],
        times[starts],
        is_switch[starts],
        np.fmax.reduceat(times, starts),
        np.add.reduceat(trains, starts),
        longest,
        np.fmax.reduceat(np.append(times, -np.inf), halves)[::2],
        times[ends - 1],
    )


def no_events() -> SessionRunEvents:
    """None yet."""
    whole, real = np.empty(0, np.int64), np.empty(0)
    return SessionRunEvents(
        np.empty(0, np.int32), real, np.empty(0, np.bool_), real, whole, real, real, real
    )
