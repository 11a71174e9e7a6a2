"""Graph-execution traces: one event for each tensor computed inside a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.records.debug_event_schema import parse, text
from tfdbg_tui.data.records.health import Health, read_health
from tfdbg_tui.data.records.large_records import described
from tfdbg_tui.data.records.layouts import Layout, LearnedRecord
from tfdbg_tui.data.records.tensor_spans import HealthSource, TensorSpan, locate
from tfdbg_tui.data.records.tensors import to_array, written_tensor
from tfdbg_tui.data.records.wire import DELIMITED, FIXED64, MalformedMessageError, fields
from tfdbg_tui.data.stores.event_store import EventStore
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.files.tfrecord import RecordFile
    from tfdbg_tui.data.records.tensors import WrittenTensor

WALL_TIME, TRACE = 1, 10
TENSOR = 5


class TraceSite(NamedTuple):
    """One output of one op of one graph on one device, recorded in one mode."""

    graph_id: str
    op_name: str
    slot: int
    device: str
    mode: int

    @property
    def tensor_name(self) -> str:
        """The usual `op:slot`."""
        return f"{self.op_name}:{self.slot}"


class Trace(NamedTuple):
    """One traced tensor, whole."""

    event: int
    wall_time: float
    site: TraceSite
    health: Health | None


class TraceStore(EventStore[TraceSite]):
    """The traces of one file."""

    def __init__(self, file: RecordFile) -> None:
        super().__init__(file)
        self.graph_ids: dict[str, None] = {}
        """The graphs that tensors are traced in: few, where sites may be a million."""

    def learn(self, payload: bytes | memoryview) -> LearnedRecord | None:
        """Decode the first trace of its kind."""
        event = described(payload)
        if event is None or not event.HasField("graph_execution_trace"):
            return None
        trace = event.graph_execution_trace
        try:
            layout = _layout(payload, trace.tensor_debug_mode)
        except MalformedMessageError:
            return None
        site = TraceSite(
            text(trace.tfdbg_context_id),
            text(trace.op_name),
            trace.output_slot,
            text(trace.device_name),
            trace.tensor_debug_mode,
        )
        self.graph_ids[site.graph_id] = None
        return LearnedRecord(layout, self.register_site(site, tensors=1))

    def healths_in(self, payload: bytes, positions: Sequence[int]) -> list[Health | None]:
        """The health of the only tensor of a record, decoded."""
        event = parse(payload)
        return [None if event is None else _health(event.graph_execution_trace)]

    def read(self, index: int) -> Trace | None:
        """One trace with its health, read back from disk; None if it is gone."""
        event = self.event(index)
        if event is None:
            return None
        health = _health(event.graph_execution_trace)
        return Trace(index, event.wall_time, self.site_of(index), health)

    def health(self, index: int, position: int = 0) -> Health | None:
        """The health of a trace's only tensor, read back from disk; None if gone or not told."""
        event = self.event(index)
        return None if event is None else _health(event.graph_execution_trace)

    def values(self, index: int) -> npt.NDArray[Any] | None:
        """The recorded tensor itself: the values in FULL_TENSOR, else the health vector."""
        event = self.event(index)
        return None if event is None else to_array(event.graph_execution_trace.tensor_proto)

    def written(self, index: int) -> WrittenTensor | None:
        """The same as it is written: few values may stand for many."""
        event = self.event(index)
        return None if event is None else written_tensor(event.graph_execution_trace.tensor_proto)

    def events_of_site(self, site: int) -> npt.NDArray[np.int64]:
        """The indices of all traces of a site, in file order: its invocations."""
        return np.flatnonzero(self.site_numbers == site)


def _health(trace: Any) -> Health | None:
    return read_health(trace.tensor_debug_mode, trace.tensor_proto)


def _layout(payload: bytes | memoryview, mode: int) -> Layout:
    wall_time = -1
    variable: list[tuple[int, int]] = []
    tensors: list[TensorSpan] = []
    for field in fields(payload, 0, len(payload)):
        if field.number == WALL_TIME and field.wire_type == FIXED64:
            wall_time = field.start
            variable.append((field.start, field.end))
        elif field.number == TRACE and field.wire_type == DELIMITED:
            for inner in fields(payload, field.start, field.end):
                if inner.number == TENSOR and inner.wire_type == DELIMITED:
                    span, varying = locate(payload, inner, mode)
                    tensors.append(span)
                    variable.extend(varying)
    if len(tensors) > 1:  # protobuf merges a field that is given again
        tensors = [TensorSpan(HealthSource.ALONE, 0, 0, mode)]
    return Layout(len(payload), wall_time, (0, 0), tuple(variable), tuple(tensors))
