"""One tensor, or one execution, and all that can be asked about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfdbg_tui.data.records.modes import mode_name
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.values.recorded_value import NotRecorded, value_of
from tfdbg_tui.data.values.slices import parse_slice
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.library import notebook
from tfdbg_tui.library.cause import RecordedCause, recorded_cause
from tfdbg_tui.library.source import Frame, SourceLine, frames, source_line
from tfdbg_tui.library.table import EventTable

if TYPE_CHECKING:
    import numpy.typing as npt

    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.library.access import RunAccess


class TensorHealth(NamedTuple):
    """What is recorded of a tensor's numbers; None is what the mode does not tell."""

    is_bad: bool
    mode: str
    dtype: str | None = None
    rank: int | None = None
    shape: tuple[int | None, ...] | None = None
    size: int | None = None
    nan: int | None = None
    pos_inf: int | None = None
    neg_inf: int | None = None
    zero: int | None = None
    negative: int | None = None
    positive: int | None = None


class RecordedEvent:
    """What is known of a tensor and of an execution alike."""

    def __init__(self, access: RunAccess, row: npt.NDArray[Any]) -> None:
        self._access = access
        self.host = int(row["host"])
        """The number of the host in `run.hosts`."""
        self.event = int(row["event"])
        """Which of the host's graph tensors it is, or which of its executions."""
        self.eager = bool(row["eager"])
        """Whether an eager op or a call of a function put it out, not a graph."""
        self.time = float(row["time"])
        """In seconds since 1970."""
        self.step = None if row["step"] < 0 else int(row["step"])
        self.is_bad = bool(row["bad"])
        """Whether it holds a NaN or ∞, as far as the mode tells."""
        self.site = int(row["site"])
        names = access.sites.rows[self.site]
        self._name: str = names["name"]
        self.op_name: str = names["op_name"]
        self.op_type: str = names["op_type"]
        self.function: str = names["function"]
        self.layer: str = names["layer"]
        self.device: str = names["device"]

    @property
    def name(self) -> str:
        """As the app shows it."""
        return self._name

    @property
    def stack(self) -> tuple[Frame, ...]:
        """The frames that created its op, the innermost last; of a gradient, its forward op."""
        return frames(self._index.host, self._stack())

    @property
    def source(self) -> SourceLine | None:
        """The user's line in it; None where it is not known."""
        return source_line(self._index.host.location_of(self._stack()))

    def _stack(self) -> tuple[str, ...]:
        host = self._index.host
        if self.eager:
            return host.executions.site_of(self.event).stack
        op = host.op_of(host.traces.site_of(self.event))
        return () if op is None else host.graphs.stack_of(op)

    @property
    def _index(self) -> HostIndex:
        return self._access.index.hosts[self.host]

    @property
    def _kind(self) -> EventKind:
        return EventKind.EXECUTION if self.eager else EventKind.TRACE

    def _line(self) -> str | None:
        line = self.source
        return None if line is None else f"{line.file}:{line.line}"

    def __repr__(self) -> str:
        bad = ", NaN or inf" if self.is_bad else ""
        step = "" if self.step is None else f", step {self.step}"
        return f"<{type(self).__name__} {self.name} ({self.op_type}){step}{bad}>"


class RecordedTensor(RecordedEvent):
    """One recorded tensor."""

    def __init__(self, access: RunAccess, row: npt.NDArray[Any]) -> None:
        super().__init__(access, row)
        self.output = int(row["output"])
        """Which of the tensors of its event it is, from 0."""

    @property
    def name(self) -> str:
        """With its slot: `loss/Log:0`."""
        return f"{self._name}:{self.output}" if self.eager else self._name

    @property
    def health(self) -> TensorHealth:
        """What is recorded of its numbers."""
        store = self._index.host.store_of(self._kind)
        told = store.health(self.event, self.output)
        mode = mode_name(store.site_of(self.event).mode)
        if told is None:
            return TensorHealth(self.is_bad, mode)
        known = (getattr(told, name) for name in TensorHealth._fields[2:])
        return TensorHealth(self.is_bad, mode, *known)

    def value(self, part: str = "") -> npt.NDArray[Any]:
        """Its elements, or those of a slice such as `[0:5, :]`, of which alone they are read.

        Raises a ValueError that says why there are none: only FULL_TENSOR records them.
        """
        host = self._index.host
        found = value_of(host, self._kind, self.event, self.output)
        if isinstance(found, NotRecorded):
            raise ValueError(f"{self.name}: {found.reason}")
        return found.window(parse_slice(part).on(found.shape))

    def cause(self) -> RecordedCause | None:
        """What made it bad; None if it is not bad, or if that is not known."""
        if not self.is_bad:
            return None
        ref = EventRef(self.host, self._kind, self.event, self.output)
        found = self._access.causes.cause_behind(ref)
        return None if found is None else recorded_cause(self._access, found)

    def history(self) -> EventTable[RecordedTensor]:
        """All computations of the same tensor, this one among them."""
        rows = self._access.history(self.host, self._kind, self.site, self.output)
        return tensor_table(self._access, rows)

    def _repr_html_(self) -> str:
        health = self.health
        told = (
            ("op", f"{self.op_name} ({self.op_type})"),
            ("function", self.function or None),
            ("layer", self.layer or None),
            ("line", self._line()),
            ("step", self.step),
            *zip(health._fields[1:], health[1:], strict=True),
        )
        return notebook.heading(self.name, bad=self.is_bad) + notebook.facts(told)


class RecordedExecution(RecordedEvent):
    """One eager op, or one call of a function."""

    @property
    def is_call(self) -> bool:
        """Whether a function was called."""
        return bool(self.function)

    @property
    def tensors(self) -> EventTable[RecordedTensor]:
        """What it put out, as far as that is recorded."""
        return tensor_table(self._access, self._access.outputs(self.host, self.event))

    def _repr_html_(self) -> str:
        told = (("op", self.op_type), ("line", self._line()), ("step", self.step))
        return notebook.heading(self.name, bad=self.is_bad) + notebook.facts(told)


def tensor_table(access: RunAccess, rows: npt.NDArray[Any]) -> EventTable[RecordedTensor]:
    """Rows of tensors as a table."""
    return EventTable(access, rows, RecordedTensor, "tensor")


def execution_table(access: RunAccess, rows: npt.NDArray[Any]) -> EventTable[RecordedExecution]:
    """Rows of executions as a table."""
    return EventTable(access, rows, RecordedExecution, "execution")
