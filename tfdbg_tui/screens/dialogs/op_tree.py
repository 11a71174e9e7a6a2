"""The tree of ops over the panes: what is bad by device, function and scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType

from tfdbg_tui.data.search.query import QueryError
from tfdbg_tui.data.views.op_tree_rows import Level
from tfdbg_tui.screens.dialogs.growing_page import GrowingPage
from tfdbg_tui.widgets.bars import StatusBar
from tfdbg_tui.widgets.did_nothing import PANE, DidNothing
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.numbers import holds
from tfdbg_tui.widgets.op_tree_pane import OpTreePane
from tfdbg_tui.widgets.pieces import Piece, Pieces, clean, tells_type
from tfdbg_tui.widgets.prompt import Prompt
from tfdbg_tui.widgets.row_list import RowList
from tfdbg_tui.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from textual.app import ComposeResult

    from tfdbg_tui.data.live.jobs import Job
    from tfdbg_tui.screens.session.op_tree_look import OpTreeCell, OpTreeLook, OpTreePage

WIDE = 130
"""Cells from which on there is room for more keys in the title."""

WIDE_KEYS = "  enter goes there  n next bad  + - levels  / search  s order  escape closes "
KEYS = "  enter go  esc close "

READING = "Looking at what is recorded …"

NONE_RECORDED = "No op is recorded yet."


class OpPrompt(Prompt):
    """Where the name of an op is typed."""

    HINTS: ClassVar[Mapping[str, str]] = {
        "/": "search: text or /regex/ in names and types of ops; nothing lists all"
    }


class OpTreeScreen(GrowingPage):
    """Ends with the tensor or the op to go to, if one was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("escape,q,T,ctrl+c", "leave", "Close", id="tree.close"),
            Binding("n", "next(1)", "Next bad op, or match", id="tree.next"),
            Binding("N", "next(-1)", "Bad op before, or match", id="tree.previous"),
            Binding("plus,equals_sign", "deepen(1)", "One level more", id="tree.deeper"),
            Binding("minus", "deepen(-1)", "One level less", id="tree.less-deep"),
            Binding("s", "sort", "By name, or worst first", id="tree.sort"),
            Binding("slash", "search", "Search ops", key_display="/", id="tree.search"),
        ]
    )

    def __init__(self, look: OpTreeLook, about: str, work: Callable[[], None]) -> None:
        super().__init__()
        self._look = look
        self._about = about
        self._work = work
        self._page: OpTreePage | None = None
        self._title, self._words = StatusBar("tree-title"), StatusBar("tree-words")
        self._rows, self._prompt = OpTreePane(), OpPrompt()
        self._said = ""

    def compose(self) -> ComposeResult:
        """A title, the rows, the node at the cursor in words, and where a search is typed."""
        yield self._title
        yield self._rows
        yield self._words
        yield self._prompt

    def on_mount(self) -> None:
        """Let the rows have the keys."""
        self._rows.say_when_empty(READING)
        self.set_focus(self._rows)
        self.reload()

    def jobs(self) -> tuple[Job, ...]:
        """The tree itself."""
        job = self._look.job
        return () if job is None else (job,)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While something is typed, keys are text."""
        return self.focused is not self._prompt

    # What is shown.

    def reload(self) -> None:
        """Show what is known now."""
        self._page = page = self._look.page()
        self._show_title()
        if page is None:
            return
        self._rows.say_when_empty(self._when_empty(page))
        self._rows.replace_rows(page.rows, self._look.line())
        self._show_words(self._said)
        if page.is_outdated:
            self._work()

    def _when_empty(self, page: OpTreePage) -> str:
        if page.is_outdated:
            return READING
        return f"No op fits {page.sought}: escape lists all." if page.sought else NONE_RECORDED

    def _show_title(self) -> None:
        page, told = self._page, self._about
        if page is not None:
            bad = f"{page.bad:,} of " if page.bad else ""
            tensors = (
                f"{bad}{counted(page.tensors, 'tensor')}{' bad' if page.bad else ', none bad'}"
            )
            order = "by name" if page.by_name else "worst first"
            ops = counted(page.ops, "op")
            ops = f"{page.found:,} of {ops} fit {page.sought}" if page.sought else ops
            told = f"{ops}, {tensors}, {order}{self._about}"
        start = [Piece(" Tree of ops", "notable"), Piece(f"  {clean(told)}")]
        keys = WIDE_KEYS if self.size.width >= WIDE else KEYS
        self._title.show(start, [Piece(keys, "dim")])

    def _show_words(self, instead: str = "") -> None:
        """Say what is at the cursor, or something else until the next key."""
        self._said = instead
        cell = self._look.cell()
        if instead or cell is None:
            self._words.show([Piece(clean(f" {instead}"))], [])
        else:
            self._words.show(*_told(cell, self._rows.glyphs.function))

    # Keys and mouse.

    def _looked_elsewhere(self, said: str = "") -> None:
        """The cursor is elsewhere, or the feed is to look at the tree in another way."""
        self.reload()
        self._show_words(said)

    @on(RowList.Chosen)
    def _row_chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self._look.choose(event.row.node)
        self._show_words()

    @on(OpTreePane.FoldWanted)
    def _fold_wanted(self, event: OpTreePane.FoldWanted) -> None:
        event.stop()
        if event.is_folded is None:
            self._look.toggle()
            self._looked_elsewhere()
        else:
            self._looked_elsewhere(self._look.fold() if event.is_folded else self._look.unfold())

    @on(DidNothing)
    def _did_nothing(self, event: DidNothing) -> None:
        event.stop()
        self._show_words(event.why.replace(PANE, "the tree"))

    def action_next(self, direction: int) -> None:
        """Go to the next match, or bad op; or to the one before."""
        self._looked_elsewhere(self._look.go_to_next(direction))

    def action_deepen(self, levels: int) -> None:
        """Unfold one level more of everything, or one less."""
        self._looked_elsewhere(self._look.deepen(levels))

    def action_sort(self) -> None:
        """Put all in the order of names, or what is worst first."""
        self._looked_elsewhere(self._look.sort())

    def action_leave(self) -> None:
        """End a search, or leave."""
        if self._look.is_searching:
            self._look.search("")
            self._looked_elsewhere()
        else:
            self.dismiss(None)

    @on(RowList.Opened)
    def _opened(self, event: RowList.Opened) -> None:
        """Go to what the op at the cursor computed; fold or unfold what is none."""
        event.stop()
        if event.row.level is not Level.OP:
            self._look.toggle()
            self._looked_elsewhere()
            return
        chosen = self._look.chosen()
        if chosen is None:
            self._show_words("It was not computed.")
        else:
            self.dismiss(chosen)

    # Searching.

    def action_search(self) -> None:
        """Let something be typed, in place of the words."""
        self._words.display = False
        self._prompt.ask("/")

    @on(Prompt.Left)
    def _prompt_left(self, event: Prompt.Left) -> None:
        event.stop()
        self._close_prompt()

    @on(Prompt.Answered)
    def _prompt_answered(self, event: Prompt.Answered) -> None:
        event.stop()
        self._close_prompt()
        said = ""
        try:
            self._look.search(event.text)
        except QueryError as error:
            said = str(error)
        self._looked_elsewhere(said)

    def _close_prompt(self) -> None:
        self._words.display = True
        self.set_focus(self._rows)


def _told(cell: OpTreeCell, function: str) -> tuple[Pieces, Pieces]:
    """The node at the cursor: what it is, where, and what became of it."""
    row = cell.row
    sign = f"{function} " if row.level is Level.FUNCTION or row.is_call else ""
    kind = row.op_type or ""
    kind = "" if not kind or tells_type(row.label, kind) else f" {kind}"
    name = [Piece(clean(f" {sign}{row.label}"), "title"), Piece(clean(kind), "dim")]
    where = [Piece(clean(f"  in {' / '.join(cell.path)}"), "dim")] if cell.path else []
    if cell.first_bad is not None and cell.bad is not None:
        when = f" in step {cell.step:,}" if cell.step else ""
        held = holds(cell.health, cell.bad, follows=not row.has_cause)
        first = Piece(f"  first bad #{cell.first_bad.event:,}{when}: ", "dim")
        return [*name, first, *held, *where], []
    if not row.tensors:
        return [*name, Piece("  not traced", "dim"), *where], []
    bad = f", {row.bad:,} bad" if row.bad else ", none bad"
    ops = f"{counted(row.ops, 'op')}, " if row.level is not Level.OP else ""
    return [*name, Piece(f"  {ops}{counted(row.tensors, 'tensor')}{bad}"), *where], []
