"""What is drawn can be read, in every theme and on every terminal; no colour is named twice."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rich.color import ColorSystem
from rich.terminal_theme import TerminalTheme

import tfdbg_tui
from tests.support.app_under_test import SMALL, WIDE, opened
from tests.support.contrast import between, chosen_rows, drawn
from tfdbg_tui.config import Config
from tfdbg_tui.contrast import contrast
from tfdbg_tui.theme import OWN, themes
from tfdbg_tui.widgets.bars import Bar
from tfdbg_tui.widgets.line_pane import LinePane
from tfdbg_tui.widgets.prompt import Prompt
from tfdbg_tui.widgets.roles import ROLES, style_of
from tfdbg_tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from rich.style import Style
    from textual.geometry import Region
    from textual.screen import Screen
    from textual.widget import Widget

    from tests.support.app_under_test import Driven

TEXT, ROW = 4.5, 1.5

LINE_ROLES = ("", "cursor", "cursor-focused")
"""What a whole line can be."""

OF_THE_TERMINAL = "ansi-"
"""Themes in the terminal's own colours, of which nobody knows how they look."""

LOOKED_AT = ["calm", "calm-light", "textual-dark", "textual-light", "nord", "solarized-light"]

SYSTEMS = {"truecolor": ColorSystem.TRUECOLOR, "256": ColorSystem.EIGHT_BIT}

VGA = TerminalTheme(
    (0, 0, 0),
    (170, 170, 170),
    [(170 * (n & 1), 170 * (n >> 1 & 1), 170 * (n >> 2)) for n in range(8)],
    [(85 + 170 * (n & 1), 85 + 170 * (n >> 1 & 1), 85 + 170 * (n >> 2)) for n in range(8)],
)
XTERM = TerminalTheme(
    (0, 0, 0),
    (229, 229, 229),
    [
        *((0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0)),
        *((0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229)),
    ],
    [
        *((127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0)),
        *((92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255)),
    ],
)
PALETTES = (VGA, XTERM)
"""What terminals draw sixteen colours as: the narrowest of them is what has to do."""

PACKAGE = Path(tfdbg_tui.__file__).parent


def unreadable(
    driven: Driven,
    system: ColorSystem = ColorSystem.TRUECOLOR,
    palette: TerminalTheme | None = None,
    region: Region | None = None,
) -> list[str]:
    """Text on the screen with too little contrast, or in a part of it: the rest may be veiled."""
    x, y, width, height = region or driven.app.screen.region
    return [
        f"{cells.text.strip()!r} {cells.contrast:.2f}"
        for line in drawn(driven, system, palette)[y : y + height]
        for cells in between(line, x, x + width)
        if cells.is_text and cells.contrast < TEXT
    ]


def assert_legible(
    driven: Driven, system: ColorSystem, palette: TerminalTheme | None = None
) -> None:
    """All text can be read, and every chosen row is seen."""
    about = f"{driven.app.theme}, {system.name}"
    assert unreadable(driven, system, palette) == [], about
    rows = list(chosen_rows(driven, system, palette))
    assert rows, about
    assert [row for row in rows if row.contrast < ROW] == [], about


async def put_on(driven: Driven, theme: str) -> None:
    driven.app.theme = theme
    await driven.settle()


@pytest.mark.parametrize("colours", SYSTEMS)
async def test_what_is_drawn_can_be_read(frozen: Path, colours: str) -> None:
    async with opened(frozen, WIDE, colours=colours) as driven:
        await driven.press("!")
        for theme in LOOKED_AT:
            await put_on(driven, theme)
            focused = [row.focused for row in chosen_rows(driven)]
            assert any(focused)
            assert not all(focused)
            assert_legible(driven, SYSTEMS[colours])


async def test_one_pane_and_what_lies_over_it_can_be_read(frozen: Path) -> None:
    async with opened(frozen, SMALL) as driven:
        for key in "!s?d/":
            await driven.press(key)
            for theme in ("calm-light", "solarized-light"):
                await put_on(driven, theme)
                dialog = driven.app.screen.query("#chooser")
                region = dialog.first().region if dialog else driven.app.screen.region
                assert unreadable(driven, region=region) == [], f"{theme}, {key}"
            await driven.press("escape")


def ratio(style: Style) -> float:
    """The contrast of a style."""
    colours = style.color, style.bgcolor
    one, other = (colour.get_truecolor() for colour in colours if colour is not None)
    return contrast(one, other)


def kinds(screen: Screen[Any]) -> list[Widget]:
    """The widgets that draw in roles, those that look alike once."""
    widgets = [*screen.query(LinePane), *screen.query(Bar), *screen.query(Prompt)]
    looks = {
        (widget.rich_style, isinstance(widget, Bar), widget.has_focus): widget for widget in widgets
    }
    return list(looks.values())


async def test_every_role_can_be_read_wherever_it_may_stand(frozen: Path) -> None:
    async with opened(frozen, SMALL) as driven:
        await driven.press("!")
        before = driven.lines()
        for theme in themes():
            await put_on(driven, theme)
            assert driven.lines() == before, theme
            if theme.startswith(OF_THE_TERMINAL):
                continue
            widgets = kinds(driven.app.screen)
            assert {widget.has_focus for widget in widgets} == {True, False}
            for widget, role, line_role in product(widgets, ROLES, LINE_ROLES):
                if line_role and not isinstance(widget, RowList):
                    continue  # it never draws that
                told = f"{role} {line_role} of {widget} in {theme}"
                assert ratio(style_of(widget, role, line_role)) >= TEXT, told


@pytest.mark.parametrize("theme", [theme.name for theme in OWN])
async def test_sixteen_colours_are_enough(frozen: Path, theme: str) -> None:
    async with opened(frozen, WIDE, Config(theme=theme), colours="standard") as driven:
        await driven.press("!")
        for palette in PALETTES:
            assert_legible(driven, ColorSystem.STANDARD, palette)


async def test_a_theme_of_many_shades_is_drawn_in_sixteen_colours(frozen: Path) -> None:
    async with opened(frozen, SMALL, colours="standard") as driven:
        for theme in ("nord", "solarized-light"):
            await put_on(driven, theme)
            assert_legible(driven, ColorSystem.STANDARD, VGA)


async def test_without_colours_what_is_chosen_is_seen(
    frozen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(frozen, WIDE, no_color=True) as driven:
        await driven.press("!")
        strips = driven.app.screen._compositor.render_strips()
        coloured = [
            segment
            for strip in strips
            for segment in strip
            if segment.style is not None
            and segment.style.color is not None
            and not segment.style.color.is_default
        ]
        assert coloured == []
        rows = list(chosen_rows(driven))
        assert all(row.text.startswith("▸ ") for row in rows)
        assert all("reverse" in row.tells for row in rows if row.focused)
        assert all("underline" in row.tells for row in rows if not row.focused)


@pytest.mark.parametrize("colours", ["truecolor", "standard"])
async def test_a_cause_and_what_follows_from_it_look_and_read_differently(
    frozen: Path, colours: str
) -> None:
    async with opened(frozen, WIDE, colours=colours) as driven:
        await driven.press("!", "3")
        cells = [cells for line in drawn(driven) for cells in line]
        causes = {cells.colour for cells in cells if cells.text.startswith("! ")}
        followers = [cells for cells in cells if "~ NaN" in cells.text]
        assert followers
        assert causes.isdisjoint(cells.colour for cells in followers)
        assert not any("bold" in cells.tells for cells in followers)


def test_no_colour_is_named_but_in_the_theme() -> None:
    named = re.compile(r"#[0-9a-fA-F]{6}\b|\brgb\(|ansi_(?!color|theme)\w+|Style\((?!\))")
    found = {
        (str(path.relative_to(PACKAGE)), match.group())
        for path in PACKAGE.rglob("*.py")
        for match in named.finditer(path.read_text(encoding="utf-8"))
        if path.name != "theme.py"
    }
    # A notebook has no theme of ours.
    assert found == {("widgets/roles.py", "Style("), ("library/notebook.py", "#c62828")}


def test_the_style_sheet_has_colours_by_name_and_each_role_once() -> None:
    sheet = (PACKAGE / "app.tcss").read_text(encoding="utf-8")
    values = re.findall(r"(?:color|background(?:-tint)?|border(?:-top)?):\s*([^;]+);", sheet)
    words = {word for value in values for word in value.split()}
    shapes = {"none", "round", "heavy", "ascii", "60%"}
    assert {word for word in words - shapes if not word.startswith("$")} == {"ansi_default"}
    assert sorted(re.findall(r"^\.role--([\w-]+)", sheet, re.MULTILINE)) == sorted(ROLES)


def test_a_style_in_css_of_a_widget_names_no_colour() -> None:
    sheets = [
        css
        for path in PACKAGE.rglob("*.py")
        for css in re.findall(r'CSS = ("""[\s\S]*?"""|"[^"]*")', path.read_text(encoding="utf-8"))
    ]
    assert sheets
    assert [css for css in sheets if re.search(r"color:|background:", css)] == []
