"""Looking at one tensor over all its computations: which part, where the cursor is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.event_kind import EventKind, EventRef
from tfdbg_tui.data.views.health_facts import note_of
from tfdbg_tui.data.views.history_page import Computation, HistoryPage
from tfdbg_tui.data.views.tensor_history import TensorHistory
from tfdbg_tui.data.views.tensor_samples import TensorSamples

if TYPE_CHECKING:
    from tfdbg_tui.data.index.host_index import HostIndex
    from tfdbg_tui.data.views.navigator import Navigator
    from tfdbg_tui.data.views.tensor_history import HistoryCell

ZOOM = 4
"""Times as closely as before."""

FEWEST = 8
"""Computations that are shown at the least, if there are as many."""

NO_TENSOR = "No tensor is chosen: choose one, and h shows it over time."
NOT_RECORDED = "This tensor is not recorded in any computation."
NO_MORE = {1: "No bad computation behind this one.", -1: "No bad computation before this one."}


class HistoryLook:
    """The history that is looked at; the cursor stays on its computation while more come."""

    def __init__(self, navigator: Navigator) -> None:
        self._navigator = navigator
        self._index: HostIndex | None = None
        self._host = 0
        self._kind = EventKind.TRACE
        self._samples: TensorSamples | None = None
        self._event = 0
        """Of the cursor."""
        self._span: tuple[int, int] | None = None
        self._room = 1

    def begin(self) -> str:
        """Look at what is chosen; a sentence if that cannot be."""
        index, chosen = self._navigator.index, self._navigator.selection
        if index is None or chosen.is_empty:
            return NO_TENSOR
        wanted = chosen.event
        if wanted is None and chosen.node is not None:
            wanted = self._nearest(index)
        if wanted is None:
            return NOT_RECORDED
        store = index.host.store_of(wanted.kind)
        site = store.site_number(wanted.event)
        known = None if self._samples is None else self._samples.history
        same = known is not None and known.store is store
        if known is None or not same or (known.site, known.position) != (site, chosen.output):
            self._samples = TensorSamples(TensorHistory(store, site, chosen.output))
        self._index, self._host, self._kind = index, chosen.host, wanted.kind
        self._event, self._span = wanted.event, None
        return ""

    def _nearest(self, index: HostIndex) -> EventRef | None:
        """A computation of a graph tensor that was not recorded in the call looked at."""
        chosen = self._navigator.selection
        assert chosen.node is not None
        sites = index.joins.sites_of(*chosen.node)
        here = len(index.host.traces) - 1 if chosen.trace is None else chosen.trace
        found = index.joins.nearest(sites[0], here) if sites else None
        return None if found is None else EventRef(chosen.host, EventKind.TRACE, found, 0)

    @property
    def job(self) -> TensorSamples | None:
        """What the feed has to keep up to date."""
        return self._samples

    @property
    def _history(self) -> TensorHistory | None:
        return None if self._samples is None else self._samples.history

    def page(self, room: int) -> HistoryPage | None:
        """What to show in so many columns; None while nothing is found."""
        history, index = self._history, self._index
        if history is None or index is None or not history.count or self._samples is None:
            return None
        self._room = room = max(1, room)
        span = self._shown(history)
        cells = history.parts(room, span)
        is_reading = self._samples.want(cell.sampled_event for cell in cells)
        store, step_of = history.store, index.steps.step_of
        steps = tuple(
            (step_of(store.wall_time(cell.first_event)), step_of(store.wall_time(cell.last_event)))
            for cell in cells
        )
        site = store.site_of(self._event)
        facts = index.sites.of(self._kind, history.site)
        several = self._kind is EventKind.EXECUTION and getattr(site, "tensors", 1) > 1
        here = self._here(history, index)
        return HistoryPage(
            facts,
            history.position if several else None,
            note_of(site.mode, told=here.sample.health is not None),
            history.count,
            history.bad_count,
            (span[0] + 1, span[1]),
            cells,
            tuple(self._samples.of(cell.sampled_event) for cell in cells),
            steps,
            self._cell(cells),
            here,
            is_reading,
        )

    def _shown(self, history: TensorHistory) -> tuple[int, int]:
        return (0, history.count) if self._span is None else self._span

    def _cell(self, cells: tuple[HistoryCell, ...]) -> int:
        behind = (n for n, cell in enumerate(cells) if self._event <= cell.last_event)
        return next(behind, len(cells) - 1)

    def _here(self, history: TensorHistory, index: HostIndex) -> Computation:
        assert self._samples is not None
        number = history.invocation_of(self._event)
        return Computation(
            number + 1,
            self._event,
            index.steps.step_of(history.store.wall_time(self._event)),
            history.bad_of(number),
            self._samples.of(self._event) or self._samples.read(self._event),
        )

    # Moving.

    def move(self, cells: int) -> None:
        """Move the cursor by cells."""
        history = self._history
        if history is not None and history.count:
            shown = history.parts(self._room, self._shown(history))
            self.choose(self._cell(shown) + cells)

    def choose(self, cell: int) -> None:
        """Put the cursor on what stands for a cell."""
        history = self._history
        if history is not None and history.count:
            shown = history.parts(self._room, self._shown(history))
            found = max(0, min(cell, len(shown) - 1))
            if found != self._cell(shown):
                self._event = shown[found].sampled_event

    def go_to_bad(self, direction: int) -> str:
        """Put the cursor on the next bad computation, or the one before; or say why not."""
        history = self._history
        if history is None or not history.count:
            return ""
        found = history.next_bad(history.invocation_of(self._event), direction)
        if found is None:
            return NO_MORE[direction] if history.bad_count else "It is never NaN or inf."
        self._event = history.event_of(found)
        if self._span is not None and not self._span[0] <= found < self._span[1]:
            self._show_around(history, found, self._span[1] - self._span[0])
        return ""

    def zoom(self, steps: int) -> str:
        """Show fewer computations around the cursor, or more; what there is to say."""
        history = self._history
        if history is None or not history.count:
            return ""
        first, end = self._shown(history)
        length = end - first
        if steps > 0 and length <= FEWEST:
            return "These are the fewest."
        if steps < 0 and self._span is None:
            return "These are all computations."
        length = max(FEWEST, length // ZOOM) if steps > 0 else length * ZOOM
        self._show_around(history, history.invocation_of(self._event), length)
        return ""

    def _show_around(self, history: TensorHistory, invocation: int, length: int) -> None:
        if length >= history.count:
            self._span = None
            return
        first = max(0, min(invocation - length // 2, history.count - length))
        self._span = (first, first + length)

    def chosen(self) -> EventRef | None:
        """The computation at the cursor, in all panes."""
        history = self._history
        if history is None or not history.count:
            return None
        return EventRef(self._host, self._kind, self._event, history.position)
