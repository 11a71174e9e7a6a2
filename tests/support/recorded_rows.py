"""Rows of every pane from a recording, and the same rows with hostile names in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tfdbg_tui.data.stores.logdir import Logdir
from tfdbg_tui.data.stores.sources import Line
from tfdbg_tui.data.views.navigator import Navigator
from tfdbg_tui.frozen.frozen import replace

if TYPE_CHECKING:
    from pathlib import Path

    from tfdbg_tui.data.views.alert_tree import AlertTreeRow
    from tfdbg_tui.data.views.event_rows import ExecutionRow, TraceRow

Row = TypeVar("Row", "TraceRow", "ExecutionRow")

MANY = 10**9


class Lists(NamedTuple):
    """The rows of the three lists."""

    alerts: list[AlertTreeRow]
    executions: list[ExecutionRow]
    traces: list[TraceRow]


def browser_of(logdir: Path) -> Navigator:
    """A recording, read and indexed."""
    read = Logdir(logdir)
    read.load()
    navigator = Navigator()
    navigator.open_run(read.runs[-1])
    assert navigator.run is not None
    for job in navigator.jobs():
        while job.extend():
            pass
    assert navigator.causes.tree is not None
    navigator.causes.tree.refresh()
    return navigator


def lists_of(logdir: Path) -> Lists:
    """All rows of a recording."""
    navigator = browser_of(logdir)
    assert navigator.run is not None
    executions, traces = navigator.execution_rows(), navigator.trace_rows()
    assert executions is not None
    assert traces is not None
    assert navigator.causes.tree is not None
    alerts = navigator.causes.tree.rows(0, MANY)
    return Lists(alerts, executions.rows(0, MANY), traces.rows(0, MANY))


def renamed(row: Row, name: str) -> Row:
    """The same row with a name wherever it has one."""
    line = Line(0, f"/home/ada/{name}", 12, name)
    facts = row.facts._replace(
        tensor=name, op_type=name, function=name, graph=name, line=line, device=f"device:{name}"
    )
    return replace(row, facts=facts)
