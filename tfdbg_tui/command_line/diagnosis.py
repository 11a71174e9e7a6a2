"""`doctor`: what the recording can show, and what to change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.result import Cell, Result
from tfdbg_tui.doctor.findings import findings
from tfdbg_tui.doctor.page import Part, page
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer, Line
    from tfdbg_tui.doctor.page import PageLine

WIDTH = 80
"""Cells of a line; code may be longer."""


def run(context: Context, command: ParsedCommand) -> Answer:
    """The findings on the run."""
    yield
    snapshot = context.observe()
    run = context.run.run
    own = (state for state in snapshot.runs if state.run.key == run.key)
    found = findings(snapshot, next(own, None))
    facts = {
        "findings": [
            {"id": one.id, "level": one.level.value, "headline": one.headline} for one in found
        ]
    }
    return Result(
        counted(len(found), "finding"), tuple(map(_line, page(found, WIDTH))), facts=facts
    )


def _line(told: PageLine) -> Line:
    role = "head" if told.part is Part.HEADLINE else ""
    return (Cell(told.margin), Cell(told.text, role=role))
