"""The line at the bottom where searches, filters and destinations are typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip

from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.line_completion import LineCompletion
from tfdbg_tui.widgets.pieces import clean, cut
from tfdbg_tui.widgets.roles import style_of
from tfdbg_tui.widgets.typed_history import TypedHistory
from tfdbg_tui.widgets.typed_line import TypedLine

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from textual.widgets import Input

    from tfdbg_tui.widgets.candidates import Candidates
    from tfdbg_tui.widgets.line_completion import Offer

NOT_COMPLETED = "Tab completes commands, which are typed behind a colon."
NO_CANDIDATE = "No name goes on like this."

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
            Binding("tab", "complete(1)", "Complete", show=False, id="prompt.complete"),
            Binding("shift+tab", "complete(-1)", "Back", show=False, id="prompt.complete-back"),
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
        ":": "go to #52, step 3, train.py:22, or type a command: help lists them, tab completes",
    }

    def __init__(
        self, candidates: Candidates | None = None, hints: Mapping[str, str] | None = None
    ) -> None:
        """With a place for candidates, where something is typed that can be completed."""
        super().__init__("prompt")
        self._purpose = "/"
        self._hints = hints or self.HINTS
        self._past: dict[str, TypedHistory] = {}
        self._candidates = candidates
        self._completion = LineCompletion()
        self._offer_for: Callable[[str], Offer] | None = None

    def complete_with(self, offer_for: Callable[[str], Offer]) -> None:
        """Ask this function how a line that is typed behind a colon can go on."""
        self._offer_for = offer_for

    def remember(self, purpose: str, past: TypedHistory) -> None:
        """Recall lines that were typed elsewhere, too."""
        self._past[purpose] = past

    @property
    def _before(self) -> str:
        """What is typed before the cursor, without the sign of the purpose."""
        return self.value[len(self._purpose) : self.cursor_position]

    def ask(self, purpose: str, text: str = "") -> None:
        """Open for a purpose."""
        self._purpose = purpose
        self._past.setdefault(purpose, TypedHistory()).begin()
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
            clean(cut(self._hints[self._purpose], max(0, self.size.width - 4))),
            style_of(self, "dim"),
        )
        start = Strip.join([strip.crop(0, HINT_START), Strip([hint])])
        return start.adjust_cell_length(self.size.width, style_of(self, ""))

    def on_input_changed(self, event: Input.Changed) -> None:
        """The sign of the purpose cannot be deleted: that leaves, as in less."""
        event.stop()
        if self.display and not self.value.startswith(self._purpose):
            self.action_leave()
        elif not self._completion.belongs_to(self._before):
            self._forget_candidates()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Hand the text on."""
        event.stop()
        text = self.value[len(self._purpose) :].strip()
        self._past.setdefault(self._purpose, TypedHistory()).add(text)
        self.close()
        self.post_message(self.Answered(self._purpose, text))

    def action_leave(self) -> None:
        """Close without an answer."""
        self.close()
        self.post_message(self.Left())

    def action_recall(self, steps: int) -> None:
        """What was typed before and began as what is typed."""
        typed = self.value[len(self._purpose) :]
        text = self._past.setdefault(self._purpose, TypedHistory()).recall(typed, steps)
        self.value = self._purpose + text
        self.cursor_position = len(self.value)

    def action_complete(self, steps: int) -> None:
        """Go on as far as all candidates do, or with the next one."""
        if self._candidates is None:
            return
        if self._offer_for is None or self._purpose != ":":
            self._candidates.say(NOT_COMPLETED)
            return
        before, completion = self._before, self._completion
        now = completion.step(before, steps, self._offer_for)
        self._replace(before, now)
        if completion.candidates:
            self._candidates.show(completion.candidates, completion.chosen)
        elif now == before:
            self._candidates.say(NO_CANDIDATE)
        else:
            self._forget_candidates()

    def accept(self, number: int) -> None:
        """Go on with a candidate that was clicked."""
        if self._completion.belongs_to(self._before):
            self._replace(self._before, self._completion.accept(number))
            self._forget_candidates()

    def _replace(self, before: str, now: str) -> None:
        """Have something else stand before the cursor."""
        if now != before:
            end = self.value[self.cursor_position :]
            self.value = self._purpose + now + end
            self.cursor_position = len(self._purpose) + len(now)

    def _forget_candidates(self) -> None:
        self._completion.forget()
        if self._candidates is not None:
            self._candidates.show((), None)

    @property
    def has_the_keys(self) -> bool:
        """Whether what is typed comes here, from the moment on that it was opened."""
        return self.screen.focused is self

    def close(self) -> None:
        """Be gone, with all that was offered."""
        self.display = False
        self._forget_candidates()
