"""The lists to choose from: runs and hosts, source files, the ops of a source line."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, NamedTuple

from tfdbg_tui.screens.present.status_text import PATH_WIDTH
from tfdbg_tui.widgets.pieces import shorten
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tfdbg_tui.data.index.line_index import LineOp, SourceEntry
    from tfdbg_tui.data.live.snapshot import RunState, Snapshot
    from tfdbg_tui.data.stores.run import Run
    from tfdbg_tui.data.views.navigator import Navigator
    from tfdbg_tui.screens.session.change import Change
    from tfdbg_tui.screens.session.session import Session

MAX_OPS = 2000
"""Ops of one line that are listed."""


class Choice(NamedTuple):
    """One thing to choose."""

    text: str
    note: str = ""
    role: str = ""
    chosen: bool = False


class Menu(NamedTuple):
    """Some things to choose among, and what comes of choosing one by its number."""

    title: str
    choices: Sequence[Choice]
    choose: Callable[[int], Change]


def runs(session: Session) -> Menu | str:
    """The runs and, where there are several, their hosts; or why there are none to choose."""
    snapshot, navigator = session.snapshot, session.navigator
    if snapshot is None or not snapshot.runs:
        return "There is no run here yet."
    current = (navigator.run.run if navigator.run else None, navigator.selection.host)
    entries: list[tuple[Run, int]] = []
    choices = []
    for number, state in reversed(list(enumerate(snapshot.runs, 1))):
        for host in range(len(state.run.hosts)):
            entry = (state.run, host)
            entries.append(entry)
            choices.append(_run_choice(snapshot, number, state, host, entry == current))
    title = f"Runs in {shorten(str(snapshot.path), PATH_WIDTH)}, newest first"
    return Menu(title, choices, lambda chosen: session.look_at(*entries[chosen]))


def _run_choice(
    snapshot: Snapshot, number: int, state: RunState, host_number: int, is_current: bool
) -> Choice:
    run, host = state.run, state.run.hosts[host_number]
    folder = run.folder_in(snapshot.path)
    parts = (f"{number:2}", (run.run_id or run.key)[:8], folder, host.name)
    events = len(host.executions) + len(host.traces)
    alerts = f"! {state.alerts:,}" if state.alerts else "no alerts"
    word = "ended" if state.ended else "live"
    note = f"{_clock(run.started)}{word}  {counted(events, 'event')}  {alerts}"
    return Choice("  ".join(part for part in parts if part), note, chosen=is_current)


def _clock(started: float | None) -> str:
    """When a run began, in the user's time."""
    if not started or not math.isfinite(started):
        return ""
    try:
        return time.strftime("%m-%d %H:%M  ", time.localtime(started))
    except (OverflowError, ValueError, OSError):  # in a year that no calendar has
        return ""


def files(session: Session) -> Menu | str:
    """All recorded source files; or why there are none to choose."""
    index = session.navigator.index
    entries = index.lines.files() if index is not None else ()
    if index is None or not entries:
        return "No source file is on disk yet."
    lines, shown = index.lines, session.navigator.selection.file

    def choose(number: int) -> Change:
        file = entries[number].file
        return session.links.choose_file(file, lines.first_telling(file))

    choices = [_file_choice(entry, entry.file == shown) for entry in entries]
    return Menu("Recorded source files, yours first", choices, choose)


def _file_choice(entry: SourceEntry, is_shown: bool) -> Choice:
    ops = counted(entry.ops, "op") if entry.ops else ""
    note = f"! {entry.alerts:,}" if entry.alerts else ops
    return Choice(entry.path, note, role="" if entry.is_user else "dim", chosen=is_shown)


def ops_of_line(session: Session, line: int) -> Menu | str:
    """The ops that a line of the shown file created; or that there are none."""
    ops = _ops(session.navigator, line)
    if not ops:
        return f"Line {line} created no op."
    title = f"Line {line} created {counted(len(ops), 'op')}"
    choices = [_op_choice(op) for op in ops]
    return Menu(title, choices, lambda number: session.links.choose_op(ops[number]))


def _ops(navigator: Navigator, line: int) -> Sequence[LineOp]:
    index, file = navigator.index, navigator.selection.file
    return () if index is None or file is None else index.lines.ops(file, line, MAX_OPS)


def _op_choice(op: LineOp) -> Choice:
    return Choice(
        op.name if op.op_type in op.name else f"{op.name}  {op.op_type}",
        f"{op.function or 'eager'}  " + (f"! {op.alerts:,}" if op.alerts else ""),
        role="bad" if op.alerts else "",
    )
