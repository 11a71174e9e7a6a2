"""What executions and graph-execution traces have in common: events of one file, as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

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

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.files.tfrecord import Block, RecordFile
    from tfdbg_tui.data.records.layouts import LearnedRecord, Match
    from tfdbg_tui.data.records.tensor_spans import TensorSpan
    from tfdbg_tui.data.stores.columns import Widths

    Column = npt.NDArray[Any]

Site = TypeVar("Site")

MAX_SHARE = 64
"""Times what is read that is expected to come, at most: who knows what a long file holds."""


class _Tensors(NamedTuple):
    """One tensor of each of some records of a block."""

    records: Column
    position: int
    """Which of the tensors of its record."""
    told: Column
    """For each record: first where its health vector is, then which bad numbers it holds."""


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

    def __len__(self) -> int:
        return len(self.events)

    def learn(self, payload: bytes) -> LearnedRecord | None:
        """Decode the first record of its kind; None if it is no record of this store."""
        raise NotImplementedError

    def healths_in(self, payload: bytes, positions: Sequence[int]) -> list[Health | None]:
        """The health of some tensors of a record, decoded; None for one that cannot be."""
        raise NotImplementedError

    @property
    def unjudged_tensors(self) -> int:
        """Tensors that may hold ∞ or NaN of which not all was looked at."""
        return self.unread_tensors

    def more_values(self, block: Block, matches: list[Match]) -> dict[str, Column]:
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
        low, high = self._alerts_of(event, event + 1)
        alerts = self.alerts.columns
        positions, kinds = alerts["position"][low:high].tolist(), alerts["bad"][low:high].tolist()
        return dict(zip(positions, map(Bad, kinds), strict=True))

    def event(self, index: int) -> Any | None:
        """The whole DebugEvent of an index, read back from disk; None if it is gone."""
        payload = self.file.read_at(int(self.events.columns["offset"][index]))
        return None if payload is None else parse(payload)

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

    def extend(self, block: Block) -> None:
        """Append the events of a block."""
        if not len(block):
            return
        matches = self._recogniser.match(block)
        sites = np.full(len(block), -1, np.int32)
        for match in matches:
            sites[match.records] = match.sites
        bad = np.zeros(len(block), np.uint8)
        tensors = self._judge(block, matches)
        for records, _, flags in tensors:
            bad[records] |= flags
        values = {
            "offset": block.offsets,
            "wall_time": _wall_times(block, matches),
            "site": sites,
            "bad": bad,
            **self.more_values(block, matches),
        }
        self._expect_more(block)
        self._publish(values, tensors)

    def _expect_more(self, block: Block) -> None:
        """Have room for as many events and alerts as there will be if all goes on like this."""
        read = block.base + int(block.starts[-1] + block.lengths[-1])
        share = min(self.file.size / read, MAX_SHARE)
        self.events.expect(int(share * (len(self.events) + len(block))))
        if len(self.events):
            self.alerts.expect(int(share * len(self.alerts) * (1 + len(block) / len(self.events))))

    def _judge(self, block: Block, matches: list[Match]) -> list[_Tensors]:
        """The bad numbers of every tensor of every record; health vectors are judged together."""
        judged: list[_Tensors] = []
        vectors: dict[int, list[_Tensors]] = {}
        for match in matches:
            alone: list[int] = []
            for position, span in enumerate(match.layout.tensors):
                if span.source is HealthSource.NOTHING:
                    continue
                starts = block.starts[match.records] + span.start
                if span.source is HealthSource.VECTOR:
                    tensors = _Tensors(match.records, position, starts)
                    vectors.setdefault(span.mode, []).append(tensors)
                elif span.source is HealthSource.VALUES:
                    flags = _judge_values(block, match, span)
                    judged.append(_Tensors(match.records, position, flags))
                else:
                    alone.append(position)
            if alone:
                judged += self._judge_alone(block, match, alone)
        for mode, parts in vectors.items():
            flags = flags_of_vectors(block.buffer, np.concatenate([p.told for p in parts]), mode)
            ends = np.cumsum([len(part.records) for part in parts])
            flags_by_part = np.split(flags, ends[:-1])
            judged += [
                _Tensors(*part[:2], own) for part, own in zip(parts, flags_by_part, strict=True)
            ]
        return judged

    def _judge_alone(self, block: Block, match: Match, positions: list[int]) -> list[_Tensors]:
        """Decode some tensors of each record; a record is decoded once."""
        flags = np.zeros((len(positions), len(match.records)), np.uint8)
        for column, record in enumerate(match.records.tolist()):
            healths = self.healths_in(block.payload(record), positions)
            self.file.count_unparsable(healths.count(None))
            self.unread_tensors += sum(1 for health in healths if health and health.unread)
            flags[:, column] = [0 if health is None else health.bad for health in healths]
        pairs = zip(positions, flags, strict=True)
        return [_Tensors(match.records, position, own) for position, own in pairs]

    def _publish(self, values: dict[str, Column], tensors: list[_Tensors]) -> None:
        base = len(self.events)
        numbers = np.arange(base, base + len(values["site"]))
        senseless = values["site"] < 0
        if senseless.any():
            self.file.count_unparsable(int(np.count_nonzero(senseless)))
            values = {name: column[~senseless] for name, column in values.items()}
            numbers = base + np.cumsum(~senseless) - 1
        self.events.extend(**values)
        if values["bad"].any():
            self._publish_alerts(numbers, tensors)

    def _publish_alerts(self, numbers: Column, tensors: list[_Tensors]) -> None:
        records, positions, bad = _in_file_order(tensors, len(numbers))
        events = numbers[records]
        self.site_alerts.extend(
            sites=self.site_numbers[events],
            positions=positions,
            events=events,
            wall_times=self.wall_times[events],
        )
        self.alerts.extend(event=events, position=positions, bad=bad)


def _in_file_order(tensors: list[_Tensors], records: int) -> tuple[Column, Column, Column]:
    """The bad ones among the tensors of a block: record, position and bad numbers of each.

    Every tensor has a place of its own, in file order; what is written there need not be sorted.
    """
    if not any(part.position for part in tensors):
        flags = np.zeros(records, np.uint8)
        for part in tensors:
            flags[part.records] = part.told
        found = np.flatnonzero(flags)
        return found, np.zeros(len(found), np.uint8), flags[found]
    widths = np.zeros(records, np.int64)
    for part in tensors:
        widths[part.records] = np.maximum(widths[part.records], part.position + 1)
    ends = np.cumsum(widths)
    firsts = ends - widths
    flags = np.zeros(int(ends[-1]), np.uint8)
    for part in tensors:
        flags[firsts[part.records] + part.position] = part.told
    places = np.flatnonzero(flags)
    found = np.repeat(np.arange(records), widths)[places]
    return found, places - firsts[found], flags[places]


def _judge_values(block: Block, match: Match, span: TensorSpan) -> Column:
    flags = np.zeros(len(match.records), np.uint8)
    for piece in span.pieces():
        starts = block.starts[match.records] + piece.start
        flags |= flags_of_values(gather(block.buffer, starts, piece.end - piece.start), piece)
    return flags


def _wall_times(block: Block, matches: list[Match]) -> Column:
    """When each event happened; 0 where a record does not say."""
    doubles: Column = np.ndarray((len(block.buffer) - 7,), "<f8", block.buffer, strides=(1,))
    usual = 1  # behind the tag of the first field
    times = doubles[block.starts + usual]
    for match in matches:
        offset = match.layout.wall_time
        if offset != usual:
            records = match.records
            times[records] = doubles[block.starts[records] + offset] if offset >= 0 else 0.0
    return times
