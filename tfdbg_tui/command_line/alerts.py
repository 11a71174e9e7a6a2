"""`alerts`: what is bad, each cause above what follows from it, and early warnings below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.result import Cell, FixedRows, Head, Result, SourceLink
from tfdbg_tui.data.views.alert_list import WarningRow
from tfdbg_tui.data.views.number_words import bad_words
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer, Row
    from tfdbg_tui.data.early.warning import EarlyWarning
    from tfdbg_tui.data.stores.sources import Line
    from tfdbg_tui.data.views.alert_tree import AlertTreeRow

HEADS = (
    Head("is", "is"),
    Head("name", "tensor"),
    Head("op", "op type"),
    Head("what", "what"),
    Head("first_step", "step", is_number=True),
    Head("count", "times", is_number=True),
    Head("line", "line"),
)


def run(context: Context, command: ParsedCommand) -> Answer:
    """All alerts and warnings of the run."""
    causes = yield from context.with_causes()
    while causes.warnings is not None and causes.warnings.extend():
        yield
    listed = causes.alerts
    rows: list[Row] = []
    if listed is not None:
        listed.refresh()
        yield
        for row in listed.rows(0, len(listed)):
            host = row.warning.tensor.host if isinstance(row, WarningRow) else row.site.host
            rows.append(_warning(row.warning) if isinstance(row, WarningRow) else _alert(row, host))
    warnings = 0 if listed is None else len(listed.warnings)
    title = f"{counted(len(context.run.log), 'bad tensor')}, {counted(warnings, 'early warning')}"
    return Result(title, heads=HEADS, rows=FixedRows(tuple(rows), HEADS), is_empty=not rows)


def _alert(row: AlertTreeRow, host: int) -> Row:
    site = row.site
    what = bad_words(site.bad)
    word = "muted" if row.is_muted else "follows" if row.follows else "cause"
    count = row.count or site.count
    return (
        Cell(word, word, role="dim" if row.follows or row.is_muted else "bad"),
        Cell(("  " if row.follows else "") + site.name, site.name, site.first),
        Cell(site.facts.op_type or "?", site.facts.op_type),
        Cell(what, what, role="bad"),
        Cell("" if site.first_step is None else f"{site.first_step:,}", site.first_step),
        Cell(f"{count:,}", count),
        _line_cell(site.facts.line, host),
    )


def _warning(warning: EarlyWarning) -> Row:
    step = warning.step
    return (
        Cell("warning", "warning"),
        Cell(warning.name, warning.name, warning.tensor),
        Cell(warning.op_type or "", warning.op_type or None),
        Cell(f"{warning.kind.words}: {warning.told}", warning.told),
        Cell("" if step is None else f"{step:,}", step),
        Cell(f"{warning.count:,}", warning.count),
        _line_cell(warning.line, warning.tensor.host),
    )


def _line_cell(line: Line | None, host: int) -> Cell:
    if line is None:
        return Cell("")
    name = line.path.replace("\\", "/").rpartition("/")[2]
    link = SourceLink(host, line.file, line.line)
    return Cell(f"{name}:{line.line}", f"{line.path}:{line.line}", link)
