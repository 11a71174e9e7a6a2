"""Top-level executions: one event for each eager op and each call of a tf.function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.records.debug_event_schema import parse, text
from tfdbg_tui.data.records.health import Health, read_health
from tfdbg_tui.data.records.large_records import described
from tfdbg_tui.data.records.layouts import Layout, LearnedRecord
from tfdbg_tui.data.records.modes import tells_bad
from tfdbg_tui.data.records.tensor_spans import MAX_TENSORS, HealthSource, TensorSpan, locate
from tfdbg_tui.data.records.tensors import to_array, written_tensor
from tfdbg_tui.data.records.wire import DELIMITED, FIXED64, VARINT, MalformedMessageError, fields
from tfdbg_tui.data.stores.event_store import EventStore
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from tfdbg_tui.data.files.buffers import Buffer
    from tfdbg_tui.data.files.tfrecord import Block, RecordFile
    from tfdbg_tui.data.records.layout_table import Recognised
    from tfdbg_tui.data.records.tensors import WrittenTensor

WALL_TIME, EXECUTION = 1, 9
INPUT_IDS, OUTPUT_IDS, TENSORS = 4, 5, 7

LOOKED_AT = 256
"""Outputs among which one is sought that tells something, for a row of a list."""

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
        super().__init__(file, first_output_id=(np.int32, np.int64))

    @property
    def settled(self) -> int:
        """How many executions will not change any more: all that are recorded."""
        return len(self)

    @property
    def is_recorded(self) -> bool:
        """Whether there are records of the executions, to be read back."""
        return True

    @property
    def first_output_ids(self) -> npt.NDArray[np.int32 | np.int64]:
        """The id of the first output tensor of every execution; -1 where there is none."""
        return self.events.columns["first_output_id"]

    def learn(self, payload: bytes | memoryview) -> LearnedRecord | None:
        """Decode the first execution of its kind."""
        event = described(payload)
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
        return LearnedRecord(layout, self.register_site(site, min(site.tensors, MAX_TENSORS)))

    def healths_in(self, payload: bytes, positions: Sequence[int]) -> list[Health | None]:
        """The health of some outputs of a record, decoded."""
        event = parse(payload)
        return [None if event is None else _health(event.execution, n) for n in positions]

    @property
    def unjudged_tensors(self) -> int:
        """Outputs that may hold ∞ or NaN of which not all was looked at."""
        beyond = [n for n, site in enumerate(tuple(self.sites)) if site.tensors > MAX_TENSORS]
        numbers = self.site_numbers
        left_out = (
            (self.sites[site].tensors - MAX_TENSORS) * np.count_nonzero(numbers == site)
            for site in beyond
            if tells_bad(self.sites[site].mode)
        )
        return self.unread_tensors + int(sum(left_out))

    def more_values(self, block: Block, recognised: Recognised) -> dict[str, npt.NDArray[Any]]:
        """The id of the first output of each record, -1 without outputs."""
        columns = recognised.columns
        starts, ends = columns.id_starts[recognised.numbers], columns.id_ends[recognised.numbers]
        starts = np.where(ends > starts, starts + block.starts, -1)
        return {"first_output_id": _varints(block.buffer, starts, ends + block.starts)}

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
            tuple(_health(execution, position) for position in _judged_positions(execution)),
        )

    def health(self, index: int, position: int) -> Health | None:
        """The health of a recorded output, read back from disk; None if it is gone or not told."""
        event = self.event(index)
        return None if event is None else _health(event.execution, position)

    def worst_health(self, index: int) -> Health | None:
        """The health to show for all outputs: of the first bad one, else of the first told."""
        event = self.event(index)
        if event is None:
            return None
        bad = next(iter(self.bad_outputs(index)), None)
        if bad is not None:
            return _health(event.execution, bad)
        positions = _judged_positions(event.execution)[:LOOKED_AT]
        healths = (_health(event.execution, position) for position in positions)
        return next((health for health in healths if health is not None), None)

    def values(self, index: int, position: int) -> npt.NDArray[Any] | None:
        """A recorded output itself: the values in FULL_TENSOR, else the health vector."""
        proto = self._tensor(index, position)
        return None if proto is None else to_array(proto)

    def written(self, index: int, position: int) -> WrittenTensor | None:
        """The same as it is written: few values may stand for many."""
        proto = self._tensor(index, position)
        return None if proto is None else written_tensor(proto)

    def _tensor(self, index: int, position: int) -> Any | None:
        event = self.event(index)
        protos = () if event is None else event.execution.tensor_protos
        return protos[position] if position < len(protos) else None


def _judged_positions(execution: Any) -> range:
    return range(min(len(execution.tensor_protos), MAX_TENSORS))


def _health(execution: Any, position: int) -> Health | None:
    """The health of an output; None if it tells none, or if the record is another one now."""
    protos = execution.tensor_protos
    if position >= len(protos):
        return None
    return read_health(execution.tensor_debug_mode, protos[position])


def _layout(payload: bytes | memoryview, mode: int) -> Layout:
    wall_time = -1
    output_ids = (0, 0)
    variable: list[tuple[int, int]] = []
    tensors: list[TensorSpan] = []
    nothing = TensorSpan(HealthSource.NOTHING, 0, 0, mode)
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
                elif inner.number != TENSORS or inner.wire_type != DELIMITED:
                    continue
                elif inner.start == inner.end:
                    tensors.append(nothing)
                elif len(tensors) < MAX_TENSORS:
                    span, varying = locate(payload, inner, mode)
                    tensors.append(span)
                    variable.extend(varying)
    tensors = tensors[:MAX_TENSORS]
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
