"""The histories of the tensors that were looked at last: the user may come back to them."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from tfdbg_tui.data.views.tensor_history import TensorHistory
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.executions import ExecutionStore
    from tfdbg_tui.data.stores.traces import TraceStore

KEY_BUDGET = 0.006
"""Seconds that a key press may spend on looking for older invocations; the feed does the rest."""

KEPT = 32


class Tensor(NamedTuple):
    """A tensor, whenever it is computed: a site of a store, and which output of it."""

    store: TraceStore | ExecutionStore
    site: int
    output: int


class Histories:
    """At most so many histories, the latest last."""

    def __init__(self) -> None:
        self._kept: dict[Tensor, TensorHistory] = {}

    def of(self, tensor: Tensor) -> TensorHistory:
        """The history of a tensor, looked for as far as is quick."""
        history = self._kept.pop(tensor, None) or TensorHistory(*tensor)
        self._kept[tensor] = history
        if len(self._kept) > KEPT:
            self._kept.pop(next(iter(self._kept)))
        until = perf_counter() + KEY_BUDGET
        while history.extend() and perf_counter() < until:
            pass
        return history
