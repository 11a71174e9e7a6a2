"""Many events as a table: columns in bulk, rows one by one, frames of pandas, a page of HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np

from tfdbg_tui.data.records.tensors import DTYPES
from tfdbg_tui.library import notebook
from tfdbg_tui.library.columns import COUNTS, UNTOLD
from tfdbg_tui.library.sites import NAMES
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt
    import pandas

    from tfdbg_tui.library.access import RunAccess

    Rows = npt.NDArray[Any]

Item = TypeVar("Item")

SHOWN = 20
"""Rows that a notebook shows."""

SHOWN_COLUMNS = ("step", "name", "op_type", "function", "dtype", "rank", *COUNTS, "file", "line")

DTYPE_NAMES = np.array([DTYPES[n].name if n in DTYPES else "" for n in range(100)], object)
"""The name of each number of an element type; empty where it is not told."""


class EventTable(Generic[Item]):
    """Tensors or executions, in the order of time.

    A column by its name, a part by a slice, a mask or row numbers, one of them by its number.
    """

    def __init__(
        self, access: RunAccess, rows: Rows, item: Callable[[RunAccess, Rows], Item], what: str
    ) -> None:
        self._access = access
        self._rows = rows
        self._item = item
        self._what = what

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Item]:
        return (self[number] for number in range(len(self)))

    @overload
    def __getitem__(self, key: str) -> npt.NDArray[Any]: ...

    @overload
    def __getitem__(self, key: int) -> Item: ...

    @overload
    def __getitem__(self, key: slice | npt.NDArray[np.generic]) -> EventTable[Item]: ...

    def __getitem__(
        self, key: str | int | slice | npt.NDArray[np.generic]
    ) -> npt.NDArray[Any] | Item | EventTable[Item]:
        if isinstance(key, str):
            return self._column(key)
        if isinstance(key, (int, np.integer)):
            return self._item(self._access, self._rows[key])
        return EventTable(self._access, self._rows[key], self._item, self._what)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns."""
        return (*(self._rows.dtype.names or ()), *NAMES, "line")

    @property
    def sites(self) -> Rows:
        """The names that all rows share: row `n` comes from `sites[table["site"][n]]`."""
        return self._access.sites.rows

    def to_numpy(self) -> Rows:
        """A structured array; -1 is a number that is not told, and a step where none is known.

        `dtype` is the number that TensorFlow gives an element type: `tf.as_dtype` takes it.
        """
        return self._rows.copy()

    def __array__(
        self, dtype: npt.DTypeLike | None = None, copy: bool | None = None
    ) -> npt.NDArray[np.generic]:
        return self._rows.copy() if dtype is None else self._rows.astype(dtype)

    def to_pandas(self) -> pandas.DataFrame:
        """A frame; names are categories, and a number that is not told is `pandas.NA`."""
        try:
            import pandas as pd
        except ImportError:
            raise ImportError(
                "to_pandas needs pandas; install it with `pip install 'tfdbg-tui[pandas]'`."
            ) from None
        found: dict[str, object] = {}
        for name in self.columns:
            column = self._column(name)
            if name == "time":
                found[name] = pd.to_datetime(column, unit="s", errors="coerce")
            elif column.dtype == object:
                found[name] = pd.Categorical(column)
            elif name in (*COUNTS, "step", "rank"):
                whole = pd.array(column, dtype="Int64")
                whole[column == UNTOLD] = pd.NA
                found[name] = whole
            else:
                found[name] = column
        return pd.DataFrame(found)

    def _column(self, name: str) -> Rows:
        if name == "dtype":
            found: Rows = DTYPE_NAMES[self._rows["dtype"]]
            return found
        if name in (self._rows.dtype.names or ()):
            return self._rows[name].copy()
        if name not in self.columns:
            raise ValueError(f"There is no column {name}; there are {', '.join(self.columns)}.")
        column: Rows = self.sites[name][self._rows["site"]]
        return self._with_outputs(column) if name == "name" else column

    def _with_outputs(self, names: Rows) -> Rows:
        """The names of tensors: what an execution puts out is told apart by its number."""
        if "output" in (self._rows.dtype.names or ()):
            eager = np.flatnonzero(self._rows["eager"])
            outputs = self._rows["output"][eager].tolist()
            names[eager] = [
                f"{name}:{output}" for name, output in zip(names[eager], outputs, strict=True)
            ]
        return names

    def __repr__(self) -> str:
        bad = int(np.count_nonzero(self._rows["bad"]))
        return f"<{counted(len(self), self._what)}, {bad:,} with NaN or inf>"

    def _repr_html_(self) -> str:
        first = self[:SHOWN]
        columns = [first[name].tolist() for name in SHOWN_COLUMNS]
        rows = [
            ["" if cell == UNTOLD else cell for cell in row] for row in zip(*columns, strict=True)
        ]
        bad = [bool(flag) for flag in first["bad"]]
        shown = notebook.table(SHOWN_COLUMNS, rows, bad)
        more = f"<p>{len(self) - SHOWN:,} more</p>" if len(self) > SHOWN else ""
        return f"{notebook.heading(repr(self).strip('<>'))}{shown}{more}"
