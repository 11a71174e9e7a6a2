"""What came of a command, frozen: lines of text, a table, or both, with links and for machines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from tfdbg_tui.data.stores.event_kind import EventRef
from tfdbg_tui.frozen.frozen import Frozen
from tfdbg_tui.frozen.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    Answer = Generator[None, None, "Result"]
    """Work on a command: pauses, and ends in what there is to say."""

Json = Mapping[str, object]


class OpLink(NamedTuple):
    """Leads to an op of a graph."""

    host: int
    graph_id: str
    op_name: str
    slot: int = 0


class SourceLink(NamedTuple):
    """Leads to a line of a recorded source file."""

    host: int
    file: int
    """Number of the file among the sources of the host."""
    line: int


class CommandLink(NamedTuple):
    """Leads to what another command tells."""

    line: str


Link = EventRef | OpLink | SourceLink | CommandLink


class Cell(NamedTuple):
    """One cell of a table, or a piece of a line."""

    text: str
    """As it was recorded: whoever shows it cleans it."""
    value: object = None
    """The same for machines, and to sort by: a number, a text, or None where it is not known."""
    link: Link | None = None
    role: str = ""
    """`bad`, `dim`, `head`, or empty."""


Row = tuple[Cell, ...]

Line = tuple[Cell, ...]
"""A line of text in pieces."""


class Head(NamedTuple):
    """The head of a column."""

    key: str
    """Its name for machines and for sorting."""
    title: str
    is_number: bool = False
    """Whether it stands to the right."""


class Rows(Protocol):
    """The rows of a table, which may be made only when they are looked at."""

    def __len__(self) -> int: ...

    def rows(self, start: int, stop: int) -> Sequence[Row]:
        """Some of them."""

    def sorted_by(self, key: str, is_reversed: bool) -> Rows:
        """The same in the order of a column."""


class FixedRows(Frozen):
    """Rows that are there."""

    all: tuple[Row, ...] = ()
    heads: tuple[Head, ...] = ()

    def __len__(self) -> int:
        return len(self.all)

    def rows(self, start: int, stop: int) -> Sequence[Row]:
        """Some of them."""
        return self.all[start:stop]

    def sorted_by(self, key: str, is_reversed: bool) -> Rows:
        """The same in the order of a column; what is not known stands at the end."""
        column = [head.key for head in self.heads].index(key)
        known = [row for row in self.all if row[column].value is not None]
        others = [row for row in self.all if row[column].value is None]
        try:
            known.sort(key=lambda row: row[column].value, reverse=is_reversed)  # type: ignore[arg-type,return-value]
        except TypeError:  # of several kinds
            known.sort(key=lambda row: row[column].text, reverse=is_reversed)
        return FixedRows((*known, *others), self.heads)


NOTHING: Json = {}
"""No facts."""


class Result(Frozen):
    """All that a command tells."""

    title: str
    lines: tuple[Line, ...] = ()
    """Text, above the table if there is one."""
    heads: tuple[Head, ...] = ()
    rows: Rows = FixedRows()
    notes: tuple[str, ...] = ()
    """Sentences below all that."""
    facts: Json = NOTHING
    """What machines get beside the rows."""
    is_empty: bool = False
    """Whether a list was asked for and nothing is in it."""
    is_sortable: bool = True
    """Whether the order of the rows may be another one: a tree's may not."""
    write: Callable[[str, bool], str] | None = None
    """Writes what is told to a file of its own kind, over another if asked; says what it did."""


def line(text: str, role: str = "", link: Link | None = None) -> Line:
    """A line of one piece."""
    return (Cell(text, link=link, role=role),)


def table(
    title: str,
    heads: tuple[Head, ...],
    rows: Sequence[Row],
    lines: tuple[Line, ...] = (),
    notes: tuple[str, ...] = (),
) -> Result:
    """A result that is a list of a few rows, and empty where there are none."""
    fixed = FixedRows(tuple(rows), heads)
    return Result(title, lines, heads, fixed, notes, is_empty=not rows)
