"""The programs in ``examples/``: which there are, and what their table and their marks promise.

Nothing here runs them; whoever does can compare what was recorded with what is said here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[2] / "examples"
README = FOLDER / "README.md"
EXAMPLES = tuple(sorted(FOLDER.glob("*.py")))

MARK = "# <- the bug shows here"
"""Ends the line that made the first bad tensor."""

COLUMNS = 5
_PROGRAM = re.compile(r"\[(?P<text>[^\]]+)\]\((?P<link>[^)]+)\)")
_TENSOR = re.compile(r"`(?P<op_type>[^`]+)` `(?P<tensor>[^`]+)`")


class FirstBad(NamedTuple):
    """The first bad tensor, in the words of ``check --json``."""

    op_type: str
    tensor: str


class TableRow(NamedTuple):
    """What the table in ``examples/README.md`` says about one program."""

    program: str
    first_bad: FirstBad
    holds: str


def marked_lines(path: Path) -> tuple[int, ...]:
    """Every line with the mark, counted from 1."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(number for number, line in enumerate(lines, start=1) if line.endswith(MARK))


def marked_line(path: Path) -> int:
    """The line that a tool should name."""
    (line,) = marked_lines(path)
    return line


def table() -> tuple[TableRow, ...]:
    """The rows of the table, in its order."""
    lines = README.read_text(encoding="utf-8").splitlines()
    return tuple(_row(line) for line in lines if line.startswith("| ["))


def expected(path: Path) -> FirstBad:
    """The first bad tensor that the table promises for a program."""
    (row,) = (row for row in table() if row.program == path.name)
    return row.first_bad


def _row(line: str) -> TableRow:
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert len(cells) == COLUMNS, line
    program, _bug, tensor, holds, _cure = cells
    link, names = _PROGRAM.fullmatch(program), _TENSOR.fullmatch(tensor)
    assert link, program
    assert link["text"] == link["link"], program
    assert names, tensor
    return TableRow(link["link"], FirstBad(names["op_type"], names["tensor"]), holds)
