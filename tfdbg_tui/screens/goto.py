"""What can be typed after `:`: a place to go to, or a command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.screens.keys import BINDINGS

if TYPE_CHECKING:
    from tfdbg_tui.data.views.navigator import Navigator

_PLACE = re.compile(r"#?\s*([\d,_]+)")
_LINE = re.compile(r"(.+\.py):(\d+)")
_STEP = re.compile(r"(?:s|step)\s*([\d,_]+)", re.IGNORECASE)

COMMANDS = {
    "q": "screen.quit_layer",
    "quit": "app.quit",
    "follow": "screen.follow",
    "pause": "screen.pause",
    "runs": "screen.runs",
    "files": "screen.files",
    "doctor": "screen.doctor",
    "theme": "app.change_theme",
    "help": "screen.help",
}
"""Words for actions, beside the names that the keys have."""


class Answer(NamedTuple):
    """What became of a text that names no place."""

    sentence: str = ""
    command: str | None = None


def go_to(navigator: Navigator, kind: EventKind, text: str) -> Answer | None:
    """Go to a place of a list; None if that was done."""
    index = navigator.index
    if not text:
        return Answer("Type #52, step 3, train.py:22, or a command.")
    if index is None:
        return Answer("Nothing is recorded yet.")
    store = index.host.store_of(kind)
    if match := _PLACE.fullmatch(text):
        event = _number(match)
        if event >= len(store):
            return Answer(f"This list ends at #{len(store) - 1:,}.")
        navigator.jump_to(EventRef(navigator.selection.host, kind, event))
        return None
    if match := _STEP.fullmatch(text):
        return _go_to_step(navigator, _number(match))
    if match := _LINE.fullmatch(text):
        return _go_to_line(navigator, match[1], int(match[2]))
    command = COMMANDS.get(text.lower()) or _action(text)
    if command:
        return Answer(command=command)
    return Answer(f"{text} is neither a place such as #52, step 3 or train.py:22, nor a command.")


def _go_to_step(navigator: Navigator, step: int) -> Answer | None:
    index = navigator.index
    assert index is not None
    execution = index.steps.first_execution(step)
    if execution is None:
        steps = len(index.steps)
        return Answer(f"There are {steps:,} steps." if steps else "No steps were found here.")
    navigator.select_execution(execution)
    return None


def _go_to_line(navigator: Navigator, name: str, line: int) -> Answer | None:
    """The line of the first recorded file whose path ends so, the user's own files first."""
    index = navigator.index
    assert index is not None
    for entry in index.lines.files():
        if f"/{entry.path}".replace("\\", "/").endswith(f"/{name}"):
            navigator.select_line(entry.file, line)
            return None
    return Answer(f"No recorded source file is called {name}; s lists all.")


def _number(match: re.Match[str]) -> int:
    return int(match[1].replace(",", "").replace("_", "") or 0)


def _action(text: str) -> str | None:
    """The action of the key with this description or id."""
    wanted = text.lower()
    for binding in BINDINGS:
        if wanted in (binding.description.lower(), (binding.id or "").lower()):
            return f"screen.{binding.action}"
    return None
