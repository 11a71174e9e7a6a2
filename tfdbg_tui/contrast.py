"""Contrast of two colours as WCAG measures it, and colours moved until they have enough of it.

Themes have whatever colours they have. What is drawn in them is moved towards white or black as
far as reading asks for, and no further. A terminal that has few colours draws others than it is
told: `Shown` says which, and it is those that are measured.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Shown = Callable[["Rgb"], "Rgb"]

Rgb = tuple[int, int, int]

BLACK: Rgb = (0, 0, 0)
WHITE: Rgb = (255, 255, 255)

TEXT = 4.5
"""The least contrast of text with its background."""

ROW = 1.5
"""The least contrast of the chosen row with its pane."""

STEPS = 40
"""How finely a colour is moved."""


def exactly(colour: Rgb) -> Rgb:
    """What a terminal of sixteen million colours shows."""
    return colour


def contrast(one: Rgb, other: Rgb) -> float:
    """From 1, the same, to 21, black on white."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Rgb) -> float:
    red, green, blue = (_linear(channel / 255) for channel in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.03928 else float(((part + 0.055) / 1.055) ** 2.4)


def mixed(one: Rgb, other: Rgb, share: float) -> Rgb:
    """A colour between two; the share is that of the other one."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def readable(colour: Rgb, background: Rgb, least: float = TEXT, shown: Shown = exactly) -> Rgb:
    """A colour for text: this one, or as near to it as can be read on a background."""
    behind = shown(background)
    end = max(WHITE, BLACK, key=lambda colour: contrast(shown(colour), behind))
    return _first(colour, end, lambda moved: contrast(shown(moved), behind) >= least)


def apart(panes: Sequence[Rgb], towards: Rgb, least: float = ROW, shown: Shown = exactly) -> Rgb:
    """A background that is seen beside others: the first of them, tinted as much as that takes."""
    others = [shown(pane) for pane in panes]
    return _first(
        panes[0],
        towards,
        lambda moved: all(contrast(shown(moved), other) >= least for other in others),
    )


def _first(start: Rgb, end: Rgb, is_enough: Callable[[Rgb], bool]) -> Rgb:
    """The first of the colours from one to another that is enough, else the last."""
    moves = (mixed(start, end, step / STEPS) for step in range(STEPS))
    return next((moved for moved in moves if is_enough(moved)), end)
