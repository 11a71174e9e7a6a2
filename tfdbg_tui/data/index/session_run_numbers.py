"""Which executions are runs of TF1 sessions: their numbers, and how many tensors each computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.stores.columns import NO_ROWS, RowsSoFar, Table, sorted_positions
from tfdbg_tui.data.stores.tf_names import is_session_run
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.index.joins import Joins
    from tfdbg_tui.data.stores.host import Host

    Column = npt.NDArray[Any]

ROWS_PER_SLICE = 200_000
"""Executions looked at in one go."""

MAX_COUNTED = 20_000
"""Traces of a run that are counted; a row has to be made within microseconds."""


class SessionRunFacts(NamedTuple):
    """A run of a session among all."""

    number: int
    """From 1, over all sessions."""
    tensors: int
    """How many it computed that were traced."""
    has_more: bool
    """Whether there are more than were counted."""


class SessionRunNumbers:
    """The runs among the executions of a host.

    `extend` is for the feed's thread; any thread asks: what was found is published in one
    assignment for each slice.
    """

    def __init__(self, host: Host, joins: Joins) -> None:
        self._executions = host.executions
        self._joins = joins
        self._so_far = NO_ROWS
        self._rows = Table(row=np.uint32)
        self._is_run = np.zeros(0, np.bool_)
        """By site."""

    def extend(self) -> bool:
        """Look at a slice of executions; True while there is more."""
        start = self._so_far.scanned
        end = min(len(self._executions), start + ROWS_PER_SLICE)
        if end > start:
            new = self._executions.sites[len(self._is_run) :]
            kinds = np.array([is_session_run(site.op_type) for site in new], np.bool_)
            self._is_run = np.append(self._is_run, kinds)
            found = np.flatnonzero(self._is_run[self._executions.site_numbers[start:end]])
            self._rows.extend(row=found + start)
            self._so_far = RowsSoFar(self._rows["row"], end)
        return end < len(self._executions)

    def of(self, execution: int) -> SessionRunFacts | None:
        """What there is to say of a run; None for any other execution, or one that just came."""
        rows = self._so_far.rows
        rank = int(sorted_positions(rows, execution))
        if rank == len(rows) or int(rows[rank]) != execution:
            return None
        first, end = self._joins.window_of(execution)
        counted = np.arange(first, min(end, first + MAX_COUNTED))
        tensors = len(self._joins.own_traces(execution, counted))
        return SessionRunFacts(rank + 1, tensors, has_more=end - first > MAX_COUNTED)
