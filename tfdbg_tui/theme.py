"""The colours: two themes of our own beside Textual's, and what panes draw with from any theme.

A role is what some text is (`widgets/roles.py` lists them), `app.tcss` gives each a style, in one
table, from the colours that are made here. What is drawn is moved further where its background
asks for it (`contrast.readable`): no theme can make it unreadable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from tfdbg_tui.contrast import ROW, TEXT, Rgb, apart, exactly, mixed, readable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tfdbg_tui.contrast import Shown

CALM = Theme(
    name="calm",
    primary="#5fafd7",
    secondary="#87afd7",
    accent="#5fd7d7",
    warning="#d7af5f",
    error="#ff6e6e",
    success="#87d787",
    foreground="#d0d4da",
    background="#14171c",
    surface="#1c2028",
    panel="#232833",
    dark=True,
)
"""One accent colour for the selection, one alarm colour for bad numbers, little else."""

CALM_LIGHT = Theme(
    name="calm-light",
    primary="#1f6394",
    secondary="#4a6c94",
    accent="#007078",
    warning="#855800",
    error="#c01f2e",
    success="#2e7031",
    foreground="#262b33",
    background="#f8f9fb",
    surface="#eceff4",
    panel="#dfe4ec",
    dark=False,
)
"""The same by day."""

OWN = (CALM, CALM_LIGHT)

SIXTEEN_DARK = Theme(
    name="sixteen-dark",
    primary="#55ffff",
    accent="#55ffff",
    warning="#ffff55",
    error="#ff5555",
    success="#55ff55",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#000000",
    dark=True,
    variables={
        "dim": "#aaaaaa",
        "follows": "#aaaaaa",
        "frame": "#555555",
        "chosen": "#0000aa",
        "on-chosen": "#ffffff",
        "chosen-focused": "#00aaaa",
        "on-chosen-focused": "#000000",
    },
)
"""In place of every dark theme where there are sixteen colours: their shades would be one."""

SIXTEEN_LIGHT = Theme(
    name="sixteen-light",
    primary="#0000aa",
    accent="#0000aa",
    warning="#aa00aa",
    error="#aa0000",
    success="#000000",
    foreground="#000000",
    background="#ffffff",
    surface="#ffffff",
    panel="#ffffff",
    dark=False,
    variables={
        "dim": "#000000",
        "follows": "#000000",
        "frame": "#aaaaaa",
        "chosen": "#00aaaa",
        "on-chosen": "#000000",
        "chosen-focused": "#0000aa",
        "on-chosen-focused": "#ffffff",
    },
)
"""The same for light themes."""

CHOSEN, CHOSEN_FOCUSED, FRAME = ROW + 0.05, ROW + 0.1, ROW + 0.2
"""Contrasts with the pane: of its chosen row without and with the keys, and of its frame."""

MUTED, ALARM_LEFT, PLAIN_LEFT, HINTED = 0.34, 0.35, 0.4, 0.4
"""Shares: of the background in dim text, of alarm in what follows from a cause, of plain text in
literals, and of the colour of the focus in a chosen row that does not have it."""


MADE_FROM = ("background", "surface", "panel", "foreground", "accent", "error", "success")
"""The colours of a theme that others are made from."""

STAND_INS = {
    "dim": "foreground",
    "focus": "accent",
    "follows": "foreground",
    "literal": "success",
    "frame": "foreground",
    "chosen": "panel",
    "chosen-focused": "panel",
    "on-chosen": "foreground",
    "on-chosen-focused": "foreground",
    "on-panel": "foreground",
    "on-surface": "foreground",
    "dim-on-surface": "foreground",
}
"""The colours that are made, with what stands for them where nothing can be made."""


def themes() -> list[str]:
    """The names of all themes."""
    return sorted([*(theme.name for theme in OWN), *BUILTIN_THEMES])


def sixteen(theme: Theme) -> Theme:
    """What stands in for a theme where there are sixteen colours."""
    return theme if theme.ansi else SIXTEEN_DARK if theme.dark else SIXTEEN_LIGHT


def shades(variables: Mapping[str, str], shown: Shown = exactly) -> dict[str, str]:
    """The colours that `app.tcss` names beyond those of a theme, made from these.

    Those for text can be read on panes. Of the terminal's own colours nobody knows how they look:
    themes in these have them as they are.
    """
    colours = {name: Color.parse(variables[name]) for name in MADE_FROM}
    if any(colour.ansi is not None for colour in colours.values()):
        made = {name: variables[like] for name, like in STAND_INS.items()}
    else:
        made = _made({name: (c.r, c.g, c.b) for name, c in colours.items()}, shown)
    return made | {name: variables[name] for name in made if name in variables}


def _made(theme: Mapping[str, Rgb], shown: Shown) -> dict[str, str]:
    pane, surface, text = theme["background"], theme["surface"], theme["foreground"]
    dim = mixed(text, pane, MUTED)
    focus = readable(theme["accent"], pane, TEXT, shown)
    chosen = apart([pane], mixed(text, focus, HINTED), CHOSEN, shown)
    chosen_focused = apart([pane, surface], focus, CHOSEN_FOCUSED, shown)
    made = {
        "dim": readable(dim, pane, TEXT, shown),
        "focus": focus,
        "follows": readable(mixed(dim, theme["error"], ALARM_LEFT), pane, TEXT, shown),
        "literal": readable(mixed(theme["success"], text, PLAIN_LEFT), pane, TEXT, shown),
        "frame": apart([pane], text, FRAME, shown),
        "chosen": chosen,
        "chosen-focused": chosen_focused,
        "on-chosen": readable(text, chosen, TEXT, shown),
        "on-chosen-focused": readable(text, chosen_focused, TEXT, shown),
        "on-panel": readable(text, theme["panel"], TEXT, shown),
        "on-surface": readable(text, surface, TEXT, shown),
        "dim-on-surface": readable(dim, surface, TEXT, shown),
    }
    return {name: Color(*colour).hex for name, colour in made.items()}
