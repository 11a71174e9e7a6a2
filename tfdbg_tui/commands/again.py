"""Runs scripts again under the app, and ends them when it is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.program.second_run import SecondRun

if TYPE_CHECKING:
    from types import SimpleNamespace

    from tfdbg_tui.commands.launching import Launch
    from tfdbg_tui.data.stores.logdir import Logdir
    from tfdbg_tui.program.process import Script
    from tfdbg_tui.program.record_again import Request

COLUMNS = 80
"""Of the terminal of a script whose output goes to a file."""


def options_of(wanted: Request) -> SimpleNamespace:
    """The options of `run` that a request stands for; raises UserError if it cannot be run."""
    # Few who look at a recording record it again: what runs scripts is imported then.
    from tfdbg_tui.commands import arguments
    from tfdbg_tui.commands.launching import check_script

    options = arguments.parse(list(wanted.words))
    options.folder = wanted.folder
    check_script(options)
    return options


class SecondRuns:
    """All that were started in a session."""

    def __init__(self, watched: Logdir) -> None:
        self._watched = watched
        self._started: list[tuple[Script, Launch]] = []

    def start(self, wanted: Request) -> SecondRun:
        """Begin one; raises UserError."""
        from tfdbg_tui.commands.launching import OUTPUT_FILE, prepare
        from tfdbg_tui.data.live.stopping import WatchedSteps
        from tfdbg_tui.program.process import Script

        options = options_of(wanted)
        launch = prepare(options)
        script = Script(launch.start, launch.name, launch.logdir / OUTPUT_FILE, launch.note_end)
        self._started.append((script, launch))
        script.start(_ignore, COLUMNS)
        watch = WatchedSteps(self._watched, options.until_step, launch.logdir)
        return SecondRun(script, launch.logdir, watch)

    def end(self) -> None:
        """End those that still run; they have ended when this returns."""
        for script, launch in self._started:
            from tfdbg_tui.commands.launching import QUIT_GRACE

            script.end(QUIT_GRACE)
            launch.tidy_up()


def _ignore() -> None:
    """Nobody shows what it prints: it is in a file."""
