"""What can be typed after `:`: where to go, a command, or the name of an action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.errors import CommandError
from tfdbg_tui.screens.keys import BINDINGS, full_action

if TYPE_CHECKING:
    from tfdbg_tui.screens.session.change import Change
    from tfdbg_tui.screens.session.session import Session

ACTIONS = {
    "q": "screen.quit_layer",
    "quit": "app.quit",
    "exit": "app.quit",
    "follow": "screen.follow",
    "pause": "screen.pause",
    "runs": "screen.choose('runs')",
    "files": "screen.choose('files')",
    "doctor": "screen.doctor",
    "resume": "screen.pause",
    "theme": "screen.choose('themes')",
    "palette": "screen.choose('commands')",
    "keys": "screen.help",
    "mouse": "app.toggle_mouse",
    "mouse on": "app.turn_mouse(True)",
    "mouse off": "app.turn_mouse(False)",
}
"""Words for actions, beside the names that the keys have."""

WORDS = tuple(word for word in ACTIONS if " " not in word)
"""Those that tab completes."""


def answer(session: Session, text: str) -> Change | str:
    """What comes of going where a text says, of a command, or the action that a text names.

    Raises CommandError.
    """
    change = session.go_to(text)
    if change is not None:
        return change
    action = ACTIONS.get(" ".join(text.lower().split()))
    if action is not None:
        return action
    from tfdbg_tui.command_line.table import definition_of

    if definition_of(text.split(maxsplit=1)[0]) is not None:
        return session.commands.begin(text)
    action = _action(text)
    if action is None:
        raise CommandError(_unknown(text))
    return action


def _action(text: str) -> str | None:
    """The action of the key with this description or id."""
    wanted = text.lower()
    for binding in BINDINGS:
        if wanted in (binding.description.lower(), (binding.id or "").lower()):
            return full_action(binding)
    return None


def _unknown(text: str) -> str:
    from tfdbg_tui.command_line.parsing import nearest_command

    known = nearest_command(text.split(maxsplit=1)[0])
    hint = f"; did you mean {known}?" if known else "."
    place = "a place such as #52, step 3 or train.py:22"
    return f"{text} is neither {place}, nor a command{hint}"
