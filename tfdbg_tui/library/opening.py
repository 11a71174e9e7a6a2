"""Opening a logdir."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tfdbg_tui.data.search.named_filters import NAME, NamedFilters
from tfdbg_tui.data.search.user_filters import UserFilter
from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.errors import UserError
from tfdbg_tui.library import notebook
from tfdbg_tui.library.run import RecordedRun
from tfdbg_tui.sanitise import one_line
from tfdbg_tui.words import counted, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from tfdbg_tui.data.search.user_filters import FilteredTensor

    Filter: TypeAlias = Callable[[FilteredTensor, npt.NDArray[Any] | None], object]
    Filters: TypeAlias = str | os.PathLike[str] | Mapping[str, Filter]


def open_logdir(path: str | os.PathLike[str], *, filters: Filters | None = None) -> RecordedLogdir:
    """Read all that is recorded in a directory, or below it.

    `filters` are functions of your own by name, or the Python file that defines them: queries
    know them as `filter:NAME`. What is written later is there when it is opened again.
    """
    known = _named(filters)
    logdir = Logdir(path)
    if not os.path.isdir(logdir.path):  # noqa: PTH112 - `Path.is_dir` raises for long names
        is_there = os.path.lexists(logdir.path)
        why = "is a file; open the directory it is in" if is_there else "does not exist"
        raise UserError(f"{logdir.path} {why}.")
    logdir.load()
    if logdir.path in logdir.unreadable:
        reason = logdir.unreadable[logdir.path].lower()
        raise UserError(f"{logdir.path} cannot be listed ({reason}); check its rights.")
    return RecordedLogdir(logdir, known)


def _named(filters: Filters | None) -> NamedFilters:
    if filters is None:
        return NamedFilters()
    if not isinstance(filters, Mapping):
        from tfdbg_tui.data.search.filter_file import read_filters  # few have such a file

        return read_filters(os.fspath(filters))
    for name in filters:
        if NAME.fullmatch(name) is None:
            raise ValueError(
                f"{name} is no name for a filter: it begins with a letter, as big_loss."
            )
    return NamedFilters(_filter(name, function) for name, function in filters.items())


def _filter(name: str, function: Filter) -> UserFilter:
    code = getattr(function, "__code__", None)
    if code is None:
        return UserFilter(name, function)
    return UserFilter(name, function, code.co_filename, code.co_firstlineno)


class RecordedLogdir:
    """The runs of a directory, oldest first, as they were when it was opened."""

    def __init__(self, logdir: Logdir, filters: NamedFilters) -> None:
        self._logdir = logdir
        self._filters = filters
        self.runs = tuple(RecordedRun(run, filters) for run in logdir.runs)

    @property
    def path(self) -> Path:
        """The directory."""
        return Path(self._logdir.path)

    def run(self, beginning: str = "") -> RecordedRun:
        """The newest run or, of those whose id begins so, the newest; raises a ValueError."""
        found = [run for run in self.runs if run.id.startswith(beginning)]
        if found:
            return found[-1]
        if not self.runs:
            raise ValueError(f"There is no tfdbg recording in {self.path}.")
        raise ValueError(f"There is no run {beginning}; there is {listed(self._ids())}.")

    def define(self, name: str, query: str) -> None:
        """Give a query a name, so that `filter:NAME` means it; raises a ValueError."""
        self._filters.define(name, query)

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[RecordedRun]:
        return iter(self.runs)

    def _ids(self) -> list[str]:
        return [run.id for run in self.runs]

    def __repr__(self) -> str:
        return f"<RecordedLogdir {one_line(str(self.path))}, {counted(len(self), 'run')}>"

    def _repr_html_(self) -> str:
        heads = ("run", "directory", "TensorFlow", "modes", "hosts")
        rows = [
            (run.id, run.directory, run.tensorflow_version, ", ".join(run.modes), len(run.hosts))
            for run in self.runs
        ]
        shown = notebook.table(heads, rows, [False] * len(rows))
        return notebook.heading(str(self.path)) + shown
