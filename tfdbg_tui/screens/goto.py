"""What can be typed after `:`: where to go, or the name of an action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.screens.keys import BINDINGS, full_action
from tfdbg_tui.screens.session.change import Change, say

if TYPE_CHECKING:
    from tfdbg_tui.screens.session.session import Session

COMMANDS = {
    "q": "screen.quit_layer",
    "quit": "app.quit",
    "follow": "screen.follow",
    "pause": "screen.pause",
    "runs": "screen.choose('runs')",
    "files": "screen.choose('files')",
    "doctor": "screen.doctor",
    "resume": "screen.pause",
    "theme": "screen.choose('themes')",
    "palette": "screen.choose('commands')",
    "help": "screen.help",
}
"""Words for actions, beside the names that the keys have."""


def answer(session: Session, text: str) -> Change | str:
    """What comes of going where a text says, or the action that it names."""
    change = session.go_to(text)
    if change is not None:
        return change
    unknown = f"{text} is neither a place such as #52, step 3 or train.py:22, nor a command."
    return COMMANDS.get(text.lower()) or _action(text) or say(unknown, "warn")


def _action(text: str) -> str | None:
    """The action of the key with this description or id."""
    wanted = text.lower()
    for binding in BINDINGS:
        if wanted in (binding.description.lower(), (binding.id or "").lower()):
            return full_action(binding)
    return None
