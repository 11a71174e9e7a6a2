"""How often each function of a program was called: which one is its step, about, and how many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tfdbg_tui.data.stores.tf_names import read_call
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfdbg_tui.data.stores.executions import ExecutionStore
    from tfdbg_tui.data.stores.host import Host


class CallCount(NamedTuple):
    """A function, and how often it was called."""

    function: str
    calls: int


class CallCounts:
    """The calls of one host, counted as they come; for the thread that reads."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._begin(host.executions)

    def _begin(self, store: ExecutionStore) -> None:
        self._store = store
        self._by_site = np.zeros(0, np.int64)
        self._counted = self._known_sites = 0
        self._functions: dict[str, list[int]] = {}
        """The sites from which each function is called."""

    def most_called(self) -> CallCount | None:
        """The function that was called most often; None if none was."""
        if self._store is not self._host.executions:
            self._begin(self._host.executions)  # the file was replaced
        self._count()
        counts = self._by_site
        return most_called(
            CallCount(name, int(counts[sites].sum())) for name, sites in self._functions.items()
        )

    def _count(self) -> None:
        """Count what has come; its sites have come before it."""
        new = self._store.site_numbers[self._counted :]
        if not len(new):
            return
        counts = np.bincount(new, minlength=len(self._by_site))
        counts[: len(self._by_site)] += self._by_site
        self._by_site, self._counted = counts, self._counted + len(new)
        for number in range(self._known_sites, len(counts)):
            call = read_call(self._store.sites[number].op_type)
            if call is not None and not call.is_gradient:
                self._functions.setdefault(call.function, []).append(number)
        self._known_sites = len(counts)


def most_called(found: Iterable[CallCount | None]) -> CallCount | None:
    """The function with most calls; the first of several."""
    return max((count for count in found if count), key=lambda count: count.calls, default=None)
