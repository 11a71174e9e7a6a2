"""What executions and graph-execution traces have in common: events of one file, as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from tfdbg_tui.data.columns import Table
from tfdbg_tui.data.events import parse
from tfdbg_tui.data.layouts import LayoutBook, Lesson, Match
from tfdbg_tui.data.site_alerts import SiteAlerts
from tfdbg_tui.data.tensor_spans import Judge, TensorSpan, bad_flags

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.tfrecord import Block, RecordFile

Site = TypeVar("Site")


class EventStore(Generic[Site]):
    """The events of one file: a few columns for each, everything else read back by offset.

    A *site* is what events have in common that speak of the same op: there are thousands, not
    millions. An alert is an output tensor with any ∞ or NaN.
    """

    def __init__(self, file: RecordFile, **more_columns: npt.DTypeLike) -> None:
        self.file = file
        self.events = Table(
            offset=np.int64, wall_time=np.float64, site=np.int32, bad=np.uint8, **more_columns
        )
        self.alerts = Table(event=np.uint32, position=np.uint16, bad=np.uint8)
        """In file order; `position` counts the tensors within a record."""
        self.sites: list[Site] = []
        self.site_alerts = SiteAlerts()
        self._site_numbers: dict[Site, int] = {}
        self._book = LayoutBook(self.learn)

    def __len__(self) -> int:
        return len(self.events)

    def learn(self, payload: bytes) -> Lesson | None:
        """Decode the first record of its kind; None if it is no record of this store."""
        raise NotImplementedError

    def flags_of(self, payload: bytes, position: int) -> int:
        """Which bad numbers a tensor of a record holds, decoded by itself."""
        raise NotImplementedError

    def more_values(self, match: Match) -> dict[str, npt.NDArray[Any]]:
        """The additional columns of some records."""
        return {}

    def site_number(self, site: Site, tensors: int) -> int:
        """The number of a site with that many tensors a record, new or known."""
        number = self._site_numbers.get(site)
        if number is None:
            number = self._site_numbers[site] = len(self.sites)
            self.sites.append(site)
            self.site_alerts.add_site(tensors)
        return number

    def event(self, index: int) -> Any | None:
        """The whole DebugEvent of an index, read back from disk; None if it is gone."""
        payload = self.file.read_at(int(self.events["offset"][index]))
        return None if payload is None else parse(payload)

    def extend(self, block: Block) -> None:
        """Append the events of a block."""
        values: dict[str, npt.NDArray[Any]] = {
            name: np.zeros(len(block), self.events[name].dtype) for name in self.events.names
        }
        values["offset"] = block.offsets
        values["site"][:] = -1
        alerts: list[tuple[npt.NDArray[Any], int, npt.NDArray[np.uint8]]] = []
        for match in self._book.match(block):
            records = match.records
            values["site"][records] = match.sites
            values["wall_time"][records] = match.wall_times()
            for name, more in self.more_values(match).items():
                values[name][records] = more
            for position, span in enumerate(match.layout.tensors):
                flags = self._judge(block, match, position, span)
                if flags is not None and flags.any():
                    values["bad"][records] |= flags
                    hits = np.flatnonzero(flags)
                    alerts.append((records[hits], position, flags[hits]))
        self._publish(values, alerts)

    def _judge(
        self, block: Block, match: Match, position: int, span: TensorSpan
    ) -> npt.NDArray[np.uint8] | None:
        if span.judge is Judge.NOTHING:
            return None
        if span.judge is Judge.ALONE:
            payloads = [block.payload(record) for record in match.records.tolist()]
            return np.array([self.flags_of(payload, position) for payload in payloads], np.uint8)
        return bad_flags(match.rows, span)

    def _publish(
        self,
        values: dict[str, npt.NDArray[Any]],
        alerts: list[tuple[npt.NDArray[Any], int, npt.NDArray[np.uint8]]],
    ) -> None:
        base = len(self.events)
        numbers = np.arange(base, base + len(values["site"]))
        senseless = values["site"] < 0
        if senseless.any():
            self.file.count_unparsable(int(np.count_nonzero(senseless)))
            values = {name: column[~senseless] for name, column in values.items()}
            numbers = base + np.cumsum(~senseless) - 1
        self.events.extend(**values)
        if alerts:
            self._publish_alerts(numbers, alerts)

    def _publish_alerts(
        self,
        numbers: npt.NDArray[np.int64],
        alerts: list[tuple[npt.NDArray[Any], int, npt.NDArray[np.uint8]]],
    ) -> None:
        events = numbers[np.concatenate([records for records, _, _ in alerts])]
        positions = np.repeat([place for _, place, _ in alerts], [len(a[0]) for a in alerts])
        flags = np.concatenate([flags for _, _, flags in alerts])
        order = np.lexsort((positions, events)) if positions.any() else np.argsort(events)
        events, positions, flags = events[order], positions[order], flags[order]
        self.site_alerts.extend(
            sites=self.events["site"][events],
            positions=positions,
            events=events,
            wall_times=self.events["wall_time"][events],
        )
        self.alerts.extend(event=events, position=positions, bad=flags)
