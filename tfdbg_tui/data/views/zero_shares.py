"""The share of zeros in single tensors, read back from disk in the background where wanted."""

from __future__ import annotations

from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.executions import ExecutionStore

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfdbg_tui.data.stores.event_kind import EventKind
    from tfdbg_tui.data.stores.host import Host

SLICE_SECONDS = 0.004
"""How long records are read in one go."""

MAX_BYTES = 1 << 20
"""Bytes of a record that is read for its zeros."""

MAX_KNOWN, MAX_WANTED = 1 << 16, 1 << 14
"""Shares that are kept, and records that wait to be read."""

UNTOLD = -1.0
"""The share of what does not tell it, or is too large to be read for that."""


class ZeroShares:
    """Any thread may ask and want; the feed's reads."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._known: dict[tuple[EventKind, int], float] = {}
        self.reads = 0
        """Records read so far."""
        self._wanted: deque[tuple[EventKind, int]] = deque(maxlen=MAX_WANTED)

    def of(self, kind: EventKind, event: int) -> float | None:
        """The share of zeros of an event, UNTOLD, or None while it is not known."""
        return self._known.get((kind, event))

    def want(self, kind: EventKind, events: Iterable[int]) -> bool:
        """Have the shares of some events read; False if all are known."""
        missing = [(kind, event) for event in events if (kind, event) not in self._known]
        self._wanted.extend(missing)
        return bool(missing)

    def extend(self) -> bool:
        """Read some of what is wanted; True while there is more."""
        if len(self._known) > MAX_KNOWN:
            self._known = {}
        until = perf_counter() + SLICE_SECONDS
        while self._wanted and perf_counter() < until:
            wanted = self._wanted.popleft()
            if wanted not in self._known:
                self._known[wanted] = self._read(*wanted)
                self.reads += 1
        return bool(self._wanted)

    def _read(self, kind: EventKind, event: int) -> float:
        store = self._host.store_of(kind)
        if store.record_size(event) > MAX_BYTES:
            return UNTOLD
        if isinstance(store, ExecutionStore):
            health = store.worst_health(event)
        else:
            health = store.health(event)
        if health is None or health.zero is None or not health.size:
            return UNTOLD
        return health.zero / health.size
