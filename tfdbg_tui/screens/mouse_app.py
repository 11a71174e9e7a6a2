"""An app that lets the terminal have the mouse, to select text, or takes it back."""

from __future__ import annotations

from textual.app import App

from tfdbg_tui.textual_internals import switch_mouse


class MouseApp(App[int]):
    """Whose the mouse is."""

    mouse_is_on = True

    def say(self, sentence: str, role: str = "warn") -> None:
        """Say a sentence above the keys."""
        raise NotImplementedError

    def action_toggle_mouse(self) -> None:
        """Let the terminal have the mouse, or take it back."""
        self.action_turn_mouse(not self.mouse_is_on)

    def action_turn_mouse(self, is_on: bool) -> None:
        """Take the mouse, or let the terminal have it."""
        self.mouse_is_on = is_on
        switch_mouse(self, is_on)
        word = "on" if is_on else "off: the terminal selects text"
        self.say(f"Mouse {word}.", "")
