"""The same element of a tensor, or the same statistics, in one computation after another."""

from __future__ import annotations

from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING, Any

from tfdbg_tui.data.values.pieces import SLICE_SECONDS
from tfdbg_tui.data.values.recorded_value import NotRecorded, value_of
from tfdbg_tui.data.values.slices import flat
from tfdbg_tui.data.values.statistics import StatisticsJob
from tfdbg_tui.data.values.value_error import ValueQueryError
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfdbg_tui.data.stores.event_kind import EventKind
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.values.recorded_value import RecordedValue
    from tfdbg_tui.data.values.slices import Slice
    from tfdbg_tui.data.values.statistics import Statistics


class Moment(NamedTuple):
    """One computation; None is what it does not have."""

    event: int
    element: Any = None
    statistics: Statistics | None = None


class OverTime:
    """Reads computations of one tensor, those that are wanted; a job."""

    def __init__(self, host: Host, kind: EventKind, output: int | None = None) -> None:
        self._host, self._kind, self._output = host, kind, output
        self._index: tuple[int, ...] | None = None
        self._part: Slice | None = None
        self._known: dict[int, Moment] = {}
        self._wanted: deque[int] = deque()
        self._current: tuple[int, StatisticsJob] | None = None

    def want(
        self,
        events: Iterable[int],
        index: tuple[int, ...] | None = None,
        part: Slice | None = None,
    ) -> bool:
        """Have some computations read: an element of each, or without one the statistics.

        Those of a part, where one is given. What is known of them is kept; False if that is all.
        """
        if (index, part) != (self._index, self._part):
            self._index, self._part, self._known, self._current = index, part, {}, None
        self._wanted = deque(event for event in events if event not in self._known)
        return bool(self._wanted)

    def of(self, event: int) -> Moment | None:
        """What was read of one; None while it is not."""
        return self._known.get(event)

    def extend(self) -> bool:
        """Read on for a moment; True while there is more to read."""
        until = perf_counter() + SLICE_SECONDS
        while (self._wanted or self._current) and perf_counter() < until:
            self._read_further()
        return bool(self._wanted or self._current)

    def _read_further(self) -> None:
        event = self._current[0] if self._current else self._wanted.popleft()
        try:
            self._read(event)
        except ValueQueryError:  # it is gone by now, or has no such part
            self._note(Moment(event))
            self._current = None

    def _read(self, event: int) -> None:
        if self._current is not None:
            job = self._current[1]
            if not job.extend():
                self._note(Moment(event, statistics=job.result))
                self._current = None
            return
        value = value_of(self._host, self._kind, event, self._output)
        if isinstance(value, NotRecorded):
            self._note(Moment(event))
        elif self._index is not None:
            self._note(Moment(event, element_at(value, self._index)))
        else:
            selected = value.whole if self._part is None else self._part.on(value.shape)
            self._current = event, StatisticsJob(value, selected)

    def _note(self, moment: Moment) -> None:
        self._known[moment.event] = moment


def element_at(value: RecordedValue, index: tuple[int, ...]) -> Any:
    """One element as Python has it; None where the shape has no such index."""
    if len(index) != len(value.shape):
        return None
    if not all(0 <= number < size for number, size in zip(index, value.shape, strict=True)):
        return None
    place = flat(index, value.shape)
    return value.elements(place, place + 1).tolist()[0]
