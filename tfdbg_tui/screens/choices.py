"""The lists to choose from: runs and hosts, source files, the ops of a source line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.screens.chooser import Choice, Chooser
from tfdbg_tui.widgets.numbers import counted

if TYPE_CHECKING:
    from tfdbg_tui.screens.linked import LinkedScreen

MOST_OPS = 2000
"""Ops of one line that are listed."""


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
            screen.browser.run.run if screen.browser.run else None,
            screen.browser.selection.host,
        )
        for state in reversed(snapshot.runs):
            for number, host in enumerate(state.run.hosts):
                places.append((state.run, number))
                name = f"{(state.run.run_id or state.run.key)[:16]}  {host.name}"
                events = len(host.executions) + len(host.traces)
                alerts = f"! {state.alerts:,}" if state.alerts else "no alerts"
                state_word = "ended" if state.ended else "live"
                note = f"{state_word}  {counted(events, 'event')}  {alerts}"
                choices.append(Choice(name, note, chosen=places[-1] == current))

        def choose(number: int | None) -> None:
            if number is not None:
                screen.look_at(*places[number])

        screen.app.push_screen(Chooser("Runs, newest first", choices), choose)

    def files(self) -> None:
        """Choose among all recorded source files."""
        screen = self._screen
        index = screen.browser.index
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
                chosen=entry.file == screen.browser.selection.file,
            )
            for entry in entries
        ]

        def choose(number: int | None) -> None:
            if number is not None:
                screen.show_line(entries[number].file, 1)

        screen.app.push_screen(Chooser("Recorded source files, yours first", choices), choose)

    def ops_of_line(self, line: int) -> None:
        """Choose among the ops that a line of the shown file created."""
        screen = self._screen
        index, file = screen.browser.index, screen.browser.selection.file
        ops = (
            index.lines.ops(file, line, MOST_OPS) if index is not None and file is not None else ()
        )
        if not ops:
            screen.tell(f"Line {line} created no op.")
            return
        choices = [
            Choice(
                f"{op.name}  {op.op_type or ''}",
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
