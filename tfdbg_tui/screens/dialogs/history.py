"""One tensor over all its computations, over the panes; one of them is gone to in all panes."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType

from tfdbg_tui.data.views.number_words import bad_words, extent
from tfdbg_tui.screens.dialogs.growing_page import GrowingPage
from tfdbg_tui.widgets.bars import StatusBar
from tfdbg_tui.widgets.did_nothing import PANE, DidNothing
from tfdbg_tui.widgets.history_pane import HistoryPane
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.numbers import counts, gradient_word
from tfdbg_tui.widgets.pieces import Piece, Pieces, base_name, clean

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from tfdbg_tui.data.live.jobs import Job
    from tfdbg_tui.data.views.history_page import HistoryPage
    from tfdbg_tui.screens.session.history_look import HistoryLook

WIDE = 110
"""Cells from which on there is room for more keys in the title."""

WIDE_KEYS = "  enter goes there  n next bad  + - zoom  escape closes "
KEYS = "  enter go  esc close "


class HistoryScreen(GrowingPage):
    """Ends with the computation to go to, if one was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("escape,q,h,ctrl+c", "dismiss(None)", "Close", id="history.close"),
            Binding("n", "bad(1)", "Next bad one", id="history.next-bad"),
            Binding("N", "bad(-1)", "Bad one before", id="history.previous-bad"),
            Binding("plus,equals_sign", "zoom(1)", "Fewer", id="history.closer"),
            Binding("minus", "zoom(-1)", "More", id="history.farther"),
        ]
    )

    def __init__(self, look: HistoryLook, about: str, work: Callable[[], None]) -> None:
        super().__init__()
        self._look = look
        self._about = about
        self._work = work
        self._page: HistoryPage | None = None
        self._title, self._words = StatusBar("history-title"), StatusBar("history-words")
        self._rows = HistoryPane()
        self._said = ""
        """What stands in place of the computation until the next key."""

    def compose(self) -> ComposeResult:
        """A title, the rows, and the computation at the cursor in words."""
        yield self._title
        yield self._rows
        yield self._words

    def on_mount(self) -> None:
        """Let the rows have the keys."""
        self._title.show([Piece(" History", "notable")], [Piece(KEYS, "dim")])
        self.set_focus(self._rows)
        self.reload()

    def jobs(self) -> tuple[Job, ...]:
        """The history itself."""
        job = self._look.job
        return () if job is None else (job,)

    @on(HistoryPane.RoomChanged)
    def reload(self) -> None:
        """Show what is known now: more has come, or there is more room."""
        self._show(self._said)

    def _show(self, said: str = "") -> None:
        self._said = said
        page = self._page = self._look.page(self._rows.room)
        if page is None:
            return
        self._rows.show_page(page)
        self._show_title(page)
        self._words.show([Piece(f" {said}")] if said else self._told(page), self._which(page))
        if page.is_reading:
            self._work()

    def _show_title(self, page: HistoryPage) -> None:
        facts, health, sign = page.facts, page.here.sample.health, self._rows.glyphs.function
        call = f"{sign} " if facts.is_call else ""
        more = gradient_word(99) if facts.is_backward else ""
        output = "" if page.output is None else f":{page.output}"
        within = "" if facts.is_call or not facts.function else f" in {sign} {facts.function}"
        start = [
            Piece(" History", "notable"),
            Piece(clean(f"  {call}{facts.name}{more}{output}{within}{self._about}"), "title"),
        ]
        if health is not None:
            told = " ".join(part for part in (health.dtype or "", extent(health)) if part)
            start.append(Piece(f"  {told}", "dim"))
        if facts.line is not None:
            place = f"{base_name(facts.line.path)}:{facts.line.line}"
            start.append(Piece(clean(f"  {place}"), "dim"))
        keys = WIDE_KEYS if self.size.width >= WIDE else KEYS
        self._title.show(start, [Piece(keys, "dim")])

    def _told(self, page: HistoryPage) -> Pieces:
        """The computation at the cursor: which it is, and what it held."""
        here = page.here
        when = f", step {here.step:,}" if here.step else ""
        health = here.sample.health
        pieces = [Piece(f" #{here.event:,}{when}: ", "title")]
        if health is None:
            return [*pieces, Piece(bad_words(here.bad), "bad") if here.bad else Piece("not told")]
        held = counts(health, here.bad)
        if not held:
            return [*pieces, Piece("no numbers are counted" if health.zero is None else "empty")]
        return [*pieces, *held]

    def _which(self, page: HistoryPage) -> Pieces:
        first, last = page.shown
        zoomed = f" ({first:,}-{last:,})" if last - first + 1 < page.computations else ""
        bad = f", {page.bad:,} bad" if page.bad else ""
        return [Piece(f"  {page.here.number:,} of {page.computations:,}{bad}{zoomed} ", "dim")]

    # Keys and mouse.

    @on(HistoryPane.ColumnChosen)
    def _column_chosen(self, event: HistoryPane.ColumnChosen) -> None:
        self._look.choose(event.column)
        self._show()

    @on(DidNothing)
    def _did_nothing(self, event: DidNothing) -> None:
        event.stop()
        self._show(event.why.replace(PANE, "the history"))

    def action_bad(self, direction: int) -> None:
        """Go to the next bad computation, or to the one before."""
        self._show(self._look.go_to_bad(direction))

    def action_zoom(self, steps: int) -> None:
        """Show fewer computations more closely, or more of them."""
        self._show(self._look.zoom(steps))

    @on(HistoryPane.Opened)
    def _opened(self) -> None:
        """Go to the computation at the cursor."""
        self.dismiss(self._look.chosen())
