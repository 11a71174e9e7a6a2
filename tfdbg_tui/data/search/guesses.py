"""Which of the events that were looked at may be others by now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.executions import ExecutionStore

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.traces import TraceStore


class Guesses:
    """Of one store: runs of sessions that were going on when they were looked at."""

    def __init__(self, store: TraceStore | ExecutionStore) -> None:
        self._store = store
        self._certain = 0

    @property
    def _certain_now(self) -> int:
        store = self._store
        return store.settled if isinstance(store, ExecutionStore) else len(store)

    def look(self) -> None:
        """All that is there is about to be looked at."""
        self._certain = self._certain_now

    def since(self, scanned: int) -> int | None:
        """The first of the events looked at that has become certain only since then."""
        then = self._certain
        return then if then < scanned and then < self._certain_now else None
