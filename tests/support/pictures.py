"""The screens that are kept as text, and how they are compared.

    TFDBG_TUI_SNAPSHOTS=write python -m pytest tests/screens/test_snapshots.py

writes them anew; look at the difference before you commit it.
"""

from __future__ import annotations

import os
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.color import Color

from tfdbg_tui.contrast import Rgb, readable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.style import Style

    from tests.support.app_under_test import Driven

FOLDER = Path(__file__).parents[1] / "snapshots"

IS_WRITING = os.environ.get("TFDBG_TUI_SNAPSHOTS") == "write"


def picture(driven: Driven) -> list[str]:
    """The text of the screen, without blanks at the ends of lines."""
    return [line.rstrip() for line in driven.lines()]


def colours(driven: Driven) -> list[str]:
    """A letter for how each cell of the screen is drawn."""
    variables = driven.app.theme_variables
    names = {_rgb(variables[name]): letter for name, letter in LETTERS.items()}
    lines = []
    for strip in driven.app.screen._compositor.render_strips():
        cells = [
            (" " if text.isspace() else _letter(style, names)) * cell_len(text)
            for segment_text, style, _ in strip
            for text in segment_text
        ]
        lines.append("".join(cells).rstrip())
    return lines


LETTERS = {
    "error": "!",
    "follows": "~",
    "focus": "a",
    "literal": "l",
    "warning": "w",
    "primary": "p",
    "dim": "d",
}
"""For the colours that mean something; else D is bold and . plain."""


def _letter(style: Style | None, names: dict[Rgb, str]) -> str:
    if style is None or style.color is None or style.bgcolor is None:
        return "."
    if style.reverse:
        return "R"
    colour, background = style.color.get_truecolor(), style.bgcolor.get_truecolor()
    for meant, letter in names.items():
        if colour == readable(meant, background):  # as it is drawn on this background
            return letter
    return "D" if style.bold else "."


def _rgb(variable: str) -> Rgb:
    colour = Color.parse(variable)
    return colour.r, colour.g, colour.b


def difference(name: str, lines: list[str]) -> list[str]:
    """How a screen differs from the kept one; when writing, it becomes the kept one."""
    path = FOLDER / f"{name}.txt"
    if IS_WRITING:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return []
    kept = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return list(unified_diff(kept, lines, f"{name}, kept", f"{name}, now", lineterm=""))


def assert_as_kept(pictures: Iterator[tuple[str, list[str]]] | list[tuple[str, list[str]]]) -> None:
    """Every screen is as it was kept; all differences are shown at once."""
    differences = [line for name, lines in pictures for line in difference(name, lines)]
    assert not differences, "\n" + "\n".join(differences)
