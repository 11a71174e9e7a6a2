"""What is selected, in a few words for a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.sanitise import one_line

if TYPE_CHECKING:
    from tfdbg_tui.data.views.navigator import Navigator

MAX_NAME = 60
"""Characters of a name in a sentence; of a longer one its end tells most."""


def name_of_selected(navigator: Navigator) -> str:
    """The tensor or call with its number, else the line: `Log:0 #60`, `train.py:22`."""
    index, chosen = navigator.index, navigator.selection
    if index is None:
        return "nothing"
    event = chosen.event
    if event is not None:
        site = index.host.store_of(event.kind).site_number(event.event)
        return f"{short(index.sites.of(event.kind, site).name)} #{event.event:,}"
    if chosen.node is not None:
        return short(chosen.node.tensor_name)
    source = None if chosen.file is None else index.host.sources.get(chosen.file)
    if source is None:
        return "nothing"
    file = source.path.replace("\\", "/").rpartition("/")[2]
    return f"{short(file)}:{chosen.line}" if chosen.line else short(file)


def short(name: str) -> str:
    """A recorded name for a sentence, cleaned; of a longer one the end."""
    name = one_line(name)
    return name if len(name) <= MAX_NAME else f"…{name[1 - MAX_NAME :]}"
