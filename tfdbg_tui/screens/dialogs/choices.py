"""The lists to choose from: runs and hosts, source files, the ops of a source line."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from tfdbg_tui.screens.dialogs.chooser import Choice, Chooser
from tfdbg_tui.screens.present.status_text import PATH_WIDTH
from tfdbg_tui.widgets.pieces import shorten
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from tfdbg_tui.screens.linked import LinkedScreen

MAX_OPS = 2000
"""Ops of one line that are listed."""


def _clock(started: float | None) -> str:
    """When a run began, in the user's time."""
    if not started or not math.isfinite(started):
        return ""
    return time.strftime("%m-%d %H:%M  ", time.localtime(started))


class Choices:
    """Opens choosers on the main screen's behalf."""

    def __init__(self, screen: LinkedScreen) -> None:
        self._screen = screen

    def runs(self) -> None:
        """Choose among the runs and, where there are several, their hosts."""
        screen = self._screen
        snapshot = screen.snapshot
        if snapshot is None or not snapshot.runs:
            screen.tell("There is no run here yet.")
            return
        places, choices = [], []
        current = (
            screen.navigator.run.run if screen.navigator.run else None,
            screen.navigator.selection.host,
        )
        for place, state in reversed(list(enumerate(snapshot.runs, 1))):
            for number, host in enumerate(state.run.hosts):
                places.append((state.run, number))
                folder = state.run.folder_in(snapshot.path)
                parts = (f"{place:2}", (state.run.run_id or state.run.key)[:8], folder, host.name)
                name = "  ".join(part for part in parts if part)
                events = len(host.executions) + len(host.traces)
                alerts = f"! {state.alerts:,}" if state.alerts else "no alerts"
                state_word = "ended" if state.ended else "live"
                began = _clock(state.run.started)
                note = f"{began}{state_word}  {counted(events, 'event')}  {alerts}"
                choices.append(Choice(name, note, chosen=places[-1] == current))

        def choose(number: int | None) -> None:
            if number is not None:
                screen.look_at(*places[number])

        title = f"Runs in {shorten(str(snapshot.path), PATH_WIDTH)}, newest first"
        screen.app.push_screen(Chooser(title, choices), choose)

    def files(self) -> None:
        """Choose among all recorded source files."""
        screen = self._screen
        index = screen.navigator.index
        entries = index.lines.files() if index is not None else ()
        if not entries:
            screen.tell("No source file is on disk yet.")
            return
        choices = [
            Choice(
                entry.path,
                f"! {entry.alerts:,}"
                if entry.alerts
                else counted(entry.ops, "op")
                if entry.ops
                else "",
                role="" if entry.is_user else "dim",
                chosen=entry.file == screen.navigator.selection.file,
            )
            for entry in entries
        ]

        def choose(number: int | None) -> None:
            if number is not None and index is not None:
                file = entries[number].file
                screen.show_line(file, index.lines.first_telling(file))

        screen.app.push_screen(Chooser("Recorded source files, yours first", choices), choose)

    def ops_of_line(self, line: int) -> None:
        """Choose among the ops that a line of the shown file created."""
        screen = self._screen
        index, file = screen.navigator.index, screen.navigator.selection.file
        ops = index.lines.ops(file, line, MAX_OPS) if index is not None and file is not None else ()
        if not ops:
            screen.tell(f"Line {line} created no op.")
            return
        choices = [
            Choice(
                op.name if op.op_type in op.name else f"{op.name}  {op.op_type}",
                f"{op.function or 'eager'}  " + (f"! {op.alerts:,}" if op.alerts else ""),
                role="bad" if op.alerts else "",
            )
            for op in ops
        ]

        def choose(number: int | None) -> None:
            if number is not None:
                screen.show_op(ops[number])

        screen.app.push_screen(
            Chooser(f"Line {line} created {counted(len(ops), 'op')}", choices), choose
        )
