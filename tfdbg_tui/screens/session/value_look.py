"""Looking at the value of the chosen tensor: which computation, which part of it, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.values.bad_elements import BadSearch
from tfdbg_tui.data.values.differences import difference
from tfdbg_tui.data.values.element_kinds import bad_among, is_number
from tfdbg_tui.data.values.formatting import NumberFormat
from tfdbg_tui.data.values.over_time import OverTime
from tfdbg_tui.data.values.pooling import PoolingJob
from tfdbg_tui.data.values.ranges import parse_ranges
from tfdbg_tui.data.values.recorded_value import NotRecorded, value_of
from tfdbg_tui.data.values.slices import parse_indices, parse_slice
from tfdbg_tui.data.values.value_error import ValueQueryError
from tfdbg_tui.data.views.tensor_history import TensorHistory
from tfdbg_tui.data.views.value_page import Way
from tfdbg_tui.screens.session.value_cursor import ValueCursor
from tfdbg_tui.screens.session.value_others import event_beside, event_named
from tfdbg_tui.screens.session.value_taking import ValueTaking
from tfdbg_tui.screens.session.value_work import Summary, ValueWork

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.values.recorded_value import RecordedValue
    from tfdbg_tui.data.views.navigator import Navigator

NO_TENSOR = "No tensor is chosen: choose one, and v shows its value."
UNRECORDED = "TensorFlow did not record this tensor in this call."
WAY = "V records it again, with its values."
NO_MORE = {
    1: "No NaN or inf behind this element.",
    -1: "No NaN or inf before this element.",
}

MOMENTS = 400
"""Computations that are read for a curve over time."""


class ValueLook:
    """The value that is looked at, and what is worked out of it."""

    def __init__(self, navigator: Navigator) -> None:
        self._navigator = navigator
        self.work = ValueWork()
        self.cursor: ValueCursor
        self.way = Way.GRID
        self.minus: int | None = None
        """The computation that is subtracted, where a difference is looked at."""
        self.event = EventRef(0, EventKind.TRACE, 0, 0)
        self.recorded: RecordedValue
        self.index: HostIndex
        self._history: TensorHistory | None = None
        self._part = ""
        self._search: BadSearch | None = None
        self.taking = ValueTaking(self.want_work)
        self.summary: Summary | None = None
        self.picture: PoolingJob | None = None
        self.moments: OverTime | None = None

    def begin(self) -> str:
        """Look at what is chosen; a sentence if it has no value.

        Where a tensor can be recorded again with its values, that sentence is where it is offered.
        """
        index, chosen = self._navigator.index, self._navigator.selection
        if index is None or chosen.is_empty:
            return NO_TENSOR
        if chosen.event is None:
            return f"{UNRECORDED} {WAY}"
        wanted = EventRef(chosen.host, chosen.event.kind, chosen.event.event, chosen.output)
        found = value_of(index.host, wanted.kind, wanted.event, wanted.output)
        if isinstance(found, NotRecorded):
            return found.reason if "damaged" in found.reason else f"{found.reason} {WAY}"
        self.index, self.minus = index, None
        self._remember_tensor(wanted)
        self._show(wanted, found, "")
        return ""

    def _remember_tensor(self, wanted: EventRef) -> None:
        """Its computations, unless they are known from the last time."""
        store = self.index.host.store_of(wanted.kind)
        site, known = store.site_number(wanted.event), self._history
        if known is None or (known.store, known.site, known.position) != (
            store,
            site,
            wanted.output or 0,
        ):
            self._history = TensorHistory(store, site, wanted.output or 0)
            self._history.extend()  # a moment: that is nearly always all of it
            self.way = Way.GRID

    def _show(self, event: EventRef, value: RecordedValue, part: str) -> None:
        """Look at a value from now on, at the same element if it has it."""
        before = getattr(self, "cursor", None)
        selected = parse_slice(part).on(value.shape)
        cursor = ValueCursor(value, selected)
        if before is not None:
            cursor.format, cursor.ranges = before.format, before.ranges
            if before.selected == selected:
                cursor.index, cursor.axes = before.index, before.axes
        self.event, self.cursor, self._part = event, cursor, part
        if not selected.size or not is_number(value.element):
            self.way = Way.GRID
        if self.minus is None:
            self.recorded = value
        self._search = self.summary = self.picture = self.moments = None
        self.want_work()

    @property
    def history(self) -> TensorHistory:
        """All computations of the tensor, as far as they are found."""
        assert self._history is not None
        return self._history

    @property
    def value(self) -> RecordedValue:
        """What is looked at: the recorded value, or what differs from the one before."""
        return self.cursor.value

    @property
    def here(self) -> tuple[tuple[int, ...], str, bool]:
        """The element at the cursor: its index in the tensor, all of it, whether it is bad."""
        cursor = self.cursor
        if not cursor.selected.size:
            return (), "nothing", False
        one = cursor.selected.flat_index(cursor.index)
        values = self.value.elements(one, one + 1)
        precise = NumberFormat(8 if values.dtype.itemsize < 8 else 16)
        told = precise.texts(values)[0]
        return cursor.selected.tensor_index(cursor.index), told, bool(bad_among(values)[0])

    # What the feed does.

    def want_work(self) -> None:
        """Have done what the way of looking needs, after what was asked for last."""
        if self.way is Way.SUMMARY and self.summary is None:
            self.summary = Summary(self.value, self.cursor.selected)
        bodies = {
            Way.SUMMARY: self.summary,
            Way.PICTURE: self.picture,
            Way.OVER_TIME: self.moments,
            Way.RANGES_OVER_TIME: self.moments,
        }
        self.work.follow(self.history)
        self.work.want(self.taking.job, self._search, bodies.get(self.way))

    def paint(self, height: int, width: int) -> PoolingJob:
        """The picture of what is in view, in so many cells."""
        plane, known = self.cursor.plane, self.picture
        turned = plane
        if known is None or (known.selected, known.asked) != (turned, (height, width)):
            self.picture = PoolingJob(self.value, turned, height, width)
            self.want_work()
        assert self.picture is not None
        return self.picture

    def settle(self) -> str:
        """Take what has been worked out; what there is to say of it."""
        if told := self.taking.told():
            return told
        search = self._search
        if search is None or not search.is_done:
            return ""
        self._search = None
        if search.index is None:
            return NO_MORE[search.direction]
        self.cursor.go_to(search.index)
        return ""

    # Which part, and how.

    def slice(self, text: str) -> str:
        """Look at a part, as numpy names it; nothing is all of it."""
        try:
            parse_slice(text).on(self.value.shape)
        except ValueQueryError as error:
            return str(error)
        self._show(self.event, self.value, text)
        return ""

    def go_to(self, text: str) -> str:
        """Put the cursor on an element of the tensor."""
        try:
            wanted = parse_indices(text, self.value.shape)
        except ValueQueryError as error:
            return str(error)
        found = self.cursor.selected.index_in(wanted)
        if found is None:
            self._show(self.event, self.value, "")
            self.cursor.go_to(wanted)
            return "It was not in the slice: all of the value is shown."
        self.cursor.go_to(found)
        return ""

    def look_for(self, text: str) -> str:
        """Have numbers in some ranges stand out; nothing ends that."""
        try:
            self.cursor.look_for(parse_ranges(text) if text.strip() else None)
        except ValueQueryError as error:
            return str(error)
        return ""

    def go_to_bad(self, direction: int) -> str:
        """Look for the next NaN or ∞, or the one before; or say that there is none."""
        cursor = self.cursor
        place = 0
        for number, size in zip(cursor.index, cursor.selected.shape, strict=True):
            place = place * size + number
        self._search = BadSearch(self.value, cursor.selected, place, direction)
        try:
            self._search.extend()  # the next one is nearly always near
        except ValueQueryError as error:
            return str(error)
        self.want_work()
        return self.settle() if self._search.is_done else "Looking for the next NaN or inf …"

    def look(self, way: Way) -> str:
        """Look at it in another way; in the same again, at its elements."""
        if not is_number(self.value.element):
            return "Only numbers can be looked at so, not strings."
        if way is Way.PICTURE and not self.cursor.plane.shape:
            return "A single number has no picture."
        if not self.cursor.selected.size:
            return "The value is empty: it has no element."
        self.way = Way.GRID if self.way is way else way
        self.want_work()
        return ""

    # Other computations.

    def other(self, steps: int) -> str:
        """Look at the same of the next computation, or of the one before."""
        found = self._event_beside(steps)
        if isinstance(found, str):
            return found
        value = value_of(self.index.host, self.event.kind, found, self.event.output)
        if isinstance(value, NotRecorded):
            return value.reason
        was, self.minus = self.minus, None
        part = self._part if value.shape == self.value.shape else ""
        self._show(self.event._replace(event=found), value, part)
        return "" if was is None else self.subtract()

    def subtract(self, other: str = "") -> str:
        """Look at what differs from another tensor, or from the computation before.

        Where a difference is looked at already, and no other is named, at the value itself.
        """
        if self.minus is not None and not other:
            self.minus = None
            self._show(self.event, self.recorded, self._part)
            return ""
        here = self.event
        found = event_named(self.index, here, other) if other else self._event_beside(-1)
        if isinstance(found, str):
            return found
        before = value_of(self.index.host, here.kind, found, 0 if other else here.output)
        if isinstance(before, NotRecorded):
            return before.reason
        try:
            value = difference(self.recorded, before)
        except ValueQueryError as error:
            return str(error)
        self.minus = found
        self._show(here, value, self._part)
        return ""

    def _event_beside(self, steps: int) -> int | str:
        return event_beside(self.history, self.event.event, steps)

    def over_time(self) -> tuple[tuple[int, ...], OverTime]:
        """Some of its computations, evenly apart, and what is read of them at the cursor."""
        history = self.history
        count = history.count
        chosen = range(0, count, max(1, -(-count // MOMENTS)))
        events = tuple(history.event_of(number) for number in chosen)
        if self.moments is None:
            self.moments = OverTime(self.index.host, self.event.kind, self.event.output)
        is_whole = self.way is Way.RANGES_OVER_TIME
        index, part = (None, parse_slice(self._part)) if is_whole else (self.here[0], None)
        if self.moments.want(events, index, part):
            self.want_work()
        return events, self.moments
