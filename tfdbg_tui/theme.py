"""The colours: one theme of our own beside Textual's."""

from __future__ import annotations

from textual.theme import BUILTIN_THEMES, Theme

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


def themes() -> list[str]:
    """The names of all themes."""
    return sorted([CALM.name, *BUILTIN_THEMES])
