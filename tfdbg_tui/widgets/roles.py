"""What text can be, and how that is drawn: in the app's one table of styles, readable in any theme.

Nothing here or in a pane names a colour: a role is a component class `role--ROLE` of the app,
`app.tcss` gives it a style, and what is drawn is moved away from its background as far as reading
asks. They are the app's because Textual styles the component classes of a widget anew, one by one,
whenever it gets or loses the keys: eighteen on each pane were a quarter of all work of the screen.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.color import Color, ColorSystem
from rich.console import COLOR_SYSTEMS
from rich.style import Style

from tfdbg_tui.contrast import TEXT, Rgb, readable

if TYPE_CHECKING:
    from textual.widget import Widget

ROLES = (
    "accent",
    "alarm",
    "alarm-follows",
    "bad",
    "code",
    "comment",
    "cursor",
    "cursor-focused",
    "dim",
    "follows",
    "good",
    "hit",
    "key",
    "keyword",
    "link-here",
    "linked",
    "notable",
    "number",
    "string",
    "tab",
    "thumb",
    "title",
    "warn",
)
"""What text can be; `cursor` is a chosen line, `cursor-focused` one where the keys are."""

COMPONENTS = frozenset(f"role--{role}" for role in ROLES)
"""The `COMPONENT_CLASSES` of an app with widgets that draw in roles."""


class _Terminal:
    """Which colours can be drawn: one terminal, so one answer for the whole program."""

    system = ColorSystem.TRUECOLOR


def draw_in(system: str | None) -> None:
    """Draw in the colours of a kind of terminal from now on, as Rich names it."""
    _Terminal.system = COLOR_SYSTEMS.get(system or "", ColorSystem.TRUECOLOR)


def as_shown(colour: Rgb) -> Rgb:
    """What the terminal shows for a colour."""
    return _as_shown(colour, _Terminal.system)


@lru_cache(maxsize=4096)
def _as_shown(colour: Rgb, system: ColorSystem) -> Rgb:
    if system is not ColorSystem.EIGHT_BIT:
        return colour  # where there are sixteen, themes have these
    red, green, blue = Color.from_rgb(*colour).downgrade(system).get_truecolor()
    return red, green, blue


def style_of(widget: Widget, role: str, line_role: str = "") -> Style:
    """How a widget draws text in a role, on a line that has one of its own or has none.

    What is chosen is read, and its background takes contrast away: nothing is dim there. Where a
    line has a colour for its text, that is the colour of all of it.
    """
    own_role = "" if line_role and role == "dim" else role
    style = widget.rich_style
    for name in (own_role, line_role):
        if name:
            style += widget.app.get_component_styles(f"role--{name}").partial_rich_style
    return legible(style)


def legible(style: Style) -> Style:
    """The same, with enough contrast; what the terminal colours as it likes stays as it is."""
    return _legible(style, _Terminal.system)


@lru_cache(maxsize=1024)
def _legible(style: Style, system: ColorSystem) -> Style:
    if style.color is None or style.bgcolor is None:
        return style
    if style.color.triplet is None or style.bgcolor.triplet is None:
        return style
    wanted, background = style.color.triplet, style.bgcolor.triplet
    colour = readable(wanted, background, TEXT, lambda rgb: _as_shown(rgb, system))
    return style if colour == wanted else style + Style(color=Color.from_rgb(*colour))
