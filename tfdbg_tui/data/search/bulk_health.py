"""The health of many events at once, read back from disk: what a search by numbers goes through.

Reading one record back takes some 25 µs, too long for millions. Here records that lie close
together are read in one piece, proven by their checksums, and recognised in bulk as they were
when they were loaded: all records of one template differ only in bytes whose meaning is known,
so the numbers of all of them are lifted together. Whatever is unusual is decoded by itself.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tfdbg_tui.data.files.buffers import gather
from tfdbg_tui.data.files.checksums import FRAME_OVERHEAD, HEADER, shared_verifier, verify_each
from tfdbg_tui.data.files.tfrecord import PADDING, Block
from tfdbg_tui.data.records.debug_event_schema import parse
from tfdbg_tui.data.records.health import (
    BAD_COLUMNS,
    BEYOND_COUNTING,
    DT_DOUBLE,
    Bad,
    Health,
    read_health,
)
from tfdbg_tui.data.records.layouts import MAX_TEMPLATE, LayoutRegistry, LearnedRecord
from tfdbg_tui.data.records.modes import NUMBERS, VECTOR_FIELDS, VECTOR_LENGTH, Mode, told_by
from tfdbg_tui.data.records.tensor_spans import (
    CONTENT_FIELD,
    DOUBLE_FIELD,
    DTYPE_FIELD,
    ELEMENT_SIZE,
    FIRST_VALUE_FIELD,
    MAX_TENSORS,
    RAW_FLOATS,
    HealthSource,
    TensorSpan,
    floats_of,
)
from tfdbg_tui.data.records.tensors import DTYPES
from tfdbg_tui.data.records.wire import DELIMITED, Field, fields
from tfdbg_tui.data.stores.executions import EXECUTION, TENSORS, ExecutionStore
from tfdbg_tui.data.stores.traces import TENSOR, TRACE, TraceStore
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    import numpy.typing as npt

    Column = npt.NDArray[Any]

DTYPE, RANK, SIZE, NEG_INF, POS_INF, NAN, NEGATIVE, ZERO, POSITIVE = range(len(NUMBERS))
"""The columns of `HealthColumns.numbers`."""


def _columns_of(vector: tuple[str, ...]) -> tuple[int, range]:
    """Which number of a vector is the first one kept, and the columns that are filled.

    Those that are kept stand side by side and in the order of the columns, in every mode.
    """
    kept = [number for number, field in enumerate(vector) if field in NUMBERS]
    if not kept:
        return len(vector), range(0)
    first = NUMBERS.index(vector[kept[0]])
    return kept[0], range(first, first + len(kept))


COLUMNS_OF_VECTOR = {mode: _columns_of(vector) for mode, vector in VECTOR_FIELDS.items()}

MAX_GAP = 4096
"""Bytes between two records up to which they are read in one piece."""

BATCH_BYTES = 2 << 20
"""Bytes of records read together: each length of record costs the same for one as for many."""

PIECES_AT_ONCE, VERIFIED_AT_ONCE = 256, 2048
"""Pieces of the file read, and records verified, between two pauses."""

USUAL_FRAME = 128
"""Bytes that nearly every record has; no more events are considered than would fit by that."""

MAX_LEARNED = 64
"""Events of new sites that are read together; learning a kind of record takes some 80 µs."""

_NUMBER_OF_DTYPE = {dtype.name: float(number) for number, dtype in DTYPES.items()}


class HealthColumns(NamedTuple):
    """What is recorded of the tensors of some events."""

    event: npt.NDArray[np.int64]
    """For each tensor, which of the events asked for it belongs to."""
    bad: npt.NDArray[np.uint8]
    numbers: npt.NDArray[np.float64]
    """A row for each tensor; NaN is what is not told."""
    position: npt.NDArray[np.uint16]
    """Which of the tensors of its event each is."""


class _Tensors(NamedTuple):
    """One tensor of each of some records of a block."""

    records: Column
    starts: Column
    """Where its numbers begin."""
    kinds: Column
    """Which rows state what is known of it by the kind of record alone."""
    positions: Column


class HealthReader:
    """Reads the health of events of one store; for the thread that fills the store."""

    def __init__(self, store: TraceStore | ExecutionStore) -> None:
        self._store = store
        self._is_execution = isinstance(store, ExecutionStore)
        self._is_recorded = not isinstance(store, ExecutionStore) or store.is_recorded
        self._verifier = shared_verifier()
        self._layouts = LayoutRegistry(self._learn)
        self._kinds: dict[tuple[Health | None, ...], int] = {}
        self._stated: list[tuple[float, ...]] = []
        """What is the same in all records of a kind, a row for each of its tensors."""
        self._stated_numbers = np.empty((0, POSITIVE + 1))
        self._is_read: npt.NDArray[np.bool_] = np.zeros(0, np.bool_)
        """Of each site, whether an event of it was read before."""

    def how_many(self, rows: Column) -> int:
        """How many of some events to read together: at least one, then as the bytes allow.

        Fewer where sites appear that were not read before, for each kind of record is learned.
        """
        rows = rows[: BATCH_BYTES // USUAL_FRAME]
        if not self._is_recorded:
            return len(rows)
        starts, ends = self._frames(rows)
        gaps = starts[1:] - ends[:-1]
        sizes = ends - starts
        sizes[1:] += np.where(gaps <= MAX_GAP, gaps, 0)  # what is read along with the records
        by_size = np.searchsorted(np.cumsum(sizes), BATCH_BYTES, side="right")
        sites = self._store.site_numbers[rows]
        if len(self._is_read) < len(self._store.sites):
            self._is_read = np.append(self._is_read, np.zeros(len(self._store.sites), np.bool_))
        new = np.cumsum(~self._is_read[sites])
        count = max(1, min(int(by_size), int(np.searchsorted(new, MAX_LEARNED, side="right"))))
        self._is_read[sites[:count]] = True
        return count

    def read(self, rows: Column) -> Generator[None, None, HealthColumns]:
        """The health of all tensors of some events, given in ascending order; yields to pause."""
        if not self._is_recorded:
            return _nothing()
        block, events = yield from self._block(rows)
        alone = np.ones(len(rows), np.bool_)
        tensors: dict[TensorSpan, list[_Tensors]] = {}
        for match in self._layouts.match(block):
            spans = match.layout.tensors
            if all(span.source is not HealthSource.ALONE for span in spans):
                alone[events[match.records]] = False
                for position, span in enumerate(spans):
                    starts = block.starts[match.records] + span.start
                    positions = np.full(len(starts), position, np.uint16)
                    found = _Tensors(match.records, starts, match.sites + position, positions)
                    tensors.setdefault(_alike(span), []).append(found)
            yield
        parts = [_nothing()]
        for span, alike in tensors.items():
            part = self._lifted(block, span, alike)
            parts.append(part._replace(event=events[part.event]))
            yield
        for event in np.flatnonzero(alone).tolist():
            parts.append(self._decoded(rows, event))
            yield
        return HealthColumns(*map(np.concatenate, zip(*parts, strict=True)))

    # ------------------------------------------------------------------ bytes

    def _frames(self, rows: Column) -> tuple[Column, Column]:
        """Where the frame of each event begins, and beyond which nothing of it is read."""
        offsets = self._store.offsets
        starts = offsets[rows].astype(np.int64) - HEADER.size
        following = np.minimum(rows + 1, len(offsets) - 1)
        ends = offsets[following].astype(np.int64) - HEADER.size
        ends[following == rows] = self._store.file.position
        return starts, np.minimum(ends, starts + FRAME_OVERHEAD + MAX_TEMPLATE)

    def _block(self, rows: Column) -> Generator[None, None, tuple[Block, Column]]:
        """The records of events as a block, without those that do not prove themselves."""
        starts, ends = self._frames(rows)
        breaks = np.flatnonzero(starts[1:] - ends[:-1] > MAX_GAP) + 1
        firsts, lasts = np.append(0, breaks), np.append(breaks, len(rows)) - 1
        sizes = ends[lasts] - starts[firsts]
        buffer = yield from self._bytes(starts[firsts].tolist(), sizes.tolist())
        shifts = np.cumsum(sizes) - sizes - starts[firsts]
        payloads = starts + np.repeat(shifts, lasts - firsts + 1) + HEADER.size
        stated: Column = np.ndarray((len(buffer) - 7,), "<u8", buffer, strides=(1,))
        lengths = stated[payloads - HEADER.size]
        room = np.maximum(ends - starts - FRAME_OVERHEAD, 0)
        whole = np.flatnonzero(lengths <= room.astype(np.uint64))
        payloads, lengths = payloads[whole], lengths[whole].astype(np.int64)
        yield
        proven = np.zeros(len(whole), np.bool_)
        for first in range(0, len(whole), VERIFIED_AT_ONCE):
            some = slice(first, first + VERIFIED_AT_ONCE)
            proven[some] = self._verify(buffer, payloads[some], lengths[some])
            yield
        return Block(buffer, 0, payloads[proven], lengths[proven]), whole[proven]

    def _bytes(self, starts: list[int], sizes: list[int]) -> Generator[None, None, bytes]:
        """Some parts of the file one behind the other; zeros where it has become shorter."""
        pieces = []
        for number, (start, size) in enumerate(zip(starts, sizes, strict=True)):
            pieces.append(self._store.file.bytes_at(start, size).ljust(size, b"\0"))
            if number % PIECES_AT_ONCE == 0:
                yield
        return b"".join([*pieces, bytes(PADDING)])

    def _verify(self, buffer: bytes, starts: Column, lengths: Column) -> Column:
        adjacent = starts[:-1] + lengths[:-1] + FRAME_OVERHEAD == starts[1:]
        verify = self._verifier.verify if adjacent.all() else verify_each
        return verify(buffer, starts, lengths)

    # ------------------------------------------------------------------ kinds of records

    def _learn(self, payload: bytes | memoryview) -> LearnedRecord | None:
        """Where the numbers of a record stand that is the first of its kind."""
        payload = bytes(payload)
        learned = self._store.learn(payload)
        event = parse(payload)
        if learned is None or event is None:
            return None
        record = event.execution if self._is_execution else event.graph_execution_trace
        protos = record.tensor_protos if self._is_execution else [record.tensor_proto]
        mode = record.tensor_debug_mode
        healths = [read_health(mode, proto) for proto in protos[:MAX_TENSORS]]
        tensors = self._tensor_fields(payload)[:MAX_TENSORS]
        if len(tensors) == len(healths):
            pairs = zip(tensors, healths, strict=True)
            spans = [_span(payload, field, mode, health) for field, health in pairs]
        elif not tensors:  # an absent tensor is an empty one
            spans = [TensorSpan(HealthSource.NOTHING, 0, 0, mode)] * len(healths)
        else:  # protobuf merges a field that is given again
            spans = [TensorSpan(HealthSource.ALONE, 0, 0, mode)] * len(healths)
        layout = learned.layout._replace(tensors=tuple(spans))
        return LearnedRecord(layout, self._kind(spans, healths))

    def _tensor_fields(self, payload: bytes) -> list[Field]:
        outer, inner = (EXECUTION, TENSORS) if self._is_execution else (TRACE, TENSOR)
        return [
            field
            for message in fields(payload, 0, len(payload))
            if message.number == outer and message.wire_type == DELIMITED
            for field in fields(payload, message.start, message.end)
            if field.number == inner and field.wire_type == DELIMITED
        ]

    def _kind(self, spans: list[TensorSpan], healths: list[Health | None]) -> int:
        """The number of the first of the rows that state what such records have in common."""
        pairs = zip(spans, healths, strict=True)
        stated = tuple(_common(span, health) for span, health in pairs)
        if stated not in self._kinds:
            self._kinds[stated] = len(self._stated)
            self._stated += [numbers_of(health) for health in stated]
            self._stated_numbers = np.array(self._stated).reshape(-1, POSITIVE + 1)
        return self._kinds[stated]

    # ------------------------------------------------------------------ numbers

    def _lifted(self, block: Block, span: TensorSpan, parts: list[_Tensors]) -> HealthColumns:
        """What the bytes of tensors say that are alike."""
        records, starts, kinds, positions = map(np.concatenate, zip(*parts, strict=True))
        numbers = self._stated_numbers[kinds]
        bad = np.zeros(len(records), np.uint8)
        if span.source is not HealthSource.NOTHING:
            raw = gather(block.buffer, starts, span.end)
            if span.source is HealthSource.VECTOR:
                bad = _fill_from_vectors(numbers, raw.view("<f8"), Mode(span.mode))
            else:
                bad = _fill_from_values(numbers, floats_of(raw, span.dtype))
        return HealthColumns(records, bad, numbers, positions)

    def _decoded(self, rows: Column, event: int) -> HealthColumns:
        """The tensors of one event, by protobuf; none if the record is gone."""
        found: list[Health | None] = []
        if isinstance(self._store, TraceStore):
            trace = self._store.read(int(rows[event]))
            found = [trace.health] if trace else []
        else:
            execution = self._store.read(int(rows[event]))
            found = list(execution.health) if execution else []
        return columns_of(found, event)


def _nothing() -> HealthColumns:
    return HealthColumns(
        np.empty(0, np.int64),
        np.empty(0, np.uint8),
        np.empty((0, POSITIVE + 1), np.float64),
        np.empty(0, np.uint16),
    )


def _span(payload: bytes, message: Field, mode: int, health: Health | None) -> TensorSpan:
    """How the health of a tensor is found in all records laid out like this one."""
    tensor = list(fields(payload, message.start, message.end))
    dtypes = [field.value for field in tensor if field.number == DTYPE_FIELD]
    dtype = dtypes[-1] if dtypes else 0
    values = [field for field in tensor if field.number >= FIRST_VALUE_FIELD]
    alone = TensorSpan(HealthSource.ALONE, 0, 0, mode)
    if not values or not told_by(mode):
        return TensorSpan(HealthSource.NOTHING, 0, 0, mode)
    number, wire_type, start, end, _ = values[0]
    if health is None or len(values) > 1 or wire_type != DELIMITED:
        return alone
    if mode in VECTOR_LENGTH:
        fits = end - start == 8 * VECTOR_LENGTH[Mode(mode)] and dtype == DT_DOUBLE
        fits = fits and number in (CONTENT_FIELD, DOUBLE_FIELD)
        return TensorSpan(HealthSource.VECTOR, start, end, mode) if fits else alone
    raw = RAW_FLOATS.get((dtype, number), "")
    if raw:
        fits = health.size == (end - start) // ELEMENT_SIZE[raw]
        return TensorSpan(HealthSource.VALUES, start, end, mode, raw) if fits else alone
    told = number == CONTENT_FIELD and health.nan is None
    return TensorSpan(HealthSource.NOTHING, 0, 0, mode) if told else alone


def _common(span: TensorSpan, health: Health | None) -> Health | None:
    """What all tensors of one layout and shape have in common."""
    if health is None or span.source in (HealthSource.VECTOR, HealthSource.ALONE):
        return None
    if span.source is HealthSource.VALUES:
        return Health(dtype=health.dtype, rank=health.rank, size=health.size)
    return health


def numbers_of(health: Health | None) -> tuple[float, ...]:
    """A row of `HealthColumns.numbers`."""
    if health is None:
        return (math.nan,) * (POSITIVE + 1)
    dtype = _NUMBER_OF_DTYPE.get(health.dtype or "", math.nan)
    told = (
        health.rank, health.size, health.neg_inf, health.pos_inf, health.nan,
        health.negative, health.zero, health.positive,
    )  # fmt: skip
    return (dtype, *(math.nan if number is None else float(number) for number in told))


def columns_of(healths: Sequence[Health | None], event: int = 0) -> HealthColumns:
    """What is known of the tensors of one event."""
    return HealthColumns(
        np.full(len(healths), event),
        np.array([0 if health is None else health.bad for health in healths], np.uint8),
        np.array([numbers_of(health) for health in healths]).reshape(-1, POSITIVE + 1),
        np.arange(len(healths), dtype=np.uint16),
    )


def _alike(span: TensorSpan) -> TensorSpan:
    """What tensors have in common whose numbers can be lifted together."""
    return span._replace(start=0, end=span.end - span.start)


def _fill_from_vectors(numbers: Column, vectors: Column, mode: Mode) -> Column:
    bad = np.zeros(len(vectors), np.uint8)
    for column, kind in BAD_COLUMNS.get(mode, ()):
        bad |= (vectors[:, column] != 0) * np.uint8(kind)
    first, columns = COLUMNS_OF_VECTOR[mode]
    told = vectors[:, first : first + len(columns)]
    with np.errstate(invalid="ignore"):  # what is no count is not told
        numbers[:, columns.start : columns.stop] = np.where(
            (told > -1) & (told < BEYOND_COUNTING), np.trunc(told), np.nan
        )
    return bad


def _fill_from_values(numbers: Column, values: Column) -> Column:
    bad = np.zeros(len(values), np.uint8)
    with np.errstate(invalid="ignore"):
        counted = (
            (NEG_INF, values == -np.inf),
            (POS_INF, values == np.inf),
            (NAN, np.isnan(values)),
            (NEGATIVE, (values < 0) & (values != -np.inf)),
            (ZERO, values == 0),
            (POSITIVE, (values > 0) & (values != np.inf)),
        )
    for column, mask in counted:
        numbers[:, column] = mask.sum(axis=1)
    for column, kind in ((NEG_INF, Bad.NEG_INF), (POS_INF, Bad.POS_INF), (NAN, Bad.NAN)):
        bad |= (numbers[:, column] > 0) * np.uint8(kind)
    return bad
