"""Top-level executions: one event for each eager op and each call of a tf.function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tfdbg_tui.data.records.debug_event_schema import parse, text
from tfdbg_tui.data.records.health import Health, read_health
from tfdbg_tui.data.records.layouts import Layout, LearnedRecord, Match
from tfdbg_tui.data.records.tensor_spans import TensorSpan, locate
from tfdbg_tui.data.records.tensors import to_array
from tfdbg_tui.data.records.wire import DELIMITED, FIXED64, VARINT, MalformedMessageError, fields
from tfdbg_tui.data.stores.event_store import EventStore

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.files.buffers import Buffer
    from tfdbg_tui.data.files.tfrecord import Block, RecordFile

WALL_TIME, EXECUTION = 1, 9
INPUT_IDS, OUTPUT_IDS, TENSORS = 4, 5, 7

MAX_ID_BYTES = 10
"""Bytes of the longest 64-bit varint."""


class ExecutionSite(NamedTuple):
    """One op or function called from one line of the program."""

    op_type: str
    num_outputs: int
    graph_id: str
    """The graph of the called function, where the recorder knew it."""
    mode: int
    host: str
    stack: tuple[str, ...]
    """Ids of stack frames, outermost first."""
    device_ids: tuple[int, ...]
    tensors: int
    """Recorded output tensors; fewer than the outputs when recording was filtered."""

    def slot_of(self, position: int) -> int | None:
        """The output slot of a recorded tensor; None when a filter left out others before it."""
        return position if self.tensors == self.num_outputs else None

    def tensor_name(self, position: int) -> str:
        """The name to show for a recorded output."""
        slot = self.slot_of(position)
        return f"{self.op_type}:{'?' if slot is None else slot}"


class Execution(NamedTuple):
    """One execution, whole."""

    event: int
    wall_time: float
    site: ExecutionSite
    input_tensor_ids: tuple[int, ...]
    output_tensor_ids: tuple[int, ...]
    health: tuple[Health | None, ...]
    """Of each recorded output tensor."""


class ExecutionStore(EventStore[ExecutionSite]):
    """The executions of one file."""

    def __init__(self, file: RecordFile) -> None:
        # Ids of eager tensors are unique within a run: the producer of a tensor is found by them.
        super().__init__(file, first_output_id=np.int64)

    @property
    def settled(self) -> int:
        """How many executions will not change any more: all that are recorded."""
        return len(self)

    @property
    def is_recorded(self) -> bool:
        """Whether there are records of the executions, to be read back."""
        return True

    @property
    def first_output_ids(self) -> npt.NDArray[np.int64]:
        """The id of the first output tensor of every execution; -1 where there is none."""
        return self.events.columns["first_output_id"]

    def learn(self, payload: bytes) -> LearnedRecord | None:
        """Decode the first execution of its kind."""
        event = parse(payload)
        if event is None or not event.HasField("execution"):
            return None
        execution = event.execution
        try:
            layout = _layout(payload, execution.tensor_debug_mode)
        except MalformedMessageError:
            return None
        site = ExecutionSite(
            text(execution.op_type),
            execution.num_outputs,
            text(execution.graph_id),
            execution.tensor_debug_mode,
            text(execution.code_location.host_name),
            tuple(text(frame) for frame in execution.code_location.stack_frame_ids),
            tuple(execution.output_tensor_device_ids),
            len(execution.tensor_protos),
        )
        return LearnedRecord(layout, self.register_site(site, site.tensors))

    def flags_of(self, payload: bytes, position: int) -> int | None:
        """Which bad numbers one output of a record holds, decoded by itself."""
        event = parse(payload)
        health = None if event is None else _health(event.execution)[position]
        return None if health is None else int(health.bad)

    def more_values(self, block: Block, matches: list[Match]) -> dict[str, npt.NDArray[Any]]:
        """The id of the first output of each record, -1 without outputs."""
        starts = np.full(len(block), -1)
        ends = np.zeros(len(block), np.int64)
        for match in matches:
            start, end = match.layout.output_ids
            if end > start:
                starts[match.records] = block.starts[match.records] + start
                ends[match.records] = block.starts[match.records] + end
        return {"first_output_id": _varints(block.buffer, starts, ends)}

    def read(self, index: int) -> Execution | None:
        """One execution with its ids and health, read back from disk; None if it is gone."""
        event = self.event(index)
        if event is None:
            return None
        execution = event.execution
        return Execution(
            index,
            event.wall_time,
            self.site_of(index),
            tuple(execution.input_tensor_ids),
            tuple(execution.output_tensor_ids),
            _health(execution),
        )

    def healths(self, index: int) -> tuple[Health | None, ...]:
        """The health of each recorded output, read back from disk; none if they are gone."""
        event = self.event(index)
        return () if event is None else _health(event.execution)

    def values(self, index: int, position: int) -> npt.NDArray[Any] | None:
        """A recorded output itself: the values in FULL_TENSOR, else the health vector."""
        event = self.event(index)
        if event is None or position >= len(event.execution.tensor_protos):
            return None
        return to_array(event.execution.tensor_protos[position])


def _health(execution: Any) -> tuple[Health | None, ...]:
    mode = execution.tensor_debug_mode
    return tuple([read_health(mode, proto) for proto in execution.tensor_protos])


def _layout(payload: bytes, mode: int) -> Layout:
    wall_time = -1
    output_ids = (0, 0)
    variable: list[tuple[int, int]] = []
    tensors: list[TensorSpan] = []
    for field in fields(payload, 0, len(payload)):
        if field.number == WALL_TIME and field.wire_type == FIXED64:
            wall_time = field.start
            variable.append((field.start, field.end))
        elif field.number == EXECUTION and field.wire_type == DELIMITED:
            for inner in fields(payload, field.start, field.end):
                if inner.number in (INPUT_IDS, OUTPUT_IDS):
                    if inner.wire_type == DELIMITED:  # a varint could end elsewhere
                        variable.append((inner.start, inner.end))
                    first = inner.number == OUTPUT_IDS and output_ids == (0, 0)
                    if first and inner.wire_type in (DELIMITED, VARINT):
                        output_ids = (inner.start, inner.end)
                elif inner.number == TENSORS and inner.wire_type == DELIMITED:
                    span, varying = locate(payload, inner, mode)
                    tensors.append(span)
                    variable.extend(varying)
    return Layout(len(payload), wall_time, output_ids, tuple(variable), tuple(tensors))


def _varints(
    buffer: Buffer, starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """The numbers that begin at some offsets of a buffer, -1 for offsets below zero."""
    octets = np.frombuffer(buffer, np.uint8)
    numbers = np.full(len(starts), -1, np.int64)
    unfinished = np.flatnonzero(starts >= 0)
    numbers[unfinished] = 0
    for number in range(MAX_ID_BYTES):
        octet = octets[starts[unfinished] + number]
        numbers[unfinished] |= (octet & np.uint8(0x7F)).astype(np.int64) << (7 * number)
        more = (octet >= 0x80) & (starts[unfinished] + number + 1 < ends[unfinished])
        unfinished = unfinished[more]
        if not len(unfinished):
            break
    return numbers
