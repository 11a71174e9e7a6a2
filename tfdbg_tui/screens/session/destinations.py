"""Where one can go by typing: an event by its number, a step, a source line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.event_kind import EventRef

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.event_kind import EventKind
    from tfdbg_tui.data.views.navigator import Navigator

_EVENT = re.compile(r"#?\s*([\d,_]+)")
_LINE = re.compile(r"(.+\.py):(\d{1,9})")
_STEP = re.compile(r"(?:s|step)\s*([\d,_]+)", re.IGNORECASE)


MAX_DIGITS = 15
"""Digits of a number of an event or a step that may be there."""

BEYOND_ALL = 10**MAX_DIGITS


def try_destination(navigator: Navigator, kind: EventKind, text: str) -> str | None:
    """Go to an event of a list, a step or a line.

    Returns what stands in the way, an empty text if that was done, None if this names no
    destination.
    """
    index = navigator.index
    if not text:
        return "Type #52, step 3, train.py:22, or a command."
    if index is None:
        return "Nothing is recorded yet."
    if match := _EVENT.fullmatch(text):
        return _go_to_event(navigator, kind, _number(match))
    if match := _STEP.fullmatch(text):
        return _go_to_step(navigator, _number(match))
    if match := _LINE.fullmatch(text):
        return _go_to_line(navigator, match[1], int(match[2]))
    return None


def _go_to_event(navigator: Navigator, kind: EventKind, event: int) -> str:
    index = navigator.index
    assert index is not None
    last = len(index.host.store_of(kind)) - 1
    if event > last:
        return f"This list ends at #{last:,}."
    navigator.jump_to(EventRef(navigator.selection.host, kind, event))
    return ""


def _go_to_step(navigator: Navigator, step: int) -> str:
    index = navigator.index
    assert index is not None
    execution = index.steps.first_execution(step)
    if execution is None:
        steps = len(index.steps)
        return f"There are {steps:,} steps." if steps else "No steps were found here."
    navigator.select_execution(execution)
    return ""


def _go_to_line(navigator: Navigator, name: str, line: int) -> str:
    """The line of the first recorded file whose path ends so, the user's own files first."""
    index = navigator.index
    assert index is not None
    for entry in index.lines.files():
        if f"/{entry.path}".replace("\\", "/").endswith(f"/{name}"):
            navigator.select_line(entry.file, line)
            return ""
    return f"No recorded source file is called {name}; s lists all."


def _number(match: re.Match[str]) -> int:
    digits = match[1].replace(",", "").replace("_", "")
    return int(digits or 0) if len(digits) <= MAX_DIGITS else BEYOND_ALL
