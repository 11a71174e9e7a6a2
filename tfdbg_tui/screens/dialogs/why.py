"""Why: the cause of what is chosen, in words, over the panes; what it names can be followed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from tfdbg_tui.data.stores.event_kind import EventRef
from tfdbg_tui.widgets.bars import StatusBar
from tfdbg_tui.widgets.key_bindings import at_once
from tfdbg_tui.widgets.pieces import Piece
from tfdbg_tui.widgets.row_list import RowList
from tfdbg_tui.widgets.why_pane import WhyPane

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from tfdbg_tui.data.views.why_page import WhyPage


class WhyScreen(ModalScreen[EventRef | None]):
    """One cause; ends with the tensor to go to, if one was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = at_once(
        [
            Binding("escape,q,w,ctrl+c", "dismiss(None)", "Close", id="why.close"),
            Binding("tab", "link(1)", "Next link", id="why.next-link"),
            Binding("shift+tab", "link(-1)", "Link before", id="why.previous-link"),
            Binding("n,exclamation_mark", "cause(1)", "Next cause", id="why.next-cause"),
            Binding("N", "cause(-1)", "Cause before", id="why.previous-cause"),
        ]
    )

    def __init__(self, page: WhyPage, walk: Callable[[int], WhyPage | None]) -> None:
        super().__init__()
        self._page = page
        self._walk = walk
        self._title = StatusBar("why-title")
        self._text = WhyPane(page)

    def compose(self) -> ComposeResult:
        """A title and the page."""
        yield self._title
        yield self._text

    def on_mount(self) -> None:
        """Let the page have the keys."""
        self._show_title()
        self.set_focus(self._text)

    def _show_title(self, said: str = "") -> None:
        self._title.show(
            [Piece(" Why", "notable"), Piece(f"  {said or self._page.title}", "warn" * bool(said))],
            [Piece("enter go  n next  esc close ", "dim")],
        )

    def action_link(self, steps: int) -> None:
        """Put the cursor on the next row that leads somewhere."""
        self._text.next_link(steps)

    def action_cause(self, steps: int) -> None:
        """Turn to another cause of the run."""
        page = self._walk(steps)
        if page is None:
            self._show_title("no later cause" if steps > 0 else "no cause before this")
        else:
            self._page = page
            self._show_title()
            self._text.turn_to(page)

    @on(RowList.Opened)
    def _opened(self, event: RowList.Opened) -> None:
        event.stop()
        if event.row.link is not None:
            self.dismiss(event.row.link)
