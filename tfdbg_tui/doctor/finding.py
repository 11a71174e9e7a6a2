"""One thing to know about a recording, and what the texts of all of them have in common."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.sanitise import sanitise
from tfdbg_tui.words import first_few, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_NAMES = 3
"""Names in a sentence; of more, their number is told."""

MAX_NAME_LENGTH = 200
"""Characters of a name or path in a sentence."""


class Level(Enum):
    """How serious a finding is; the order is that of the report."""

    PROBLEM = "problem"
    """What the recording was made for cannot be seen in it."""
    WARNING = "warning"
    """Something is missing, or soon will be."""
    FACT = "fact"
    """Good to know."""


class Finding(NamedTuple):
    """One thing to know."""

    id: str
    """Stable, for scripts."""
    level: Level
    headline: str
    """One short sentence without its period."""
    text: tuple[str, ...] = ()
    """Sentences; the last one introduces the code, if there is any."""
    code: tuple[str, ...] = ()
    """Lines of the program as they should be, or the command to type."""
    shorter: tuple[str, ...] = ()
    """The headline with less and less in it, for lines that are too narrow for it."""


def named(names: Sequence[str]) -> str:
    """The first of some recorded names in a sentence, cleaned and cut."""
    few = first_few(names, MAX_NAMES)
    return listed([sanitise(name)[:MAX_NAME_LENGTH] for name in few])
