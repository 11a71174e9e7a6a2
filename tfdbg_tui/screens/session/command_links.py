"""Where the names lead that a command tells: to a tensor, an op, a line, in all panes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.result import OpLink, SourceLink
from tfdbg_tui.data.views.selection import Node
from tfdbg_tui.screens.session.change import OTHER_ROWS, UNCHANGED, Change

if TYPE_CHECKING:
    from tfdbg_tui.data.stores.event_kind import EventRef
    from tfdbg_tui.data.views.navigator import Navigator
    from tfdbg_tui.screens.session.pane_links import PaneLinks


def follow(navigator: Navigator, links: PaneLinks, link: EventRef | OpLink | SourceLink) -> Change:
    """Go there, on whichever host that is."""
    if not isinstance(link, (OpLink, SourceLink)):
        return links.go_to_tensor(link)
    moves = navigator.selection.host != link.host
    navigator.look_at_host(link.host)
    change = OTHER_ROWS if moves else UNCHANGED
    if isinstance(link, SourceLink):
        return change | links.choose_file(link.file, link.line)
    return change | links.go_to_op(Node(link.graph_id, link.op_name, link.slot))
