"""The names of where tensors come from: one entry for each site, to which rows refer by number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.records.modes import mode_name
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.data.stores.layer_names import layer_and_op
from tfdbg_tui.sanitise import one_line

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.index.run_index import RunIndex
    from tfdbg_tui.data.index.site_facts import SiteFacts

NAMES = ("name", "op_name", "op_type", "function", "layer", "device", "file", "mode")
SITES = np.dtype([*((name, "O") for name in NAMES), ("line", "<i4")])


class Sites:
    """The names of all sites of a run."""

    def __init__(self, index: RunIndex) -> None:
        self._index = index
        self._firsts: dict[tuple[int, EventKind], int] = {}
        self._rows: npt.NDArray[Any] = np.zeros(0, SITES)
        self._fill()

    @property
    def rows(self) -> npt.NDArray[Any]:
        """An entry for each; a line of 0 and an empty text are what is not known."""
        return self._rows

    def first_of(self, host: int, kind: EventKind) -> int:
        """The number of the first site of a store."""
        return self._firsts[host, kind]

    def _fill(self) -> None:
        parts = [self._rows]
        count = 0
        for number, index in enumerate(self._index.hosts):
            for kind in EventKind:
                self._firsts[number, kind] = count
                parts.append(_named(index, kind))
                count += len(parts[-1])
        self._rows = np.concatenate(parts)


def _named(index: HostIndex, kind: EventKind) -> npt.NDArray[Any]:
    store = index.host.store_of(kind)
    modes = [site.mode for site in store.sites]
    rows = np.zeros(len(modes), SITES)
    for number, mode in enumerate(modes):
        facts = index.sites.of(kind, number)
        op_name = facts.tensor if kind is EventKind.EXECUTION else facts.tensor.rpartition(":")[0]
        rows[number] = _entry(facts, op_name, mode)
    return rows


def _entry(facts: SiteFacts, op_name: str, mode: int) -> tuple[object, ...]:
    line = facts.line
    layer = "" if facts.is_call else layer_and_op(facts.tensor)[0]
    texts = (
        facts.tensor,
        op_name,
        facts.op_type or "",
        facts.function or "",
        layer,
        facts.device,
        "" if line is None else line.path,
    )
    return (*map(one_line, texts), mode_name(mode), 0 if line is None else line.line)
