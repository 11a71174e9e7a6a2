"""What single computations of one tensor hold, read back from disk in the background."""

from __future__ import annotations

from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING

from tfdbg_tui.data.records.modes import tells_values
from tfdbg_tui.data.records.value_facts import LARGEST, value_facts
from tfdbg_tui.data.stores.executions import ExecutionStore
from tfdbg_tui.data.views.tensor_history import TensorHistory, health_at
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfdbg_tui.data.records.health import Health

SLICE_SECONDS = 0.004
"""How long records are read in one go."""

MAX_KNOWN, MAX_WANTED = 1 << 14, 1 << 12
"""Samples that are kept, and records that wait to be read."""


class Sample(NamedTuple):
    """One computation; None is what is not told, or is too large to be read for it."""

    health: Health | None = None
    lowest: float | None = None
    """Of its finite numbers, where whole tensors are recorded."""
    highest: float | None = None
    mean: float | None = None

    @property
    def magnitude(self) -> float | None:
        """How far its finite numbers are from zero at the most."""
        if self.lowest is None or self.highest is None:
            return None
        return max(abs(self.lowest), abs(self.highest))


class TensorSamples:
    """Computations of the tensor of a history; a job for the feed, which keeps both up to date."""

    def __init__(self, history: TensorHistory) -> None:
        self.history = history
        self._known: dict[int, Sample] = {}
        self._wanted: deque[int] = deque(maxlen=MAX_WANTED)

    def of(self, event: int) -> Sample | None:
        """What an event holds; None while that is not known."""
        return self._known.get(event)

    def want(self, events: Iterable[int]) -> bool:
        """Have some events read; False if all are known."""
        missing = [event for event in events if event not in self._known]
        self._wanted.extend(missing)
        return bool(missing)

    def extend(self) -> bool:
        """Look for invocations, then read some of what is wanted; True while there is more."""
        if self.history.extend():
            return True
        if len(self._known) > MAX_KNOWN:
            self._known = {}
        until = perf_counter() + SLICE_SECONDS
        while self._wanted and perf_counter() < until:
            event = self._wanted.popleft()
            if event not in self._known:
                self._known[event] = self.read(event)
        return bool(self._wanted)

    def read(self, event: int) -> Sample:
        """Read one computation back from disk."""
        store, position = self.history.store, self.history.position
        if store.record_size(event) > LARGEST:
            return Sample()
        health = health_at(store, event, position)
        if not tells_values(store.site_of(event).mode):
            return Sample(health)
        if isinstance(store, ExecutionStore):
            facts = value_facts(store.written(event, position))
        else:
            facts = value_facts(store.written(event))
        if facts is None:
            return Sample(health)
        return Sample(health, facts.lowest, facts.highest, facts.mean)
