"""A command at work: in slices for the app, at once for those without a screen."""

from __future__ import annotations

import time
from importlib import import_module
from typing import TYPE_CHECKING

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.command_line.parsing import parse
from tfdbg_tui.command_line.pauses import finished
from tfdbg_tui.words import reason_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfdbg_tui.command_line.context import Context
    from tfdbg_tui.command_line.definition import CommandDefinition
    from tfdbg_tui.command_line.parsing import ParsedCommand
    from tfdbg_tui.command_line.result import Answer, Result

SLICE_SECONDS = 0.004
"""How long one call of `extend` works, give or take one piece of work."""


class Running:
    """A command that is worked on; `extend` is for the feed's thread."""

    def __init__(self, context: Context, command: ParsedCommand) -> None:
        self.command = command
        self.result: Result | None = None
        """What came of it, once it is done."""
        self.error: CommandError | None = None
        """Why nothing came of it."""
        self._work = _worked(context, command)

    @property
    def is_done(self) -> bool:
        """Whether there is a result, or an error."""
        return self.result is not None or self.error is not None

    def extend(self) -> bool:
        """Work for a few milliseconds; True while there is more."""
        until = time.monotonic() + SLICE_SECONDS
        while not self.is_done:
            try:
                next(self._work)
            except StopIteration as done:
                self.result = done.value
            except CommandError as error:
                self.error = error
            except Exception as crash:  # the app goes on, whatever it is
                name = self.command.definition.name
                self.error = CommandError(f"`{name}` failed: {reason_of(crash)}.")
            if time.monotonic() >= until:
                break
        return not self.is_done


def answer(context: Context, line: str | ParsedCommand) -> Result:
    """What a line asks for, worked on to its end; raises CommandError."""
    return finished(_worked(context, parse(line) if isinstance(line, str) else line))


def _worked(context: Context, command: ParsedCommand) -> Answer:
    """The work on a command, with what is to be written at its end."""
    if command.definition.is_of_app:
        raise CommandError(f"`{command.definition.name}` does something in the app only.")
    result = yield from _function(command.definition)(context, command)
    if command.redirect is None:
        return result
    from tfdbg_tui.command_line.writing import write_result  # most results are shown

    return (yield from write_result(result, *command.redirect))


def _function(definition: CommandDefinition) -> Callable[[Context, ParsedCommand], Answer]:
    """What does a command."""
    module = import_module(f"tfdbg_tui.command_line.{definition.module}")
    run: Callable[[Context, ParsedCommand], Answer] = module.run
    return run
