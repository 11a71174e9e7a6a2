"""The value of one recorded tensor, of which only what is looked at is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfdbg_tui.data.records.modes import mode_name, tells_values
from tfdbg_tui.data.records.tensors import MAX_DECODED
from tfdbg_tui.data.stores.executions import ExecutionStore
from tfdbg_tui.data.values.choosing_source import source_of
from tfdbg_tui.data.values.element_sources import DecodedElements
from tfdbg_tui.data.values.locating import UnusualRecordError, locate
from tfdbg_tui.data.values.record_bytes import RecordBytes, record_at
from tfdbg_tui.data.values.slices import Selected, whole
from tfdbg_tui.data.values.value_error import GONE, UNDECODABLE, ValueQueryError
from tfdbg_tui.data.values.windows import read_window
from tfdbg_tui.frozen.frozen import Frozen
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from tfdbg_tui.data.records.tensors import WrittenTensor
    from tfdbg_tui.data.stores.event_kind import EventKind
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.traces import TraceStore
    from tfdbg_tui.data.values.element_sources import ElementSource

MAX_AT_ONCE = 1 << 27
"""Elements that are held in memory together; who wants more asks for one part after the other."""

MAX_PARSED = 1 << 26
"""Bytes of a record that is decoded whole, as one of strings must be."""

NOT_TOLD = "{} does not record values; FULL_TENSOR does."
NOTHING_THERE = "Nothing is recorded of this tensor."
TOO_LARGE = "Its record has {:,.0f} MB, and has to be decoded whole: more than is done here."
TOO_MANY_WRITTEN = "It is written in more than {:,} values, one by one."
TOO_MANY = "That would be {:,} elements at once; at most {:,} are held in memory together."


class NotRecorded(NamedTuple):
    """Why there is no value, in one sentence."""

    reason: str


class RecordedValue(Frozen):
    """A tensor; what differs between two of them is one, too."""

    dtype: str
    """TensorFlow's name of its type."""
    shape: tuple[int, ...]
    size: int
    source: ElementSource

    @property
    def element(self) -> np.dtype[Any]:
        """What numpy calls an element: float32 for what it does not know, objects for strings."""
        return self.source.element

    @property
    def settled(self) -> int:
        """From which element on all are equal; as many as there are if all are written."""
        return min(self.source.settled, self.size)

    @property
    def whole(self) -> Selected:
        """All of it, as something selected."""
        return whole(self.shape)

    def elements(self, start: int, end: int) -> npt.NDArray[Any]:
        """The elements between two places in the order of memory; their bytes alone are read."""
        if not 0 <= start <= end <= self.size:
            raise ValueQueryError(f"There are {self.size:,} elements, from 0.")
        _refuse_too_many(end - start)
        return self.source.read(start, end)

    def window(self, selected: Selected) -> npt.NDArray[Any]:
        """What is selected of it, in its shape; little else is read."""
        _refuse_too_many(selected.size)
        return read_window(self.source.read, selected, self.element)


def _refuse_too_many(count: int) -> None:
    if count > MAX_AT_ONCE:
        raise ValueQueryError(TOO_MANY.format(count, MAX_AT_ONCE))


def value_of(
    host: Host, kind: EventKind, event: int, output: int | None = None
) -> RecordedValue | NotRecorded:
    """The value of a tensor of an event, or why there is none."""
    store = host.store_of(kind)
    if isinstance(store, ExecutionStore) and not store.is_recorded:
        return NotRecorded(NOTHING_THERE)
    if not 0 <= event < len(store):
        return NotRecorded(GONE)
    mode = store.site_of(event).mode
    if not tells_values(mode):
        return NotRecorded(NOT_TOLD.format(mode_name(mode)))
    record = record_at(store.file, int(store.offsets[event]))
    if record is None:
        return NotRecorded(GONE)
    try:
        return _opened(record, host, (kind, event, output or 0))
    except ValueQueryError as error:
        return NotRecorded(str(error))


def _opened(
    record: RecordBytes, host: Host, which: tuple[EventKind, int, int]
) -> RecordedValue | NotRecorded:
    kind, event, output = which
    store = host.store_of(kind)
    try:
        located = locate(record, kind, output)
        source = None if located is None else source_of(record, located)
    except UnusualRecordError:
        if record.length > MAX_PARSED:
            return NotRecorded(TOO_LARGE.format(record.length / 1e6))
        return _decoded(_written(store, event, output))
    if located is None or source is None:
        has_none = isinstance(store, ExecutionStore) and output >= store.site_of(event).tensors
        return NotRecorded(NOTHING_THERE if has_none else UNDECODABLE)
    stated = located.stated
    return RecordedValue(stated.dtype.name, stated.shape, stated.size, source)


def _written(store: TraceStore | ExecutionStore, event: int, output: int) -> WrittenTensor | None:
    if isinstance(store, ExecutionStore):
        return store.written(event, output)
    return store.written(event)


def _decoded(written: WrittenTensor | None) -> RecordedValue | NotRecorded:
    """A value that had to be read whole."""
    if written is None:
        return NotRecorded(UNDECODABLE)
    if written.unread:
        return NotRecorded(TOO_MANY_WRITTEN.format(MAX_DECODED))
    return RecordedValue(written.dtype, written.shape, written.size, DecodedElements(written))
