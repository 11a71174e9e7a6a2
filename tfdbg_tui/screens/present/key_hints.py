"""Which keys the bar at the bottom shows: some always, some of the pane that has the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding

from tfdbg_tui.frozen.named_tuple import NamedTuple
from tfdbg_tui.screens.keys import BINDINGS as KEYS
from tfdbg_tui.screens.keys import PALETTE, full_action
from tfdbg_tui.screens.pane_names import (
    ALERTS,
    EXECUTIONS,
    GRAPH,
    HEALTH,
    OUTPUT,
    SOURCE,
    STACK,
    TRACES,
    WATCHED,
)
from tfdbg_tui.widgets.alerts_pane import AlertsPane
from tfdbg_tui.widgets.key_bar import FOCUSED, KeyHint
from tfdbg_tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from collections.abc import Callable


class _Shown(NamedTuple):
    """A binding in the bar."""

    id: str
    rank: int
    """Keys of a high rank go first where there is no room."""
    words: str = ""
    """In place of its own description."""


OPEN = "list.open"

BEGINNING = (
    _Shown("go.first-bad", 1),
    _Shown("view.why", 2),
    _Shown("go.next-match", 4),
    _Shown("view.follow", 8),
)

OF_PANE = {
    ALERTS: (
        _Shown(OPEN, 3, "Source"),
        _Shown("alerts.fold", 6),
        _Shown("go.next-alert", 7),
    ),
    EXECUTIONS: (_Shown(OPEN, 3, "Inside"), _Shown("view.collapse", 7)),
    TRACES: (_Shown(OPEN, 3, "Source"), _Shown("go.next-alert", 7)),
    HEALTH: (_Shown("go.next-output", 5),),
    GRAPH: (_Shown(OPEN, 3, "Go there"), _Shown("view.closer", 6, "Deeper")),
    STACK: (_Shown(OPEN, 3, "Source"), _Shown("view.unfold", 6, "Library")),
    SOURCE: (_Shown(OPEN, 3, "Its ops"), _Shown("do.edit", 6)),
    OUTPUT: (),
    WATCHED: (_Shown(OPEN, 3, "Source"), _Shown("view.history", 6), _Shown("do.watch", 5, "Unpin")),
}

END = (
    _Shown("find.search", 2),
    _Shown("find.only", 5),
    _Shown("find.go-to", 7),
    _Shown("view.zoom", 6),
    _Shown("view.help", 0),
    _Shown("app.quit", 0),
    _Shown(PALETTE, 9),
)


def key_hints(pane: str, key_text: Callable[[Binding], str]) -> tuple[KeyHint, ...]:
    """The keys that matter in a pane, as the user has mapped them."""
    bindings = {key.id: (key, full_action(key)) for key in KEYS}
    for key in (*RowList.BINDINGS, *AlertsPane.BINDINGS):
        if isinstance(key, Binding):
            bindings[key.id] = (key, f"{FOCUSED}{key.action}")
    hints = []
    for group, shown in enumerate((BEGINNING, OF_PANE.get(pane, ()), END)):
        for hint in shown:
            binding, action = bindings[hint.id]
            does = hint.words or binding.description
            hints.append(KeyHint(key_text(binding), does, action, group, hint.rank))
    return tuple(hints)
