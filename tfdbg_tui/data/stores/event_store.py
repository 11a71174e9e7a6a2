"""What executions and graph-execution traces have in common: events of one file, as columns."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from tfdbg_tui.data.files.buffers import gather
from tfdbg_tui.data.records.debug_event_schema import parse
from tfdbg_tui.data.records.health import Bad, Health
from tfdbg_tui.data.records.recognition import Recogniser
from tfdbg_tui.data.records.tensor_spans import (
    HealthSource,
    flags_of_values,
    flags_of_vectors,
)
from tfdbg_tui.data.stores.columns import Table, sorted_positions
from tfdbg_tui.data.stores.site_alerts import SiteAlerts
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.files.tfrecord import Block, RecordFile
    from tfdbg_tui.data.records.layout_table import Judged, Recognised, Tensors
    from tfdbg_tui.data.records.layouts import LearnedRecord
    from tfdbg_tui.data.records.tensor_spans import TensorSpan
    from tfdbg_tui.data.stores.columns import Widths

    Column = npt.NDArray[Any]

Site = TypeVar("Site")

MAX_SHARE = 64
"""Times what is read that is expected to come, at most: who knows what a long file holds."""


MARGIN = 1.05
"""Times what is expected that there is room for: to copy columns costs more than unused room."""


class _Alerts(NamedTuple):
    """The bad ones among the tensors of a block, in file order."""

    records: Column
    positions: Column
    bad: Column


class EventStore(Generic[Site]):
    """The events of one file: a few columns for each, everything else read back by offset.

    A *site* is what events have in common that speak of the same op: there are thousands, not
    millions. An alert is an output tensor with any ∞ or NaN.

    The feed's thread adds, any thread reads. Whatever a block adds is published in an order that
    leaves no gap: sites, then events, then the counts of alerts by site, then the alerts.
    """

    def __init__(self, file: RecordFile, **more_columns: Widths) -> None:
        self.file = file
        self.events = Table(
            offset=(np.uint32, np.int64),
            wall_time=np.float64,
            site=(np.int16, np.int32),
            bad=np.uint8,
            **more_columns,
        )
        self.alerts = Table(event=np.uint32, position=(np.uint8, np.uint16), bad=np.uint8)
        """In file order; `position` counts the tensors within a record."""
        self.sites: list[Site] = []
        self.site_alerts = SiteAlerts()
        self.unread_tensors = 0
        """Tensors of which not all values were read; see `Health.unread`."""
        self._site_numbers: dict[Site, int] = {}
        self._recogniser = Recogniser(self.learn)
        self._prepared: deque[tuple[Block, Recognised]] = deque()

    def __len__(self) -> int:
        return len(self.events)

    def learn(self, payload: bytes | memoryview) -> LearnedRecord | None:
        """Decode the first record of its kind; None if it is no record of this store."""
        raise NotImplementedError

    def healths_in(self, payload: bytes, positions: Sequence[int]) -> list[Health | None]:
        """The health of some tensors of a record, decoded; None for one that cannot be."""
        raise NotImplementedError

    def rest(self) -> None:
        """Give back the memory that only helps to read much at once."""
        self._recogniser.rest()

    @property
    def unjudged_tensors(self) -> int:
        """Tensors that may hold ∞ or NaN of which not all was looked at."""
        return self.unread_tensors

    def more_values(self, block: Block, recognised: Recognised) -> dict[str, Column]:
        """The additional columns of the records of a block."""
        return {}

    def register_site(self, site: Site, tensors: int) -> int:
        """The number of a site with that many tensors a record, new or known."""
        number = self._site_numbers.get(site)
        if number is None:
            number = self._site_numbers[site] = len(self.sites)
            self.sites.append(site)
            self.site_alerts.add_site(tensors)
        return number

    # One event.

    def site_number(self, event: int) -> int:
        """The number of the site that an event speaks of."""
        return int(self.events.columns["site"][event])

    def site_of(self, event: int) -> Site:
        """What an event speaks of."""
        return self.sites[self.site_number(event)]

    def wall_time(self, event: int) -> float:
        """When an event happened, in seconds since 1970."""
        return float(self.events.columns["wall_time"][event])

    def bad(self, event: int) -> Bad:
        """Which bad numbers the tensors of an event hold, all together."""
        return Bad(int(self.events.columns["bad"][event]))

    def is_bad(self, event: int) -> bool:
        """Whether a tensor of an event holds any ∞ or NaN."""
        return bool(self.events.columns["bad"][event])

    def bad_outputs(self, event: int) -> dict[int, Bad]:
        """The bad tensors of an event by their position, ascending, with what they hold."""
        if not self.is_bad(event):
            return {}
        low, high = self._alerts_of(event, event + 1)
        alerts = self.alerts.columns
        positions, kinds = alerts["position"][low:high].tolist(), alerts["bad"][low:high].tolist()
        return dict(zip(positions, map(Bad, kinds), strict=True))

    def event(self, index: int) -> Any | None:
        """The whole DebugEvent of an index, read back from disk; None if it is gone."""
        payload = self.file.read_at(int(self.events.columns["offset"][index]))
        return None if payload is None else parse(payload)

    def events_between(self, first: int, end: int) -> list[Any | None]:
        """The whole DebugEvents of some indices, read back from disk together; None if gone."""
        offsets = self.events.columns["offset"][first:end].tolist()
        payloads = self.file.read_many_at(offsets) if offsets else []
        return [None if payload is None else parse(payload) for payload in payloads]

    def record_size(self, event: int) -> int:
        """About how many bytes the record of an event has on disk; never too few."""
        offsets = self.offsets
        following = int(offsets[event + 1]) if event + 1 < len(offsets) else self.file.position
        return following - int(offsets[event])

    # Many events: columns, as long as what is there when they are asked for.

    @property
    def offsets(self) -> npt.NDArray[np.uint32 | np.int64]:
        """Where the record of every event begins in the file."""
        return self.events.columns["offset"]

    @property
    def site_numbers(self) -> npt.NDArray[np.int16 | np.int32]:
        """The number of the site of every event."""
        return self.events.columns["site"]

    @property
    def wall_times(self) -> npt.NDArray[np.float64]:
        """When every event happened, in seconds since 1970."""
        return self.events.columns["wall_time"]

    @property
    def bad_flags(self) -> npt.NDArray[np.uint8]:
        """Which bad numbers the tensors of every event hold; see `Bad`."""
        return self.events.columns["bad"]

    @property
    def bad_events(self) -> npt.NDArray[np.uint32]:
        """The event of every alert, ascending; one with several bad tensors stands repeatedly."""
        return self.alerts.columns["event"]

    def bad_between(self, first: int, end: int) -> Bad:
        """Which bad numbers some events that follow each other hold, all together."""
        low, high = self._alerts_of(first, end)
        return Bad(int(np.bitwise_or.reduce(self.alerts["bad"][low:high], initial=0)))

    def was_ever(self, bad: Bad) -> bool:
        """Whether any alert tells one of these bad numbers."""
        return bool((self.alerts["bad"] & int(bad)).any())

    def _alerts_of(self, first: int, end: int) -> tuple[int, int]:
        """Where the alerts of some events that follow each other begin and end."""
        low, high = sorted_positions(self.bad_events, (first, end)).tolist()
        return low, high

    # Reading.

    def prepare(self, block: Block) -> None:
        """Recognise the records of a block that is to be appended next.

        Another thread may do so while the block before it is being appended: that adds sites, and
        nothing else that the events of this store are made of.
        """
        self._prepared.append((block, self._recogniser.match(block)))

    def extend(self, block: Block) -> None:
        """Append the events of a block."""
        if self._prepared and self._prepared[0][0] is block:
            _, recognised = self._prepared.popleft()
        else:
            recognised = self._recogniser.match(block)
        if not len(block):
            return
        tensors = recognised.tensors()
        flags = self._judge(block, recognised, tensors)
        bad = np.flatnonzero(flags != 0)
        positions = recognised.columns.span_positions[tensors.spans[bad]]
        alerts = _Alerts(tensors.records[bad], positions, flags[bad])
        values = {
            "offset": block.offsets,
            "wall_time": _wall_times(block, recognised),
            "site": recognised.sites,
            "bad": tensors.any_of_record(flags),
            **self.more_values(block, recognised),
        }
        self._expect_more(block)
        self._publish(values, alerts)

    def _expect_more(self, block: Block) -> None:
        """Have room for as many events and alerts as there will be if all goes on like this."""
        read = block.base + int(block.starts[-1] + block.lengths[-1])
        share = MARGIN * min(self.file.size / read, MAX_SHARE)
        self.events.expect(int(share * (len(self.events) + len(block))))
        if len(self.events):
            self.alerts.expect(int(share * len(self.alerts) * (1 + len(block) / len(self.events))))

    def _judge(self, block: Block, recognised: Recognised, tensors: Tensors) -> Column:
        """The bad numbers of every tensor; health vectors are judged together."""
        columns = recognised.columns
        starts = block.starts[tensors.records] + columns.span_starts[tensors.spans]
        apart = recognised.records_apart()
        if len(columns.vector_modes) == 1 and not apart:
            return flags_of_vectors(block.buffer, starts, *columns.vector_modes)
        flags = np.zeros(len(starts), np.uint8)
        mode_of = columns.span_modes[tensors.spans]
        for mode in columns.vector_modes:
            chosen = np.flatnonzero(mode_of == mode)
            flags[chosen] = flags_of_vectors(block.buffer, starts[chosen], mode)
        for layout, records in apart:
            self._judge_apart(block, columns.apart[layout], records, tensors, flags)
        return flags

    def _judge_apart(
        self, block: Block, judged: list[Judged], records: Column, tensors: Tensors, flags: Column
    ) -> None:
        """Judge what is no health vector in some records of one layout."""
        places = tensors.firsts[records]
        alone = [n for n, (_, span) in enumerate(judged) if span.source is HealthSource.ALONE]
        for number, (_, span) in enumerate(judged):
            if span.source is HealthSource.VALUES:
                flags[places + number] = _judge_values(block, records, span)
        if alone:
            positions = [judged[number].position for number in alone]
            for place, record in zip(places.tolist(), records.tolist(), strict=True):
                flags[np.add(place, alone)] = self._decoded_flags(block.payload(record), positions)

    def _decoded_flags(self, payload: bytes, positions: list[int]) -> list[int]:
        """The bad numbers of some tensors of a record that has to be decoded."""
        healths = self.healths_in(payload, positions)
        self.file.count_unparsable(healths.count(None))
        self.unread_tensors += sum(1 for health in healths if health and health.unread)
        return [0 if health is None else int(health.bad) for health in healths]

    def _publish(self, values: dict[str, Column], alerts: _Alerts) -> None:
        base = len(self.events)
        numbers = np.arange(base, base + len(values["site"]))
        senseless = values["site"] < 0
        if senseless.any():
            self.file.count_unparsable(int(np.count_nonzero(senseless)))
            values = {name: column[~senseless] for name, column in values.items()}
            numbers = base + np.cumsum(~senseless) - 1
        self.events.extend(**values)
        if len(alerts.records):
            self._publish_alerts(numbers, alerts)

    def _publish_alerts(self, numbers: Column, alerts: _Alerts) -> None:
        events = numbers[alerts.records]
        self.site_alerts.extend(
            sites=self.site_numbers[events],
            positions=alerts.positions,
            events=events,
            wall_times=self.wall_times[events],
        )
        self.alerts.extend(event=events, position=alerts.positions, bad=alerts.bad)


def _judge_values(block: Block, records: Column, span: TensorSpan) -> Column:
    flags = np.zeros(len(records), np.uint8)
    for piece in span.pieces():
        starts = block.starts[records] + piece.start
        flags |= flags_of_values(gather(block.buffer, starts, piece.end - piece.start), piece)
    return flags


def _wall_times(block: Block, recognised: Recognised) -> Column:
    """When each event happened; 0 where a record does not say."""
    doubles: Column = np.ndarray((len(block.buffer) - 7,), "<f8", block.buffer, strides=(1,))
    of_layout = recognised.columns.wall_times
    usual = int(of_layout[-1])
    if usual >= 0 and (of_layout[1:] == usual).all():  # what is senseless has any time
        return doubles[block.starts + usual]
    offsets = of_layout[recognised.numbers]
    times: Column = doubles[block.starts + np.maximum(offsets, 0)]
    times[offsets < 0] = 0.0
    return times
