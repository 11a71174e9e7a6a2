"""One run of a recorded program."""

from __future__ import annotations

import warnings
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tfdbg_tui.data.search.query import parse
from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.library import notebook
from tfdbg_tui.library.access import RunAccess
from tfdbg_tui.library.cause import RecordedCause, recorded_cause
from tfdbg_tui.library.event import execution_table, tensor_table
from tfdbg_tui.sanitise import one_line
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from tfdbg_tui.data.search.named_filters import NamedFilters
    from tfdbg_tui.data.stores.run import Run
    from tfdbg_tui.library.event import RecordedExecution, RecordedTensor
    from tfdbg_tui.library.table import EventTable


class RecordedHost(NamedTuple):
    """One process that recorded."""

    name: str
    graph_tensors: int
    executions: int


class RecordedRun:
    """All that one program recorded, as it was when the logdir was opened."""

    def __init__(self, run: Run, filters: NamedFilters) -> None:
        self._run = run
        self._filters = filters

    @cached_property
    def _access(self) -> RunAccess:
        return RunAccess(self._run, self._filters)

    @property
    def id(self) -> str:
        """Its id or, where none is on disk, how its files are called."""
        return one_line(self._run.key)

    @property
    def directory(self) -> Path:
        """Where its files lie."""
        return Path(self._run.directory)

    @property
    def started(self) -> float | None:
        """In seconds since 1970."""
        return self._run.started

    @property
    def tensorflow_version(self) -> str | None:
        """Of the TensorFlow that recorded."""
        version = self._run.tensorflow_version
        return None if version is None else one_line(version)

    @property
    def modes(self) -> tuple[str, ...]:
        """What was recorded of tensors."""
        return tuple(self._run.mode_names())

    @property
    def hosts(self) -> tuple[RecordedHost, ...]:
        """The processes that recorded."""
        return tuple(
            RecordedHost(one_line(host.name), len(host.traces), len(host.executions))
            for host in self._run.hosts
        )

    @property
    def steps(self) -> int | None:
        """Steps of the training loop; None where none is known."""
        return self._access.index.steps

    @cached_property
    def tensors(self) -> EventTable[RecordedTensor]:
        """All recorded tensors, of graphs and of what was executed eagerly, in time."""
        return tensor_table(self._access, self._access.all_tensors())

    @cached_property
    def executions(self) -> EventTable[RecordedExecution]:
        """All eager ops and calls of functions, in time."""
        return execution_table(self._access, self._access.all_executions())

    def query(self, text: str) -> EventTable[RecordedTensor]:
        """The tensors that fit a query, as the app's `/` has them; raises a ValueError."""
        rows = self._access.found(parse(text, self._filters.find))
        for sentence in self._filters.take_complaints():
            warnings.warn(sentence, stacklevel=2)
        return tensor_table(self._access, rows)

    def history(self, tensor: RecordedTensor) -> EventTable[RecordedTensor]:
        """All computations of a tensor."""
        return tensor.history()

    @cached_property
    def causes(self) -> tuple[RecordedCause, ...]:
        """What made its bad numbers, the worst first; what is bad on purpose is none."""
        ranked = self._access.causes.ranking.causes
        return tuple(recorded_cause(self._access, cause) for cause in ranked)

    def cause(self) -> RecordedCause | None:
        """The worst cause; None if nothing is bad but on purpose."""
        return next(iter(self.causes), None)

    def __repr__(self) -> str:
        return f"<RecordedRun {self.id} in {one_line(str(self.directory))}>"

    def _repr_html_(self) -> str:
        told = (
            ("directory", self.directory),
            ("TensorFlow", self.tensorflow_version),
            ("modes", ", ".join(self.modes)),
            ("hosts", ", ".join(host.name for host in self.hosts)),
            ("steps", self.steps),
            ("graph tensors", f"{sum(host.graph_tensors for host in self.hosts):,}"),
            ("executions", f"{sum(host.executions for host in self.hosts):,}"),
            ("NaN or inf", counted(len(self._run.alerts), "tensor")),
        )
        return notebook.heading(f"run {self.id}", bool(self._run.alerts)) + notebook.facts(told)
