"""What a command told, over the panes: scrolled, searched, sorted; its names lead to the panes."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from tfdbg_tui.command_line.result import CommandLink, Link, SourceLink
from tfdbg_tui.data.search.expressions import PatternError
from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.sanitise import one_line
from tfdbg_tui.screens.dialogs.result_pane import ResultPane
from tfdbg_tui.widgets.bars import StatusBar
from tfdbg_tui.widgets.candidates import Candidates
from tfdbg_tui.widgets.did_nothing import PANE, DidNothing
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.pieces import Piece, Pieces, clean
from tfdbg_tui.widgets.prompt import Prompt
from tfdbg_tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from tfdbg_tui.screens.session.result_look import ResultLook

WIDE = 100
"""Cells from which on there is room for more keys in the title."""

WIDE_KEYS = "  / search  n next  s sort  : command  esc closes "
KEYS = "  / search  esc close "

HINTS = {
    "/": "find in these rows: text or /regex/",
    ":": Prompt.HINTS[":"],
}

MAX_COPIED = 50_000
"""Characters of a line that is copied, at most: terminals refuse much more."""


class ResultScreen(ModalScreen[Link | None]):
    """Results of commands, one at a time; ends with where to go, if something was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("escape", "leave", "Leave", id="result.leave"),
            Binding("q", "dismiss(None)", "Close", id="result.close"),
            Binding("tab", "link(1)", "Next link", id="result.next-link"),
            Binding("shift+tab", "link(-1)", "Link before", id="result.previous-link"),
            Binding("slash", "ask('/')", "Search", key_display="/", id="result.search"),
            Binding("n", "seek(1)", "Next", id="result.next"),
            Binding("N", "seek(-1)", "Previous", id="result.previous"),
            Binding("s", "sort", "Sort by the next column", id="result.sort"),
            Binding("S", "turn_round", "Sort the other way round", id="result.reverse"),
            Binding("colon", "ask(':')", "Next command", key_display=":", id="result.command"),
            Binding(
                "left_square_bracket",
                "turn(-1)",
                "Result before",
                key_display="[",
                id="result.back",
            ),
            Binding(
                "right_square_bracket",
                "turn(1)",
                "Result after",
                key_display="]",
                id="result.forward",
            ),
            Binding("y", "copy", "Copy the row", id="result.copy"),
        ]
    )

    def __init__(
        self,
        look: ResultLook,
        prompt_of: Callable[[Candidates, dict[str, str]], Prompt],
        typed: Callable[[str], None],
        work: Callable[[], None],
        stop: Callable[[], bool],
    ) -> None:
        super().__init__()
        self._looks = [look]
        self._at = 0
        self._typed = typed
        """Does what was typed behind the colon."""
        self._work = work
        self._stop = stop
        self._title, self._words = StatusBar("result-title"), StatusBar("result-words")
        self._rows = ResultPane(look)
        self._candidates = Candidates()
        self.prompt = prompt_of(self._candidates, HINTS)
        self._said = Piece("")

    def compose(self) -> ComposeResult:
        """A title, the rows, and what the row at the cursor leads to."""
        yield self._title
        yield self._rows
        yield self._words
        yield self.prompt
        yield self._candidates

    def on_mount(self) -> None:
        """Let the rows have the keys."""
        self.set_focus(self._rows)
        self._show_look()

    @property
    def look(self) -> ResultLook:
        """What is looked at."""
        return self._looks[self._at]

    def turn_to(self, look: ResultLook) -> None:
        """Show what another command told; this can be come back to."""
        self._leave_look()
        self._looks = [*self._looks[: self._at + 1], look]
        self._at += 1
        self._show_look()

    def _leave_look(self) -> None:
        self.look.stop()
        self.look.cursor = self._rows.cursor

    def _show_look(self) -> None:
        look = self.look
        is_new = look.cursor is None
        self._rows.show_look(look, look.rows.first_link if is_new else look.cursor)
        if is_new:
            self._rows.scroll_top_to(0)
        self.say("")

    # What is said.

    def say(self, text: str, role: str = "") -> None:
        """Say something in place of what the row leads to, until the next key."""
        self._said = Piece(f" {clean(text)}" if text else "", role)
        self._show_words()

    def _show_words(self) -> None:
        look, title = self.look, []
        if look.rows.title:
            title = [Piece(f"  {clean(look.rows.title)}", "title")]
        keys = WIDE_KEYS if self.size.width >= WIDE else KEYS
        line = clean(one_line(look.line))
        self._title.show([Piece(f" :{line}", "notable"), *title], [Piece(keys, "dim")])
        said = [self._said] if self._said.text else _leads_to(self._rows.link)
        self._words.show(said, [Piece(self._where(), "dim")])

    def _where(self) -> str:
        look, count = self.look, self._rows.row_count
        several = f"{self._at + 1} of {len(self._looks)} results  " if len(self._looks) > 1 else ""
        row = f"{(self._rows.cursor or 0) + 1:,} of {count:,} " if count else ""
        heads = {head.key: head.title for head in look.result.heads}
        order = "" if look.order is None else f"by {heads[look.order[0]]}, "
        return clean(f"  {several}{order}{row}")

    # What the feed has done.

    def reload(self) -> None:
        """Show what has been sorted or found."""
        look = self.look
        if look.take_order():
            self._rows.show_look(look, look.rows.first_of_table)
            self.say("")
        found = look.take_found()
        if isinstance(found, int):
            self._rows.choose(found)
            self.say("")
        elif found is not None:
            self.say(found)
        elif look.working:
            self.say(f"{look.working} ... escape stops.")

    # Keys and mouse.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While something is typed, keys are text."""
        return self.focused is not self.prompt

    def action_leave(self) -> None:
        """Stop what takes long, or close."""
        if self.look.stop() or self._stop():
            self._work()
            self.say("Stopped.")
        else:
            self.dismiss(None)

    def action_link(self, steps: int) -> None:
        """Go to the next name that leads somewhere."""
        self._rows.next_link(steps)
        self.say("")

    def action_seek(self, steps: int) -> None:
        """Go to the next row that fits."""
        self._begin(self.look.seek(self._rows.cursor or 0, steps))

    def action_sort(self) -> None:
        """Sort by the next column."""
        self._begin(self.look.sort_next())

    def action_turn_round(self) -> None:
        """Sort the other way round."""
        self._begin(self.look.turn_round())

    @on(ResultPane.HeadClicked)
    def _head_clicked(self, event: ResultPane.HeadClicked) -> None:
        self._begin(self.look.sort_by(event.key))

    def _begin(self, obstacle: str) -> None:
        """Have the feed work on what was asked for, or say why not."""
        self.say(obstacle)
        if not obstacle:
            self._work()

    def action_turn(self, steps: int) -> None:
        """Show the result before, or the one after."""
        there = self._at + steps
        if not 0 <= there < len(self._looks):
            self.say("No later result." if steps > 0 else "No result before this one.")
            return
        self._leave_look()
        self._at = there
        self._show_look()

    def action_copy(self) -> None:
        """Copy the row at the cursor."""
        cursor = self._rows.cursor
        row = None if cursor is None else self._rows.row_at(cursor)
        text = "" if row is None else one_line(row.text).strip()
        if 0 < len(text) <= MAX_COPIED:
            self.app.copy_to_clipboard(text)
            self.say(f"Copied {text}")
        else:
            self.say("A row this long is not copied." if text else "There is nothing to copy.")

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self.say("")

    @on(DidNothing)
    def _did_nothing(self, event: DidNothing) -> None:
        event.stop()
        self.say(event.why.replace(PANE, "the result"))

    @on(ResultPane.Followed)
    def _followed(self, event: ResultPane.Followed) -> None:
        event.stop()
        if isinstance(event.link, CommandLink):
            self._typed(event.link.line)
        else:
            self.dismiss(event.link)

    # Typing.

    def action_ask(self, purpose: str) -> None:
        """Open the prompt."""
        self.open_prompt(purpose)

    def open_prompt(self, purpose: str, text: str = "") -> None:
        """Let something be typed, below what is said."""
        self.prompt.ask(purpose, text)

    def close_prompt(self) -> None:
        """Give the keys back to the rows."""
        self.set_focus(self._rows)

    @on(Prompt.Left)
    def _prompt_left(self) -> None:
        self.close_prompt()

    @on(Candidates.Taken)
    def _candidate_taken(self, event: Candidates.Taken) -> None:
        self.prompt.accept(event.number)

    @on(Prompt.Answered)
    def _prompt_answered(self, event: Prompt.Answered) -> None:
        event.stop()
        self.close_prompt()
        if event.purpose == ":":
            self._typed(event.text)
            return
        try:
            self.look.search(event.text, self._rows.cursor or 0)
        except PatternError as error:
            self.say(f"{event.text} is no pattern: {error}.", "warn")
            return
        self._rows.highlight(None if self.look.pattern is None else self.look.pattern.spans)
        self._begin("")


def _leads_to(link: Link | None) -> Pieces:
    """What enter does on a row, in words."""
    if link is None:
        return [Piece("")]
    if isinstance(link, EventRef):
        word = "graph tensor" if link.kind is EventKind.TRACE else "execution"
        told = f"goes to {word} #{link.event:,}"
    elif isinstance(link, CommandLink):
        told = f"types :{clean(link.line)}"
    else:
        where = f"line {link.line:,}" if isinstance(link, SourceLink) else clean(link.op_name)
        told = f"goes to {where}"
    return [Piece(" enter", "key"), Piece(f" {told}", "dim")]
