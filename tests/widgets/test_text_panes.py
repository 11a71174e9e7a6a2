"""Panes of text, written for the width they have: notices, help, source lines."""

from __future__ import annotations

import pytest

from tests.support.texts import NAMES
from tests.support.tiny import bare_lines, mounted
from tfdbg_tui.data.index.line_index import LineFacts
from tfdbg_tui.screens.dialogs.help import HelpPane
from tfdbg_tui.screens.dialogs.help_text import PANE_HELP
from tfdbg_tui.screens.keys import BINDINGS
from tfdbg_tui.screens.pane_names import PANES
from tfdbg_tui.widgets.highlight import HighlightedSource
from tfdbg_tui.widgets.notice_pane import NoticePane
from tfdbg_tui.widgets.pieces import Pieces, width_of
from tfdbg_tui.widgets.source_pane import SourcePane
from tfdbg_tui.widgets.source_rows import SourceLine

WIDTHS = range(20, 161, 5)


def assert_fits(lines: list[Pieces], width: int) -> None:
    wide = [line for line in lines if width_of(line) > width]
    assert not wide, f"wider than {width}: {wide}"


def test_a_notice_stands_in_the_middle_and_fits() -> None:
    pane = NoticePane()
    code = ("tf.debugging.experimental.enable_dump_debug_info(", '    "/tmp/logdir")')
    pane.show("Waiting for /tmp/logdir", ("It does not exist yet. " * 4,), code)
    for width in (60, 80, 160):
        lines = pane.write(width)
        assert_fits(lines, width)
        text = ["".join(piece.text for piece in line) for line in lines]
        assert any("Waiting for /tmp/logdir" in line for line in text)
        assert any(line.strip() == code[0] for line in text)


def test_code_of_a_notice_is_whole_however_long_a_path_is() -> None:
    pane = NoticePane()
    code = f'    "/tmp/{"long/" * 40}logdir")'
    pane.show("Waiting", ("It does not exist yet.",), (code,))
    for width in WIDTHS:
        lines = pane.write(width)
        assert_fits(lines, width)
        text = ["".join(piece.text for piece in line[2:]) for line in lines]
        assert "".join(text).endswith(code)


async def test_the_height_that_a_notice_wants_is_its_own() -> None:
    pane = NoticePane()
    pane.show("Waiting", ("It does not exist yet. " * 9,), ("code",))
    wanted = {width: pane.wanted_height(width) for width in (30, 76)}
    assert wanted[30] > wanted[76]
    for height in (6, 40):
        async with mounted(pane_like(pane), (32, height)) as hands:
            (shown,) = hands.app.query(NoticePane)
            assert {width: shown.wanted_height(width) for width in (30, 76)} == wanted


def pane_like(pane: NoticePane) -> NoticePane:
    other = NoticePane()
    other.show(*pane._told)
    return other


@pytest.mark.parametrize("name", [name for name in NAMES if name])
def test_a_notice_about_any_path_fits(name: str) -> None:
    pane = NoticePane()
    pane.show(f"Waiting for {name}", ("It does not exist yet.",), ())
    for width in WIDTHS:
        assert_fits(pane.write(width), width)


@pytest.mark.parametrize("pane", PANES)
async def test_help_has_every_key_and_scrolls(pane: str) -> None:
    help_pane = HelpPane(pane, lambda binding: binding.key)
    async with mounted(help_pane, (90, 20)) as hands:
        seen = set(bare_lines(hands))
        assert " ".join(PANE_HELP[pane])[:40] in " ".join(line.strip() for line in hands.lines())
        while help_pane.top < help_pane.last_top:
            await hands.press("pagedown")
            seen |= set(bare_lines(hands))
        text = "\n".join(seen)
        missing = [b.id for b in BINDINGS if (b.tooltip or b.description) not in text]
        assert missing == []
        await hands.press("g")
        assert help_pane.top == 0


def source_line(number: int, line_facts: LineFacts | None = None) -> str:
    pane = SourcePane()
    told = {} if line_facts is None else {number: line_facts}
    pane.show_source(HighlightedSource(["x = 1"] * 120), told, 7)
    return "".join(piece.text for piece in pane.draw(SourceLine(number), 60))


def test_the_gutter_counts_ops_and_bad_ones() -> None:
    assert source_line(5).split() == ["5", "x", "=", "1"]
    assert source_line(5, LineFacts(5, 12, 12, 0, 0, 0)).split()[:2] == ["5", "12"]
    assert source_line(5, LineFacts(5, 12, 12, 3, 99, 99)).split()[:2] == ["5", "~3"]
    assert source_line(5, LineFacts(5, 123_456, 0, 0, 0, 0)).split()[1] == "many"
    widths = {source_line(n).index("x") for n in (5, 120)}
    assert len(widths) == 1, "the text of all lines begins in one column"
