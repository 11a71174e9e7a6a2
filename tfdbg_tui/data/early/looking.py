"""What the finders of warnings look at: one host, its samples, and how a warning is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.early.samples import Samples
from tfdbg_tui.data.early.tensors import (
    RECTIFIERS,
    SQUASHERS,
    SUMMERS,
    Tensors,
    is_trace,
    type_of,
)
from tfdbg_tui.data.early.warning import EarlyWarning
from tfdbg_tui.data.records.modes import told_by
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.stores.tf_names import read_call

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import numpy.typing as npt

    from tfdbg_tui.data.early.thresholds import Thresholds
    from tfdbg_tui.data.early.warning import Number, WarningKind
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.records.health import Health

    Column = npt.NDArray[Any]

MAX_COUNTED = 1 << 22
"""Rows of a store among which the invocations of a site are counted."""

Found = "Iterator[EarlyWarning | None]"
"""What finders give: warnings and, to pause, nothing."""


class LookedAt:
    """One host, as finders look at it."""

    def __init__(self, number: int, index: HostIndex, thresholds: Thresholds) -> None:
        self.number = number
        self.index = index
        self.thresholds = thresholds
        self.tensors = Tensors(index)
        host = index.host
        self.traces = Samples(host.traces, self._is_trace_wanted)
        self.executions: Samples | None = None
        """None where executions are not recorded."""
        if host.executions.is_recorded:
            self.executions = Samples(host.executions, self._is_execution_wanted)
        self._roles: dict[EventKind, dict[int, str]] = {kind: {} for kind in EventKind}
        self.kept: dict[tuple[object, ...], Any] = {}
        """What finders have found out and need not look for again."""

    @property
    def samples(self) -> list[Samples]:
        """The samples of both stores."""
        return [self.traces, *([] if self.executions is None else [self.executions])]

    # Which sites matter.

    def _is_trace_wanted(self, site: int) -> bool | None:
        described = self.index.host.traces.sites[site]
        if not _tells_numbers(described.mode):
            return False
        op = self.index.host.op_of(described)
        if op is None:
            return None
        kind = type_of(op.type)
        if self.tensors.may_be_weight_gradient(site):
            self._roles[EventKind.TRACE][site] = "gradient"
            return True
        return self._note_role(EventKind.TRACE, site, kind)

    def _is_execution_wanted(self, site: int) -> bool | None:
        described = self.index.host.executions.sites[site]
        if described.tensors != 1 or not told_by(described.mode) or read_call(described.op_type):
            return False
        if _tells_numbers(described.mode):
            self._note_role(EventKind.EXECUTION, site, type_of(described.op_type))
        return True

    def _note_role(self, kind: EventKind, site: int, op_type: str) -> bool:
        for role, types in (("rectified", RECTIFIERS), ("squashed", SQUASHERS), ("sum", SUMMERS)):
            if op_type in types:
                self._roles[kind][site] = role
                return True
        return False

    def role(self, samples: Samples, site: int) -> str:
        """What a site may be by its type: `gradient`, `rectified`, `squashed`, `sum` or nothing."""
        return self._roles[self.kind_of(samples)].get(site, "")

    def sites_with(self, samples: Samples, *roles: str) -> list[int]:
        """The sites with samples that may be one of these by their type, or anything."""
        own = self._roles[self.kind_of(samples)]
        return [n for n in samples.sites() if n in own and (not roles or own[n] in roles)]

    def read_last(self) -> Iterator[None]:
        """Read what sites of every role hold at the end; yields to pause."""
        for samples in self.samples:
            yield from samples.read_last(self.sites_with(samples))

    def kind_of(self, samples: Samples) -> EventKind:
        """Which store the samples are of."""
        return EventKind.TRACE if samples is self.traces else EventKind.EXECUTION

    def ref(self, samples: Samples, event: int) -> EventRef:
        """The only tensor of an event."""
        return EventRef(self.number, self.kind_of(samples), int(event), 0)

    # Reading exactly.

    def health(self, event: EventRef) -> Health | None:
        """What an event tells, read back from disk."""
        host = self.index.host
        if event.kind is EventKind.EXECUTION:
            return host.executions.health(event.event, event.output or 0)
        return host.traces.health(event.event)

    def last_invocations(self, samples: Samples, site: int, count: int) -> list[int]:
        """The last events of a site, in order."""
        numbers, found = samples.store.site_numbers, np.empty(0, np.int64)
        end, length = len(numbers), 1 << 12
        while end and len(found) < count:
            start = max(0, end - length)
            found = np.append(start + np.flatnonzero(numbers[start:end] == site), found)
            end, length = start, length * 4
        return [int(event) for event in found[-count:]]

    def invocations(self, samples: Samples, site: int, start: int, end: int) -> Column:
        """The events of a site among some rows."""
        return start + np.flatnonzero(samples.store.site_numbers[start:end] == site)

    def first_in(
        self, samples: Samples, site: int, before: int, after: int, holds: Callable[[int], bool]
    ) -> int:
        """The first event of a site from which on something holds, by bisection.

        It holds at the event `after`; it does not at `before`, which is -1 if nothing is before.
        """
        events = self.invocations(samples, site, before + 1, after + 1)
        low, high = 0, len(events) - 1
        while low < high:
            middle = (low + high) // 2
            if holds(int(events[middle])):
                high = middle
            else:
                low = middle + 1
        return int(events[high])

    def count_from(self, samples: Samples, site: int, event: int) -> int:
        """Invocations of a site from an event on."""
        return int(np.count_nonzero(samples.store.site_numbers[event:] == site))

    def name_of(self, event: EventRef) -> str:
        """What the tensor of an event is called in rows."""
        site = self.index.host.store_of(event.kind).site_number(event.event)
        return self.index.sites.of(event.kind, site).name

    def time_of(self, event: EventRef) -> float:
        """When an event happened."""
        return self.index.host.store_of(event.kind).wall_time(event.event)

    # Saying.

    def warning(
        self,
        kind: WarningKind,
        event: EventRef,
        told: str,
        means: str,
        evidence: Mapping[str, Number],
        name: str = "",
        count: int = 1,
        key: tuple[object, ...] = (),
    ) -> EarlyWarning:
        """A warning about the tensor of an event."""
        store = self.index.host.store_of(event.kind)
        site = store.site_number(event.event)
        facts = self.index.sites.of(event.kind, site)
        time = store.wall_time(event.event)
        line = facts.line
        if event.kind is EventKind.EXECUTION and not facts.is_call and not name:
            name = facts.tensor
        return EarlyWarning(
            kind,
            event,
            key or (kind, self.number, event.kind, site),
            name or facts.name,
            facts.op_type or "",
            (facts.function or "") if is_trace(event) else "",
            line,
            time,
            self.index.steps.step_of(time) or None,
            told,
            means,
            dict(evidence),
            count,
            facts.is_call,
        )


def _tells_numbers(mode: int) -> bool:
    """Whether a mode tells how many zeros there are, and of which size."""
    return told_by(mode).issuperset({"zero", "negative", "positive", "size"})
