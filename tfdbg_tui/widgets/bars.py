"""One-line widgets: the status above, tabs between panes."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.segment import Segment
from textual.message import Message
from textual.strip import Strip

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.textual_internals import PromptlyPainted
from tfdbg_tui.widgets.pieces import Piece, Pieces, clean, spread, width_of
from tfdbg_tui.widgets.roles import style_of

if TYPE_CHECKING:
    from rich.style import Style
    from textual import events


KEPT_PIECES = 2
"""Pieces at the left of the status that are cut rather than left out."""


class Bar(PromptlyPainted):
    """Lines of pieces, mostly one, some of which can be clicked."""

    DEFAULT_CSS = "Bar { height: 1; width: 1fr; }"

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._styles: dict[str, Style] = {}

    def pieces(self, width: int) -> Pieces:
        """What a bar of one line says in a width."""
        raise NotImplementedError

    def line(self, y: int, width: int) -> Pieces:
        """What a line says in a width; asked for when it is painted."""
        return self.pieces(width)

    def render_line(self, y: int) -> Strip:
        """A line."""
        width = self.size.width
        line = [Segment(clean(text), self._style(role)) for text, role in self.line(y, width)]
        return Strip(line).adjust_cell_length(width, self._style(""))

    def _style(self, role: str) -> Style:
        style = self._styles.get(role)
        if style is None:
            style = self._styles[role] = style_of(self, role)
        return style

    def notify_style_update(self) -> None:
        """Forget how roles are drawn: the theme changed."""
        super().notify_style_update()
        self._styles.clear()


class StatusBar(Bar):
    """Which recording this is, on the left; how it goes, on the right."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._start: Pieces = []
        self._end: Pieces = []

    def show(self, start: Pieces, end: Pieces) -> None:
        """Say this from now on; the same costs nothing."""
        if (start, end) != (self._start, self._end):
            self._start, self._end = start, end
            self.refresh()

    def pieces(self, width: int) -> Pieces:
        """Both ends; the left one gives way, a whole piece at a time as long as there are some."""
        start, room = list(self._start), width - width_of(self._end)
        while len(start) > KEPT_PIECES and width_of(start) > room:
            start.pop()
        return spread(start, self._end, width)


class Tab(NamedTuple):
    """One tab."""

    pane: str
    title: str
    alarm: bool = False


class TabBar(Bar):
    """Panes that share a region; the chosen one stands out."""

    class Clicked(Message):
        """A tab was clicked."""

        def __init__(self, pane: str) -> None:
            super().__init__()
            self.pane = pane

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._tabs: tuple[Tab, ...] = ()
        self._chosen = ""
        self._focused = False
        self._note: Pieces = []

    def show(
        self, tabs: tuple[Tab, ...], chosen: str, focused: bool, note: Pieces | None = None
    ) -> None:
        """Show these tabs from now on; the same costs nothing."""
        now = (tabs, chosen, focused, note or [])
        if now != (self._tabs, self._chosen, self._focused, self._note):
            self._tabs, self._chosen, self._focused, self._note = now
            self.refresh()

    def pieces(self, width: int) -> Pieces:
        """The tabs, and a note on the right; others than the chosen one give way first."""
        titles, note = self._fitting(width)
        tabs = zip(self._tabs, titles, strict=True)
        return spread([self._tab(tab, title) for tab, title in tabs], note, width)

    def _fitting(self, width: int) -> tuple[list[str], Pieces]:
        """The titles of the tabs and the note, as far as there is room: numbers stay longest."""
        whole = [f" {clean(tab.title)} " for tab in self._tabs]
        brief = [f" {clean(tab.title.partition(', ')[0])} " for tab in self._tabs]
        names, short = (
            [
                title if tab.pane == self._chosen else f" {shorten(tab.title)} "
                for tab, title in zip(self._tabs, whole, strict=True)
            ]
            for shorten in (_name, _number)
        )
        forms = [(titles, self._note) for titles in (whole, brief, names, short)]
        for titles, note in (*forms, (short, self._note[1:])):
            if sum(map(cell_len, titles)) + width_of(note) <= width:
                return titles, note
        return short, []

    def _tab(self, tab: Tab, title: str) -> Piece:
        role = "" if tab.pane != self._chosen else "tab" if self._focused else "notable"
        return Piece(title, role or ("bad" if tab.alarm else "dim"))

    def on_click(self, event: events.Click) -> None:
        """Choose the tab under the mouse."""
        start = 0
        for tab, title in zip(self._tabs, self._fitting(self.size.width)[0], strict=True):
            end = start + cell_len(title)
            if start <= event.x < end:
                self.post_message(self.Clicked(tab.pane))
            start = end


def _name(title: str) -> str:
    """The number and the name of a pane, without what it counts."""
    number, _, rest = title.partition(" ")
    name = "".join(takewhile(lambda sign: not sign.isdigit(), clean(rest)))
    return f"{number} {name}".rstrip()


def _number(title: str) -> str:
    return title[:1]
