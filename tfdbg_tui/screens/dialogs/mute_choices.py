"""The list of what can be muted, what is, and where that is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.screens.dialogs.menu import Choice, Fit, Heading, Menu
from tfdbg_tui.screens.session.muting import Deed, Option
from tfdbg_tui.widgets.pieces import Piece, clean

if TYPE_CHECKING:
    from tfdbg_tui.screens.session.session import Session

HEADINGS = (
    Heading("", Fit.PROSE, least=12),
    Heading("rule", Fit.NAME, least=16),
    Heading("bad tensors", Fit.NUMBER, 2),
)


def mutes(session: Session) -> Menu | str:
    """What can be muted of what is chosen, and unmuted; or why there is nothing."""
    options = session.muting.options()
    if isinstance(options, str):
        return options
    return Menu(
        "Mute what is meant, or unmute it",
        HEADINGS,
        [_choice(option) for option in options],
        lambda number: session.mute(options[number]),
    )


def _choice(option: Option) -> Choice:
    role = "dim" if option.deed is Deed.FILE else ""
    count = "" if option.tensors is None else f"{option.tensors:,}"
    what = f"{option.deed.value} {option.what}".strip()
    return Choice((Piece(what), Piece(clean(option.text)), Piece(count, "dim")), role)
