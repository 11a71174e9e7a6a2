"""What a tensor may have been computed from, where nothing recorded put out an input of its op.

TensorFlow copies an eager tensor, and reads a variable that is handed to an op, without an op that
is recorded; an array of Python comes in the same way. What was bad before tells them apart.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.cause.bad_reads import first_bad_read
from tfdbg_tui.data.cause.held import health_of
from tfdbg_tui.data.cause.operations import (
    SHAPED_BY_NUMBERS,
    is_float_op,
    needs_large_numbers,
    plain,
)
from tfdbg_tui.data.records.health import Bad
from tfdbg_tui.data.stores.columns import sorted_positions
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import takes_stored, writes_variable

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex

COPIED_WITHIN = 512
"""Executions behind a tensor within which a copy of it is taken."""

MAX_COPIED = 64
"""Bad executions among them that are looked at."""

MAX_USERS = 16
"""Executions that took a tensor among which one is sought that writes a variable."""

MAX_WRITTEN = 400
"""Sites that went bad first among which those are sought that were written to a variable."""


class UntoldInputs:
    """Finds it for the eager ops of one host."""

    def __init__(self, number: int, index: HostIndex) -> None:
        self._number = number
        self._index = index
        self._written = (-1, math.inf)
        """With how many bad sites it was sought, and when a variable was first written bad."""

    def has_any(self, execution: int) -> bool:
        """Whether an execution may have been given its bad numbers by something unrecorded.

        An op that can make ∞ by itself is taken at its word, unless it made nothing but NaN.
        """
        op_type = self._index.host.executions.site_of(execution).op_type
        bad = self._index.host.executions.bad(execution)
        only_nan = not bad & (Bad.NEG_INF | Bad.POS_INF | Bad.UNTOLD)
        is_given = needs_large_numbers(op_type) or plain(op_type) in SHAPED_BY_NUMBERS
        if not is_given and not (only_nan and is_float_op(op_type)):
            return False
        joins = self._index.joins
        ids = joins.inputs_of(execution)[:MAX_USERS]
        return any(joins.producer_of(tensor_id, execution) is None for tensor_id in ids)

    def copied_from(self, execution: int) -> EventRef | None:
        """The bad tensor just before that nothing took, and that is as large as what came out."""
        size = self._size(EventRef(self._number, EventKind.EXECUTION, execution, 0))
        executions = self._index.host.executions
        first = max(0, execution - COPIED_WITHIN)
        low, high = sorted_positions(executions.bad_events, (first, execution)).tolist()
        earlier = dict.fromkeys(reversed(executions.bad_events[low:high].tolist()))
        for before in list(earlier)[:MAX_COPIED]:
            if takes_stored(executions.site_of(before).op_type):  # a read of a variable
                continue
            for slot in list(executions.bad_outputs(before))[:MAX_USERS]:
                tensor = EventRef(self._number, EventKind.EXECUTION, before, slot)
                if self._size(tensor) == size and not self._users(before, slot):
                    return tensor
        return None

    def _takes_bad(self, execution: int) -> bool:
        """Whether an execution took something bad that is recorded."""
        joins, executions = self._index.joins, self._index.host.executions
        ids = joins.inputs_of(execution)[:MAX_USERS]
        makers = [joins.producer_of(tensor_id, execution) for tensor_id in ids]
        return any(m is not None and m[1] in executions.bad_outputs(m[0]) for m in makers)

    def copies_of(self, execution: int) -> list[int]:
        """The bad executions just behind one that took copies of what it put out."""
        executions = self._index.host.executions
        last = execution + COPIED_WITHIN
        low, high = sorted_positions(executions.bad_events, (execution + 1, last)).tolist()
        behind = dict.fromkeys(executions.bad_events[low:high].tolist())
        found = []
        for later in list(behind)[:MAX_COPIED]:
            is_likely = self.has_any(later) and not self._takes_bad(later)
            source = self.copied_from(later) if is_likely else None
            if source is not None and source.event == execution:
                found.append(later)
        return found

    def was_written_bad_before(self, time: float) -> bool:
        """Whether a variable held bad numbers before, as far as writes and reads tell."""
        sites = sum(
            len(self._index.host.store_of(kind).site_alerts.firsts().events) for kind in EventKind
        )
        if self._written[0] != sites:
            self._written = (sites, self._first_bad_write())
        return self._written[1] < time

    def _first_bad_write(self) -> float:
        read = min(first_bad_read(self._index, kind) for kind in EventKind)
        store = self._index.host.executions
        firsts = store.site_alerts.firsts()
        for place in np.argsort(firsts.times, kind="stable")[:MAX_WRITTEN].tolist():
            if firsts.times[place] >= read:
                break
            if self._is_written(int(firsts.events[place])):
                return float(firsts.times[place])
        return read

    def _is_written(self, execution: int) -> bool:
        return any(
            number and writes_variable(self._index.host.executions.site_of(user).op_type)
            for slot in self._index.host.executions.bad_outputs(execution)
            for user, number in self._users(execution, slot)
        )

    def _users(self, execution: int, slot: int) -> list[tuple[int, int]]:
        """Some of those who took an output, with the number of the input that it is."""
        ids = self._index.joins.outputs_of(execution)
        if slot >= len(ids):
            return []
        return self._index.joins.consumers_of(ids[slot], execution, MAX_USERS)

    def _size(self, tensor: EventRef) -> int | None:
        health = health_of(self._index, tensor)
        return None if health is None else health.size
