"""Words that sentences all over the program are made of: counted nouns, lists, reasons.

Every room may use it, so it imports none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

CAME_WITH_DATA = "came in with the data"
"""What is said of a bad tensor that was read, not computed."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: `1 op`, `2,000 ops`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def first_few(names: Sequence[str], most: int) -> list[str]:
    """The first names, and how many more there are: `a`, `b`, `5 more`."""
    few = list(names[:most])
    if len(names) > most:
        few.append(f"{len(names) - most:,} more")
    return few


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: `a, b and c`."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def with_its_end(name: str, most: int) -> str:
    """A name of which at most so many characters are shown: the end, which tells the most."""
    return name if len(name) <= most else f"…{name[1 - most :]}"


def reason_of(error: Exception) -> str:
    """Why something failed: the system's words, or the error's own; at least its name."""
    words = error.strerror if isinstance(error, OSError) else None
    return words or str(error) or type(error).__name__


def os_reason(error: OSError) -> str:
    """The system's words for use inside a sentence: `permission denied`."""
    return reason_of(error).lower()
