"""What is wrong with a typed command."""

from __future__ import annotations


class CommandError(ValueError):
    """A command that cannot be done: one sentence that says what was expected."""


class FileThereError(CommandError):
    """The file that something was to be written to is there; whoever typed that may replace it."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is there already; write >! before its name to replace it.")
        self.path = path
