"""What a command is: its names, options and arguments, and the module that does it."""

from __future__ import annotations

from enum import Enum

from tfdbg_tui.frozen.frozen import Frozen
from tfdbg_tui.frozen.named_tuple import NamedTuple


class Names(Enum):
    """What names a half-typed value can be completed from."""

    NONE = "none"
    COMMAND = "command"
    TENSOR = "tensor"
    OP = "op"
    SOURCE = "source"
    """Files of the program that were recorded."""
    FILTER = "filter"
    SORT_KEY = "sort key"
    QUERY = "query"
    EXPRESSION = "expression"
    PATH = "path"
    """Files of the machine that we run on."""
    SWITCH = "switch"


class OptionDefinition(NamedTuple):
    """One option."""

    flag: str
    takes: str | None
    """What follows it, as help has it; None for a switch."""
    meaning: str
    long: str = ""
    """How tfdbg spelt it out."""
    names: Names = Names.NONE
    unanswered: str = ""
    """Why no recording can answer it: that is said instead."""


class ArgumentDefinition(NamedTuple):
    """One word behind the command or, as the last one, all that follows."""

    name: str
    names: Names
    is_optional: bool = False
    takes_rest: bool = False


class CommandDefinition(Frozen):
    """One command."""

    name: str
    aliases: tuple[str, ...]
    summary: str
    options: tuple[OptionDefinition, ...] = ()
    arguments: tuple[ArgumentDefinition, ...] = ()
    examples: tuple[str, ...] = ()
    module: str | None = None
    """The module of this room with a function `run` that does it; None for what only the app does.

    It is imported when the command is asked for: most need little of what others need."""

    @property
    def is_of_app(self) -> bool:
        """Whether only the app can do it."""
        return self.module is None

    def option(self, word: str) -> OptionDefinition | None:
        """The option that a word is; None if it is none."""
        return next((known for known in self.options if word in (known.flag, known.long)), None)

    @property
    def usage(self) -> str:
        """How it is typed: `li [-c] [-d DEPTH] TENSOR`."""
        options = (f"[{_with_value(option)}]" for option in self.options)
        arguments = (f"[{a.name}]" if a.is_optional else a.name for a in self.arguments)
        return " ".join((self.name, *options, *arguments))


def _with_value(option: OptionDefinition) -> str:
    return option.flag if option.takes is None else f"{option.flag} {option.takes}"
