"""The value of one tensor over the panes: its elements, a picture, what they are like."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType

from tfdbg_tui.data.values.value_error import ValueQueryError
from tfdbg_tui.data.views.value_page import PicturePage, Way
from tfdbg_tui.screens.dialogs.growing_page import GrowingPage
from tfdbg_tui.screens.session.value_pages import value_page
from tfdbg_tui.screens.session.value_taking import MAX_COPIED
from tfdbg_tui.widgets.bars import StatusBar
from tfdbg_tui.widgets.did_nothing import PANE, DidNothing
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.pieces import Piece, clean
from tfdbg_tui.widgets.prompt import Prompt
from tfdbg_tui.widgets.value_pane import ValuePane
from tfdbg_tui.widgets.value_picture import ValuePicture
from tfdbg_tui.widgets.value_prompt import ValuePrompt
from tfdbg_tui.widgets.value_words import drawn_words, key_words, title_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from tfdbg_tui.data.live.jobs import Job
    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.data.views.value_page import ValuePage
    from tfdbg_tui.screens.session.value_look import ValueLook

HEIGHTS = [(0, "-low"), (12, "-tall")]
"""Rows of the screen and the classes by which the style sheet knows how much room there is."""

ROOMY = 60
"""Cells from which on there is room for more than the element at the cursor."""


class ValueScreen(GrowingPage):
    """Ends with the computation that was looked at last, if it is wanted in the panes."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("escape,q,v,ctrl+c", "leave", "Close", id="value.close"),
            Binding("enter", "open", "Go there in all panes", id="value.open"),
            Binding("n", "bad(1)", "Next NaN or inf", id="value.next-bad"),
            Binding("N", "bad(-1)", "NaN or inf before", id="value.previous-bad"),
            Binding("left_square_bracket", "ask('[')", "Slice", id="value.slice"),
            Binding("at", "ask('@')", "Go to an element", id="value.element"),
            Binding("equals_sign", "ask('=')", "Ranges that stand out", id="value.ranges"),
            Binding("comma", "others(-1)", "Index before", id="value.others-before"),
            Binding("full_stop", "others(1)", "Next index", id="value.others-next"),
            Binding("a", "turn", "Other dimensions", id="value.turn"),
            Binding("plus", "digits(1)", "More digits", id="value.more-digits"),
            Binding("minus", "digits(-1)", "Fewer digits", id="value.fewer-digits"),
            Binding("e", "notation", "Plain or scientific", id="value.notation"),
            Binding("i", "look('picture')", "Picture or curve", id="value.picture"),
            Binding("s", "look('summary')", "Statistics", id="value.summary"),
            Binding("o", "look('over time')", "Over time", id="value.over-time"),
            Binding(
                "O", "look('ranges over time')", "Ranges over time", id="value.ranges-over-time"
            ),
            Binding("d", "subtract", "Difference to the one before", id="value.difference"),
            Binding("D", "ask('-')", "Difference to another tensor", id="value.minus"),
            Binding("left_curly_bracket", "other(-1)", "Computation before", id="value.before"),
            Binding("right_curly_bracket", "other(1)", "Next computation", id="value.next"),
            Binding("w", "ask('>')", "Save", id="value.save"),
            Binding("y", "copy", "Copy", id="value.copy"),
        ]
    )

    VERTICAL_BREAKPOINTS = HEIGHTS

    def __init__(self, look: ValueLook, about: str, work: Callable[[], None]) -> None:
        super().__init__()
        self._look = look
        self._about = about
        self._work = work
        self._title, self._words = StatusBar("value-title"), StatusBar("value-words")
        self._rows, self._picture = ValuePane(), ValuePicture()
        self._prompt, self._keys = ValuePrompt(), StatusBar("value-keys")
        self._said = ""
        """What stands in place of the element until the next key."""

    def compose(self) -> ComposeResult:
        """A title, the value, and the element at the cursor."""
        yield self._title
        yield self._rows
        yield self._picture
        yield self._words
        yield self._prompt
        yield self._keys

    def on_mount(self) -> None:
        """Let the elements have the keys."""
        self._picture.display = False
        self.set_focus(self._rows)
        self.reload()

    def jobs(self) -> tuple[Job, ...]:
        """What is worked out of the value."""
        return (self._look.work,)

    # What is shown.

    @on(ValuePane.RoomChanged)
    def reload(self) -> None:
        """Show what is known now: more has been worked out, or there is more room."""
        self._show(self._look.settle() or self._said)

    def _show(self, said: str = "") -> None:
        self._said = said
        was_working = self._look.work.is_working
        try:
            page = value_page(self._look, self._room())
        except ValueQueryError as error:
            self._words.show([Piece(f" {error}", "warn")], [])
            return
        body = page.body
        is_picture = isinstance(body, PicturePage)
        self._rows.display, self._picture.display = not is_picture, is_picture
        if isinstance(body, PicturePage):
            self._picture.show_page(body)
        else:
            self._rows.show_body(body)
        self._show_words(page)
        if page.is_working and not was_working:
            self._work()

    def _room(self) -> tuple[int, int]:
        height, width = self._rows.room
        if self._look.way is not Way.PICTURE:
            return height, width
        if len(self._look.cursor.plane.shape) < 2:
            return height, self._rows.curve_columns
        if self._picture.display:
            return self._picture.room
        return (height + 1) * (2 if self._picture.in_colours else 1), width

    def _show_words(self, page: ValuePage) -> None:
        width = self.size.width
        self._title.show(title_words(page, self._about), [Piece("  escape closes ", "dim")])
        self._keys.show(key_words(width), [])
        index, told, is_bad = page.here
        here = [Piece(f" {index} ", "title"), Piece(clean(told), "bad" if is_bad else "")]
        end = drawn_words(page) if width >= ROOMY else []
        self._words.show([Piece(f" {self._said}")] if self._said else here, end)

    # Keys and mouse.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While something is typed, keys are text."""
        return self.focused is not self._prompt

    @on(ValuePane.Moved)
    def _moved(self, event: ValuePane.Moved) -> None:
        cursor = self._look.cursor
        rows, columns = event.rows, event.columns
        if event.how == "at":
            cursor.at(rows, columns)
            self._show()
            return
        moves = {"move": cursor.move, "page": cursor.page_by, "edge": cursor.to_edge}
        self._show(moves[event.how](rows, columns))

    @on(DidNothing)
    def _did_nothing(self, event: DidNothing) -> None:
        event.stop()
        self._show(event.why.replace(PANE, "the value"))

    def action_leave(self) -> None:
        """Back to the elements, and from there to the panes."""
        if self._look.way is Way.GRID:
            self.dismiss(None)
        else:
            self._show(self._look.look(Way.GRID))

    def action_open(self) -> None:
        """Go to the computation that is looked at, in all panes."""
        event: EventRef = self._look.event
        self.dismiss(event)

    def action_bad(self, direction: int) -> None:
        """Go to the next NaN or ∞, or to the one before."""
        self._show(self._look.go_to_bad(direction))
        self._work()

    def action_others(self, direction: int) -> None:
        """The next index of the dimensions that are not in view, or the one before."""
        self._show(self._look.cursor.step_others(direction))

    def action_turn(self) -> None:
        """Show other dimensions."""
        self._show(self._look.cursor.turn())

    def action_digits(self, more: int) -> None:
        """Write numbers with more digits, or with fewer."""
        self._show(self._look.cursor.write_numbers(digits=more))

    def action_notation(self) -> None:
        """Write numbers plainly, or with an exponent."""
        self._show(self._look.cursor.write_numbers(other=True))

    def action_look(self, way: str) -> None:
        """Look at it in another way."""
        self._show(self._look.look(Way(way)))
        self._work()

    def action_subtract(self) -> None:
        """Show what differs from the computation before."""
        self._show(self._look.subtract())
        self._work()

    def action_other(self, steps: int) -> None:
        """Show the next computation, or the one before."""
        self._show(self._look.other(steps))
        self._work()

    def action_copy(self) -> None:
        """Copy what the dimensions in view have."""
        try:
            text = self._look.taking.copied(self._look.cursor)
        except ValueQueryError as error:  # it is gone by now
            self._show(str(error))
            return
        if text is None:
            self._show(f"More than {MAX_COPIED:,} elements are not copied: w saves them.")
        else:
            self.app.copy_to_clipboard(text)
            self._show("Copied.")

    # Typing.

    def action_ask(self, purpose: str) -> None:
        """Ask for a slice, an element, ranges or the name of a file."""
        self._prompt.ask(purpose)

    @on(Prompt.Left)
    def _prompt_left(self) -> None:
        self.set_focus(self._rows)

    @on(Prompt.Answered)
    def _prompt_answered(self, event: Prompt.Answered) -> None:
        self.set_focus(self._rows)
        self._show(self._answered(event.purpose, event.text))
        self._work()

    def _answered(self, purpose: str, text: str) -> str:
        look = self._look
        if purpose == "[":
            return look.slice(f"[{text}" if text.endswith("]") else text)
        if purpose == "@":
            return look.go_to(text)
        if purpose == "=":
            return look.look_for(text)
        if purpose == "-":
            return look.subtract(text)
        name = text.removesuffix("!").strip()
        return look.taking.save(look.cursor, name, text.endswith("!")) if name else ""
