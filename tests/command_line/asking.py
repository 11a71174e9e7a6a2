"""Recordings that commands are asked about, loaded once for each test process."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tests.support.reading import load
from tfdbg_tui.command_line.context import Context
from tfdbg_tui.command_line.printing import as_text
from tfdbg_tui.command_line.running import answer
from tfdbg_tui.data.index.run_index import RunIndex
from tfdbg_tui.doctor.observe import observe

if TYPE_CHECKING:
    from pathlib import Path


@cache
def asked_about(path: Path) -> Context:
    """What commands get when a recording is all there is."""
    logdir = load(path)
    return Context(str(path), RunIndex(logdir.runs[-1]), lambda: observe(logdir))


def told(path: Path, line: str) -> str:
    """What a command says, as text."""
    return "".join(as_text(answer(asked_about(path), line)))


def column(path: Path, line: str, key: str) -> list[object]:
    """The values of a column."""
    result = answer(asked_about(path), line)
    place = [head.key for head in result.heads].index(key)
    return [row[place].value for row in result.rows.rows(0, len(result.rows))]
