"""Every command by its name, and every theme: what is done without a key of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfdbg_tui.command_line.table import COMMANDS
from tfdbg_tui.screens.dialogs.menu import Choice, Fit, Heading, Menu
from tfdbg_tui.screens.keys import BINDINGS as KEYS
from tfdbg_tui.screens.keys import PALETTE, full_action
from tfdbg_tui.screens.session.change import UNCHANGED, say
from tfdbg_tui.widgets.pieces import Piece

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from textual.binding import Binding
    from textual.theme import Theme

    from tfdbg_tui.screens.session.change import Change

COMMAND_HEADINGS = (
    Heading("command", least=14),
    Heading("key", Fit.PROSE, 2, least=3),
    Heading("what it does", Fit.PROSE, 3, least=12),
)

THEME_HEADINGS = (Heading("theme"), Heading("colours", Fit.PROSE, 2, least=5))

WITHOUT_KEY = (
    ("Theme", "Choose other colours", "screen.choose('themes')"),
    ("Quit the program", "Leave tfdbg-tui at once", "app.quit"),
)
"""Commands that no key has: a name, what it does, and the action."""


def commands(key_text: Callable[[Binding], str], run: Callable[[str], None]) -> Menu:
    """Every command, to be run by its action."""
    rows = [
        (key.description, key_text(key), key.tooltip or key.description, full_action(key))
        for key in KEYS
        if key.id != PALETTE
    ]
    rows += [(name, "", does, action) for name, does, action in WITHOUT_KEY]
    rows += [
        (f":{each.name}", "", each.summary, f"screen.ask(':', '{each.name} ')") for each in COMMANDS
    ]
    choices = [
        Choice((Piece(name), Piece(key, "accent"), Piece(does))) for name, key, does, _ in rows
    ]

    def choose(number: int) -> Change:
        run(rows[number][3])
        return UNCHANGED

    return Menu("Commands", COMMAND_HEADINGS, choices, choose)


def themes(available: Mapping[str, Theme], shown: str, use: Callable[[str], None]) -> Menu:
    """Every theme, the one that is shown marked."""
    names = sorted(available)
    choices = [
        Choice(
            (Piece(name), Piece("dark" if available[name].dark else "light", "dim")),
            chosen=name == shown,
        )
        for name in names
    ]

    def choose(number: int) -> Change:
        use(names[number])
        return say(
            f"The theme is {names[number]}; theme = {names[number]!r} in the settings keeps it."
        )

    return Menu("Themes", THEME_HEADINGS, choices, choose)
