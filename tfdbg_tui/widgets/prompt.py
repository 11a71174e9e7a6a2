"""The line at the bottom where searches, filters and destinations are typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip

from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.pieces import clean, cut
from tfdbg_tui.widgets.roles import style_of
from tfdbg_tui.widgets.typed_line import TypedLine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.widgets import Input


HINT_START = 3
"""Cells before the hint: the sign, the cursor and a blank."""


class Prompt(TypedLine):
    """One line of input with a history of its own for each purpose."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("escape", "leave", "Leave", show=False, id="prompt.leave"),
            Binding("up", "recall(-1)", "Earlier", show=False, id="prompt.earlier"),
            Binding("down", "recall(1)", "Later", show=False, id="prompt.later"),
            Binding("ctrl+c", "leave", "Leave", show=False, id="prompt.cancel"),
        ]
    )
    DEFAULT_CSS = """
    Prompt { height: 1; border: none; padding: 0; display: none; }
    Prompt:focus { border: none; }
    """

    class Answered(Message):
        """A text was typed for a purpose; empty means that it was cleared."""

        def __init__(self, purpose: str, text: str) -> None:
            super().__init__()
            self.purpose = purpose
            self.text = text

    class Left(Message):
        """The prompt was left without an answer."""

    HINTS: ClassVar[Mapping[str, str]] = {
        "/": "search: text, /regex/, op:Log fn:loss file:train.py nan>0 bad -op:Const",
        "&": "show only: text, /regex/, op:Log fn:loss nan>0 bad; nothing shows all",
        ":": "go to #52, step 3, train.py:22, or do: follow pause runs files theme quit",
    }

    def __init__(self) -> None:
        super().__init__("prompt")
        self._purpose = "/"
        self._past: dict[str, list[str]] = {}
        self._recalled = 0
        """The number of the text that is shown among those typed before."""

    def ask(self, purpose: str, text: str = "") -> None:
        """Open for a purpose."""
        self._purpose = purpose
        self._recalled = len(self._past.get(purpose, ()))
        self.value = purpose + text
        self.display = True
        self.screen.set_focus(self)  # at once: the next key is typed already
        self.cursor_position = len(self.value)

    def render_line(self, y: int) -> Strip:
        """What is typed; before anything is, what can be."""
        strip = super().render_line(y)
        if self.value != self._purpose:
            return strip
        hint = Segment(
            clean(cut(self.HINTS[self._purpose], max(0, self.size.width - 4))),
            style_of(self, "dim"),
        )
        start = Strip.join([strip.crop(0, HINT_START), Strip([hint])])
        return start.adjust_cell_length(self.size.width, style_of(self, ""))

    def on_input_changed(self, event: Input.Changed) -> None:
        """The sign of the purpose cannot be deleted: that leaves, as in less."""
        event.stop()
        if self.display and not self.value.startswith(self._purpose):
            self.action_leave()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Hand the text on."""
        event.stop()
        text = self.value[len(self._purpose) :].strip()
        past = self._past.setdefault(self._purpose, [])
        if text and (not past or past[-1] != text):
            past.append(text)
        self.display = False
        self.post_message(self.Answered(self._purpose, text))

    def action_leave(self) -> None:
        """Close without an answer."""
        self.display = False
        self.post_message(self.Left())

    def action_recall(self, steps: int) -> None:
        """What was typed before."""
        past = self._past.get(self._purpose, [])
        self._recalled = max(0, min(len(past), self._recalled + steps))
        text = past[self._recalled] if self._recalled < len(past) else ""
        self.value = self._purpose + text
        self.cursor_position = len(self.value)
