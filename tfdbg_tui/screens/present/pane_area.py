"""The panes and where they stand: wide, one above another, or one alone."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from textual.containers import Container
from textual.geometry import Offset, Spacing
from textual.layout import DockArrangeResult, WidgetPlacement
from textual.widget import Widget

from tfdbg_tui.screens.pane_names import (
    DETAILS,
    LISTED,
    LISTS,
    OUTPUT,
    PANES,
    SOURCE,
    STACK,
    WATCHED,
)
from tfdbg_tui.screens.present.arrangement import (
    BORDER,
    DETAIL_TABS,
    LIST_TABS,
    TIMELINE,
    Arrangement,
    Shape,
    Wants,
    arrange,
    side_width,
)
from tfdbg_tui.screens.present.pane_titles import PaneTitles
from tfdbg_tui.textual_internals import KeptLines
from tfdbg_tui.widgets.alerts_pane import AlertsPane
from tfdbg_tui.widgets.bars import TabBar
from tfdbg_tui.widgets.executions_pane import ExecutionsPane
from tfdbg_tui.widgets.graph_pane import GraphPane
from tfdbg_tui.widgets.health_pane import HealthPane
from tfdbg_tui.widgets.line_pane import MARGIN
from tfdbg_tui.widgets.output_pane import OutputPane
from tfdbg_tui.widgets.source_pane import SourcePane
from tfdbg_tui.widgets.stack_pane import StackPane
from tfdbg_tui.widgets.timeline_bar import TimelineBar
from tfdbg_tui.widgets.traces_pane import TracesPane
from tfdbg_tui.widgets.watch_pane import WatchPane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.app import ComposeResult
    from textual.geometry import Size

    from tfdbg_tui.screens.present.pane_titles import TitleNotes
    from tfdbg_tui.widgets.line_painter import Spans
    from tfdbg_tui.widgets.line_pane import LinePane


class PaneArea(Container, KeptLines):
    """Holds the panes; knows which are shown, not what they show."""

    DEFAULT_CSS = "PaneArea { layout: vertical; height: 1fr; overflow: hidden; }"

    def __init__(self, with_output: bool = False) -> None:
        super().__init__()
        self._all_names = (*PANES, OUTPUT, WATCHED) if with_output else (*PANES, WATCHED)
        self._lists: tuple[str, ...] = LISTS
        self._watched_rows = 0
        self._details = (*DETAILS, OUTPUT) if with_output else DETAILS
        self.alerts = AlertsPane("alerts")
        self.executions = ExecutionsPane("executions")
        self.traces = TracesPane("traces")
        self.health = HealthPane("health")
        self.graph = GraphPane("graph")
        self.stack = StackPane("stack")
        self.source = SourcePane("source")
        self.output = OutputPane(OUTPUT)
        self.watched = WatchPane(WATCHED)
        self.timeline = TimelineBar(TIMELINE)
        self._list_tabs, self._detail_tabs = TabBar(LIST_TABS), TabBar(DETAIL_TABS)
        self.shown_list, self.shown_detail = "alerts", OUTPUT if with_output else "source"
        self._zoomed: str | None = None
        self._alone = "alerts"
        """The pane to show where there is room for one."""
        self._room: tuple[int, int] = (0, 0)
        """Columns and rows for all panes."""
        self._reserved = 0
        self._wants = Wants({})
        self._focus = ""
        """The pane that the keys were given to last."""
        self._empty: frozenset[str] = frozenset()
        self._arrangement = self._settled = Arrangement(Shape.STACKED, {})
        self._titles = PaneTitles({name: self.pane(name) for name in self._all_names})

    def compose(self) -> ComposeResult:
        """The panes and the two tab bars."""
        yield self.timeline
        yield self._list_tabs
        yield self._detail_tabs
        for name in self._all_names:
            yield self.pane(name)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the panes that there are, in the order of their numbers."""
        return self._all_names if self._lists is LISTED else self._all_names[:-1]

    def show_watched(self, rows: int) -> None:
        """Have a pane of so many rows of what is watched, or none; the others suit that."""
        if rows == self._watched_rows:
            return
        self._watched_rows = rows
        if not rows:
            gone = self.shown_list, self._alone, self._zoomed
            shown, alone, zoomed = (None if name == WATCHED else name for name in gone)
            self.shown_list, self._alone, self._zoomed = (
                shown or LISTS[0],
                alone or LISTS[0],
                zoomed,
            )
        self._lists = LISTED if rows else LISTS
        self.refit()

    def pane(self, name: str) -> LinePane:
        """A pane by its name."""
        pane: LinePane = getattr(self, name)
        return pane

    @contextmanager
    def drawn_once(self) -> Iterator[None]:
        """Have every pane draw when this is over, whatever becomes of it meanwhile."""
        with ExitStack() as stack:
            for name in self._all_names:
                stack.enter_context(self.pane(name).drawn_once())
            yield

    def highlight(self, spans: Spans | None) -> None:
        """Draw parts of texts in reverse, in all panes: what a search found."""
        for name in (*PANES, WATCHED):
            self.pane(name).highlight(spans)

    @property
    def shape(self) -> Shape:
        """How the panes share the screen."""
        return self._arrangement.shape

    def is_shown(self, name: str) -> bool:
        """Whether a pane has room on the screen."""
        return self.display and name in self._arrangement.regions

    @property
    def zoomed(self) -> str | None:
        """The pane that has the screen for itself, if the user wanted so."""
        return self._zoomed

    @property
    def focused_pane(self) -> str:
        """The pane that has the keys."""
        focused = self.screen.focused
        name = focused.id if focused is not None else None
        return name if name is not None and name in self.names else self.shown_list

    def reveal(self, name: str, focus: bool = True) -> None:
        """Bring a pane to the screen, in place of another where there is no room for both."""
        before = self._focus, self.shown_detail
        if name in LISTED:
            self.shown_list = name
        else:
            self.shown_detail = name
        if focus:
            self._alone = self._focus = name
            self._zoomed = name if self._zoomed is not None else None
        if (self._focus, self.shown_detail) == before:
            self._arranged()
        else:
            self.refit()
        if focus:
            self.screen.set_focus(self.pane(name), scroll_visible=False)

    def zoom(self, name: str | None) -> None:
        """Give one pane the screen, or all of them again."""
        self._zoomed = name
        self._arranged()

    def toggle_zoom(self) -> None:
        """Give the focused pane the screen, or all of them again."""
        self.zoom(None if self._zoomed else self.focused_pane)

    def reveal_next(self, steps: int) -> None:
        """Go to the next pane, or to the one before."""
        self.reveal(self.names[(self.names.index(self.focused_pane) + steps) % len(self.names)])

    def on_tab_bar_clicked(self, event: TabBar.Clicked) -> None:
        """A click on a tab brings its pane."""
        self.reveal(event.pane)

    def refit(self, empty: frozenset[str] | None = None) -> None:
        """Give panes the heights that suit what they show now.

        Asked for when the run, the size or the focus changes, never because rows came or
        something else was chosen: nothing is to move while somebody reads. Lists that have
        nothing for the whole run are folded.
        """
        self._empty = self._empty if empty is None else empty
        side = side_width(self._room[0]) - BORDER - MARGIN
        names = PANES if self._lists is LISTS else (*PANES, WATCHED)
        lines = {name: self.pane(name).wanted_height(side) for name in names}
        lower = STACK if self.shown_detail == STACK else SOURCE
        self._wants = Wants(lines, self._empty, self._focus, lower)
        self._arranged()

    def on_table_list_common_changed(self) -> None:
        """What all rows of a list say alike stands in its title."""
        self.label()

    def reserve_rows(self, rows: int) -> None:
        """Know how many rows are reserved to a line below, before it comes or goes."""
        self._reserved = rows

    def arrange(self, size: Size, optimal: bool = False) -> DockArrangeResult:
        """Put every widget where the arrangement says; another size may need another one.

        The layout itself says so here: an event that tells the size can be lost. Textual would
        keep the regions of a size; ours also depend on what is revealed and zoomed.
        """
        if size != self._room:
            self._room = size
            self._arrangement = self._fitting()
            self.call_later(self.refit)
        placements = [
            WidgetPlacement(region, Offset(), Spacing(), widget)
            for name, region in self._arrangement.regions.items()
            if (widget := self.query_one(f"#{name}", Widget)).display
        ]
        return DockArrangeResult(placements, {item.widget for item in placements}, Spacing())

    def _fitting(self) -> Arrangement:
        width, height = self._room
        shown = (self.shown_list, self.shown_detail, self._zoomed, self._alone)
        return arrange(width, height, *shown, OUTPUT in self.names, self._reserved, self._wants)

    def _arranged(self) -> None:
        """Show the panes that have a region now, and give one of them the keys."""
        arrangement = self._arrangement = self._fitting()
        if arrangement != self._settled:
            self._settled = arrangement
            shown = arrangement.regions
            focused = self.focused_pane
            for name in (TIMELINE, LIST_TABS, DETAIL_TABS, *self._all_names):
                self.query_one(f"#{name}").display = name in shown
            self.executions.show_strip(TIMELINE not in shown)
            self.set_class(self.shape is Shape.WIDE, "-wide")
            self.health.titled = self.shape is Shape.WIDE
            for name in LISTS:
                self.pane(name).set_class(name in arrangement.folded, "-folded")
            if focused not in shown and shown:
                pane = next(name for name in shown if name in self.names)
                self.screen.set_focus(self.pane(pane), scroll_visible=False)
            self.refresh(layout=True)
        self.label()

    # Titles.

    def note(self, notes: TitleNotes) -> None:
        """What stands behind the titles of panes."""
        if self._titles.note(notes):
            self.label()

    def label(self) -> None:
        """Write the titles: on borders in the wide shape, on tabs in the others."""
        if self.shape is Shape.WIDE:
            self._titles.on_borders(self._arrangement)
            return
        focused = self.focused_pane
        lists, details = (self._list_tabs, self._lists), (self._detail_tabs, self._details)
        for (bar, names), shown in ((lists, self.shown_list), (details, self.shown_detail)):
            alone = self._alone if self.shape is Shape.SINGLE else shown
            chosen = alone if alone in names else shown
            is_small = self.shape is Shape.SINGLE and self._zoomed is None
            hint = self._titles.hint(names, self._zoomed, is_small)
            bar.show(self._titles.tabs(names, is_small), chosen, focused in names, hint)
