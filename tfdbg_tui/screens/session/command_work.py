"""One typed command at work, in the feed's thread: done, failed, or still waited for."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.running import Running
from tfdbg_tui.words import reason_of

if TYPE_CHECKING:
    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Result

AT_ONCE = 0.4
"""Seconds in which what was asked for comes at once to the user; less than keys wait for it."""


class CommandWork:
    """A command that was typed; `extend` is for the feed's thread."""

    def __init__(self, context: Context, command: ParsedCommand) -> None:
        self.line = command.line
        self._running = Running(context, command)
        self._asked_at = monotonic()
        self._failure: CommandError | None = None

    def extend(self) -> bool:
        """Work for a few milliseconds; True while there is more."""
        try:
            return self._running.extend()
        except Exception as error:  # one command that fails is no reason to end anything
            self._failure = CommandError(f"`{self.line}` failed: {reason_of(error)}.")
            return False

    @property
    def result(self) -> Result | None:
        """What came of it."""
        return self._running.result

    @property
    def error(self) -> CommandError | None:
        """Why nothing came of it."""
        return self._failure or self._running.error

    @property
    def is_done(self) -> bool:
        """Whether there is a result, or an error."""
        return self.result is not None or self.error is not None

    @property
    def is_young(self) -> bool:
        """Whether the user still expects what comes of it at once."""
        return monotonic() < self._asked_at + AT_ONCE
