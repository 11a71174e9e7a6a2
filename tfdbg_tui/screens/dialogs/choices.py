"""The lists to choose from: runs and hosts, source files, the ops of a source line."""

from __future__ import annotations

import math
import re
import time
from typing import TYPE_CHECKING

from tfdbg_tui.data.live.snapshot import Activity
from tfdbg_tui.screens.dialogs.menu import Choice, Fit, Heading, Menu
from tfdbg_tui.screens.present.status_text import PATH_WIDTH
from tfdbg_tui.screens.session.first_bad import tells_health
from tfdbg_tui.widgets.pieces import Piece, shorten
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfdbg_tui.data.index.line_index import LineOp, SourceEntry
    from tfdbg_tui.data.live.snapshot import RunState, Snapshot
    from tfdbg_tui.data.stores.host import Host
    from tfdbg_tui.data.stores.run import Run
    from tfdbg_tui.data.views.navigator import Navigator
    from tfdbg_tui.screens.session.change import Change
    from tfdbg_tui.screens.session.session import Session

MAX_OPS = 2000
"""Ops of one line that are listed."""

RUN_HEADINGS = (
    Heading("", Fit.NUMBER),
    Heading("run", least=8),
    Heading("folder", Fit.PATH, 2),
    Heading("host", Fit.NAME, 4, usual=16),
    Heading("when", Fit.PROSE, 5, least=12),
    Heading("state", Fit.PROSE, 3, least=11),
    Heading("events", Fit.NUMBER, 4),
    Heading("alerts", Fit.PROSE, 1, least=13),
)

FILE_HEADINGS = (
    Heading("file", Fit.PATH, least=12),
    Heading("ops", Fit.NUMBER, 3),
    Heading("alerts", Fit.NUMBER, 2),
)

OP_HEADINGS = (
    Heading("op", Fit.PATH, least=12),
    Heading("type", Fit.NAME, 3, usual=16),
    Heading("function", Fit.NAME, 4, usual=24),
    Heading("alerts", Fit.NUMBER, 2),
)

_INSTALLED = re.compile(r"^.*[/\\](?:site|dist)-packages[/\\]")
"""What stands before the name of an installed package, as far as it goes."""


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
    title = f"Runs in {shorten(snapshot.path, PATH_WIDTH)}, newest first"
    return Menu(title, RUN_HEADINGS, choices, lambda chosen: session.look_at(*entries[chosen]))


def _run_choice(
    snapshot: Snapshot, number: int, state: RunState, host_number: int, is_current: bool
) -> Choice:
    run, host = state.run, state.run.hosts[host_number]
    is_loading = snapshot.activity is Activity.LOADING
    cells = (
        Piece(f"{number:,}", "dim"),
        Piece((run.run_id or run.key)[:8]),
        Piece(run.folder_in(snapshot.path)),
        Piece(host.name),
        Piece(_clock(run.started)),
        _state(state, is_loading),
        Piece(f"{len(host.executions) + len(host.traces):,}"),
        _judgement(state, host, is_loading),
    )
    return Choice(cells, chosen=is_current)


def _state(state: RunState, is_loading: bool) -> Piece:
    """What its program does, or how it ended."""
    program = state.program
    if is_loading:
        return Piece("loading", "warn")
    if not state.ended:
        return Piece("live", "good")
    if program is not None and program.failed:
        return Piece(f"exit {program.exit_code}" if program.exit_code else "failed", "warn")
    return Piece("ended, cut", "warn") if state.cut_tail else Piece("ended")


def _judgement(state: RunState, host: Host, is_loading: bool) -> Piece:
    """How many alerts a host has; of none, whether that means anything."""
    alerts = state.alerts
    if len(state.run.hosts) > 1:
        alerts = len(host.executions.bad_events) + len(host.traces.bad_events)
    if alerts:
        return Piece(f"! {alerts:,}", "bad")
    if not tells_health(state):
        return Piece("not judged", "warn")
    if not len(host.executions) + len(host.traces):
        return Piece("no events", "dim")
    return Piece("clean" if state.ended and not is_loading else "clean so far", "good")


def _clock(started: float | None) -> str:
    """When a run began, in the user's time."""
    if not started or not math.isfinite(started):
        return ""
    try:
        return time.strftime("%m-%d %H:%M", time.localtime(started))
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
    return Menu("Recorded source files, yours first", FILE_HEADINGS, choices, choose)


def _file_choice(entry: SourceEntry, is_shown: bool) -> Choice:
    """A file; of what is installed, from its package on: the rest is the same for all of it."""
    is_user = entry.is_user
    path = entry.path if is_user else _INSTALLED.sub("", entry.path)
    cells = (
        Piece(path),
        Piece(f"{entry.ops:,}" if entry.ops else "", "dim"),
        Piece(f"! {entry.alerts:,}" if entry.alerts else "", "bad" if is_user else "dim"),
    )
    return Choice(cells, role="" if is_user else "dim", chosen=is_shown)


def ops_of_line(session: Session, line: int) -> Menu | str:
    """The ops that a line of the shown file created; or that there are none."""
    ops = _ops(session.navigator, line)
    if not ops:
        return f"Line {line} created no op."
    title = f"Line {line} created {counted(len(ops), 'op')}"
    choices = [_op_choice(op) for op in ops]
    return Menu(title, OP_HEADINGS, choices, lambda number: session.links.choose_op(ops[number]))


def _ops(navigator: Navigator, line: int) -> Sequence[LineOp]:
    index, file = navigator.index, navigator.selection.file
    return () if index is None or file is None else index.lines.ops(file, line, MAX_OPS)


def _op_choice(op: LineOp) -> Choice:
    cells = (
        Piece(op.name),
        Piece(op.op_type, "dim"),
        Piece(op.function or "eager", "dim"),
        Piece(f"! {op.alerts:,}" if op.alerts else "", "bad"),
    )
    return Choice(cells, role="bad" if op.alerts else "")
