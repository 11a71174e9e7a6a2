"""The one-line widgets: both ends, tabs and keys, in any width, clickable where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len
from textual.containers import Vertical

from tests.support.hands import Hands
from tests.support.painting import PaintedApp
from tests.support.texts import NAMES, WIDE
from tfdbg_tui.screens.coloured_app import ColouredApp
from tfdbg_tui.widgets.bars import Bar, StatusBar, Tab, TabBar
from tfdbg_tui.widgets.key_bar import KeyBar, KeyHint
from tfdbg_tui.widgets.message_line import MessageLine
from tfdbg_tui.widgets.pieces import Piece, Pieces, width_of

if TYPE_CHECKING:
    from textual.app import ComposeResult

HINTS = (
    KeyHint("!", "First NaN", "app.note('first')"),
    KeyHint("n", "Next", "app.note('next')", 0, 4),
    KeyHint("^p", "Palette", "app.note('palette')", 0, 9),
)
TABS = (Tab("alerts", "1 Alerts 12", True), Tab("traces", f"3 {WIDE}"), Tab("source", "7 [/x]"))


def text(pieces: Pieces) -> str:
    return "".join(piece.text for piece in pieces)


class BarApp(ColouredApp, PaintedApp):
    """Bars one below the other; notes what they report."""

    def __init__(self, *bars: Bar) -> None:
        super().__init__()
        self._bars = bars
        self.noted: list[str] = []

    def compose(self) -> ComposeResult:
        """Only the bars."""
        yield Vertical(*self._bars)

    def action_note(self, word: str) -> None:
        """Note what a key does."""
        self.noted.append(word)

    def on_tab_bar_clicked(self, event: TabBar.Clicked) -> None:
        """Note a tab."""
        self.noted.append(event.pane)


def test_the_left_of_a_status_gives_way_to_the_right() -> None:
    bar = StatusBar()
    bar.show([Piece(" tfdbg /tmp/logdir/of/a/run")], [Piece(" LIVE ! 508 ", "bad")])
    for width in range(12, 60):
        assert text(bar.pieces(width)).endswith(" LIVE ! 508 ")
        assert width_of(bar.pieces(width)) == width


def test_as_many_keys_as_fit_are_shown_whole() -> None:
    bar = KeyBar()
    bar.show(HINTS)
    assert text(bar.pieces(80)).split() == ["!", "First", "NaN", "n", "Next", "^p", "Palette"]
    assert text(bar.pieces(22)).split() == ["!", "First", "NaN", "n", "Next"]
    assert text(bar.pieces(14)).split() == ["!", "First", "NaN"]
    assert text(bar.pieces(5)) == ""


def test_what_matters_least_goes_first_and_groups_are_told_apart() -> None:
    bar = KeyBar()
    hints = [KeyHint("!", "First", "", 0, 1), KeyHint("o", "Open", "", 1, 5)]
    bar.show((*hints, KeyHint("?", "Help", "", 2), KeyHint("q", "Quit", "", 2)))
    assert text(bar.pieces(80)) == " ! First │ o Open │ ? Help  q Quit "
    assert text(bar.pieces(30)) == " ! First │ ? Help  q Quit "
    assert text(bar.pieces(16)) == " ? Help  q Quit "


def test_what_else_a_tab_counts_gives_way_before_the_counts_of_others() -> None:
    tabs = TabBar()
    titles = ("1 Alerts 117 from 1 cause, 1 warning", "2 Executions 127", "3 Graph tensors 108")
    tabs.show(tuple(Tab(title[0], title) for title in titles), "1", True)
    assert text(tabs.pieces(80)).split("  ")[0].strip() == titles[0]
    shorter = text(tabs.pieces(66))
    assert "1 Alerts 117 from 1 cause " in shorter
    assert "warning" not in shorter
    assert "2 Executions 127" in shorter
    assert "3 Graph tensors 108" in shorter


def test_a_sentence_has_a_row_of_its_own() -> None:
    bar = MessageLine()
    assert bar.told is None
    assert not bar.display
    bar.tell("No later alert.", "warn")
    assert bar.told == "No later alert."
    assert bar.display
    assert text(bar.pieces(80)).strip() == "No later alert."
    bar.tell("")
    assert bar.told is None
    assert not bar.display


async def test_keys_and_tabs_are_clicked_where_they_stand() -> None:
    keys, tabs = KeyBar("keys"), TabBar("tabs")
    app = BarApp(tabs, keys)
    async with app.run_test(size=(60, 4)) as pilot:
        hands = Hands(app, pilot)
        keys.show(HINTS)
        tabs.show(TABS, "alerts", True, [Piece("zoomed ", "dim")])
        await hands.settle()
        for word in ("First NaN", "Next", "^p", "1 Alerts", "損", "[/x]"):
            line = next(line for line in hands.lines() if word in line)
            await hands.click(cell_len(line[: line.index(word)]), hands.lines().index(line))
        assert app.noted == ["first", "next", "palette", "alerts", "traces", "source"]
        await hands.click(50, 0)
        await hands.click(55, 1)
        assert len(app.noted) == 6, "blanks and notes are no keys"


@pytest.mark.parametrize("width", [20, 47, 80, 160])
async def test_bars_with_any_name_are_exactly_as_wide_as_the_screen(width: int) -> None:
    bars = [StatusBar(), TabBar(), MessageLine()]
    app = BarApp(*bars)
    async with app.run_test(size=(width, 4)) as pilot:
        hands = Hands(app, pilot)
        for name in NAMES:
            bars[0].show([Piece(f" tfdbg {name}")], [Piece(" ! 1 ")])  # type: ignore[attr-defined]
            bars[1].show((Tab("a", name), Tab("b", name)), "a", True)  # type: ignore[attr-defined]
            bars[2].tell(name, "warn")  # type: ignore[attr-defined]
            await hands.settle()
            assert [cell_len(line) for line in hands.lines()] == [width] * 4
            assert all(line.isprintable() for line in hands.lines())
