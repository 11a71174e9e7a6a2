"""The view: panes by number, tab and mouse, zoom, layers, sizes, looks, pausing."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from tests.support.app_under_test import SMALL, WIDE, Driven, opened
from tfdbg_tui.config import Config
from tfdbg_tui.screens.pane_names import DETAILS, LISTS, PANES

if TYPE_CHECKING:
    from pathlib import Path

    from textual.strip import Strip

    from tests.recordings.record import Library

SIZES = [(160, 48), (80, 24), (120, 30), (119, 30), (60, 20), (60, 15), (59, 20), (50, 12), (20, 6)]


def shown(driven: Driven) -> list[str]:
    """The panes that have a place on the screen."""
    return [name for name in PANES if driven.panes.pane(name).region.area]


async def test_panes_by_number_and_by_tab(frozen: Path) -> None:
    async with opened(frozen) as driven:
        for number, name in enumerate(PANES, 1):
            await driven.press(str(number))
            assert driven.focused == name
            assert name in shown(driven)
            assert len(shown(driven)) == 2, "one list above one detail"
        for name in PANES:
            await driven.press("tab")
            assert driven.focused == name
        for name in reversed(PANES[:-1]):
            await driven.press("shift+tab")
            assert driven.focused == name


async def test_tabs_and_panes_by_mouse(frozen: Path) -> None:
    async with opened(frozen) as driven:
        for title, name in (("2 Exec", "executions"), ("6 Stack", "stack"), ("5 Graph", "graph")):
            await driven.click_text(title)
            assert driven.focused == name
        assert shown(driven) == ["executions", "graph"]
        region = driven.region("executions")
        await driven.click(region.x + 5, region.y + 4)
        assert driven.focused == "executions"


async def test_all_panes_are_on_a_wide_screen_and_any_is_focused_by_a_click(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        others = [name for name in PANES if name != "stack"]
        assert shown(driven) == others, "the stack stands in a title"
        assert "6 Stack: loss:20" in "".join(driven.lines())
        for name in others:
            region = driven.region(name)
            await driven.click(region.right - 4, region.bottom - 1)
            if driven.app.screen is not driven.main:
                await driven.press("escape")
            assert driven.focused == name


async def test_zoom_gives_a_pane_the_screen_and_back(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        before = driven.lines_of("traces")
        await driven.press("z")
        assert shown(driven) == ["traces"]
        assert "zoomed" in driven.lines()[4]
        assert "▸" in "".join(driven.lines_of("traces"))
        await driven.press("5")
        assert shown(driven) == ["graph"], "another pane takes over the screen"
        await driven.press("z")
        assert "graph" in shown(driven)
        await driven.press("7", "3", "z", "escape")
        assert driven.lines_of("traces") == before
        assert "tf.math.log" in "".join(driven.lines_of("source"))


def layers(driven: Driven) -> list[str]:
    """What can be left, the uppermost first."""
    standing = {
        "help": driven.app.screen is not driven.main,
        "zoom": driven.panes.zoomed is not None,
        "filter": driven.navigator.filter is not None,
        "search": driven.navigator.search is not None,
        "following": driven.main.session.following.is_on,
    }
    return [name for name, stands in standing.items() if stands]


async def test_escape_and_q_leave_one_layer_at_a_time(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("3", "/")
        await driven.write("Log", "enter", "&")
        await driven.write("fn:loss", "enter")
        await driven.press("f", "z", "?")
        for leave in ("escape", "q", "escape", "q", "escape"):
            before = layers(driven)
            await driven.press(leave)
            assert layers(driven) == before[1:], f"{leave} leaves the uppermost one"
        assert not driven.has_quit
        await driven.press("escape")
        assert not driven.has_quit, "escape never quits"
        await driven.press("q")
        assert driven.has_quit


@pytest.mark.parametrize("key", ["ctrl+c", "ctrl+q"])
async def test_control_keys_quit_at_once(frozen: Path, key: str) -> None:
    async with opened(frozen) as driven:
        await driven.press("z", key)
        assert driven.has_quit


@pytest.mark.parametrize("layer", ["/", ":", "?", "s"])
async def test_interrupting_a_layer_leaves_it(frozen: Path, layer: str) -> None:
    async with opened(frozen) as driven:
        await driven.press(layer, "ctrl+c")
        assert not driven.has_quit
        assert driven.app.screen is driven.main
        assert not driven.main.view.prompt.display


async def test_every_size_works_and_fits(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        for size in SIZES:
            await driven.resize(*size)
            for number in "1234567":
                await driven.press(number)
                assert driven.focused == PANES[int(number) - 1]
                assert_fits(driven)


@pytest.mark.parametrize("size", [SMALL, (60, 20), (20, 6)], ids=str)
async def test_what_lies_over_the_panes_fits_every_size(
    frozen: Path, size: tuple[int, int]
) -> None:
    async with opened(frozen, size) as driven:
        for key in ("?", "s", "r", "ctrl+p"):
            await driven.press(key)
            assert_fits(driven)
            await driven.press("escape")
        await driven.press("/")
        await driven.write("x" * 200)
        assert_fits(driven)


def assert_fits(driven: Driven) -> None:
    """Every line is as wide as the screen."""
    width, height = driven.app.size
    assert [cell_len(line) for line in driven.lines()] == [width] * height


async def test_resizing_keeps_the_place(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!", "n", "n")
        chosen = driven.chosen
        for size in (*SIZES, SMALL):
            await driven.resize(*size)
            assert driven.chosen == chosen
            assert driven.focused in PANES
            focused = driven.panes.pane(str(driven.focused))
            assert focused.region.area
            pane = driven.panes.traces
            if "traces" in shown(driven) and size[1] > 6:
                assert pane.cursor is not None
                assert pane.top <= pane.cursor < pane.top + pane.body_height
        assert driven.focused == "traces"


async def test_a_small_terminal_shows_one_pane_and_says_so(frozen: Path) -> None:
    async with opened(frozen, (50, 12)) as driven:
        assert len(shown(driven)) == 1
        assert "small" in driven.lines()[2]
        for number, name in enumerate(PANES, 1):
            await driven.press(str(number))
            assert shown(driven) == [name]
        await driven.resize(*SMALL)
        assert len(shown(driven)) == 2, "a larger terminal has room for two again"


async def test_looking_at_a_detail_in_a_small_terminal_is_no_zoom(frozen: Path) -> None:
    async with opened(frozen, (50, 12)) as driven:
        await driven.press("7", "escape")
        assert shown(driven)[0] in (*LISTS, *DETAILS)
        await driven.press("q")
        assert driven.has_quit, "there is no layer to leave"


@pytest.mark.parametrize("theme", ["calm", "textual-light"])
async def test_the_theme_of_the_settings_is_taken(frozen: Path, theme: str) -> None:
    async with opened(frozen, config=Config(theme=theme)) as driven:
        assert driven.app.theme == theme


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=str)
async def test_ascii_draws_nothing_else(frozen: Path, size: tuple[int, int]) -> None:
    async with opened(frozen, size, Config(ascii=True)) as driven:
        for key in ("!", *"1234567", "u", "z", "z", "2", "c", "?"):
            await driven.press(key)
            odd = [line for line in driven.lines() if not line.isascii()]
            assert odd == [], f"after {key}"
        await driven.press("escape")
        for key in ("s", "r", "ctrl+p", "/"):
            await driven.press(key)
            odd = [line for line in driven.lines() if not line.isascii()]
            assert odd == [], f"after {key}"
            await driven.press("escape")
        await driven.press("7")
        assert "> " in "".join(driven.lines_of("source"))


async def test_without_colours_nothing_is_told_by_colour_alone(frozen: Path) -> None:
    async with opened(frozen, WIDE, no_color=True) as driven:
        await driven.press("!")
        assert "▸" in "".join(driven.lines_of("traces"))
        assert "! -inf" in driven.row("traces")
        assert driven.lines_of("health")[0].startswith("! ")


async def test_library_frames_unfold_by_key_and_by_click(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!")
        folded = driven.panes.stack.row_count
        await driven.press("u")
        unfolded = driven.panes.stack.row_count
        assert unfolded > folded
        assert "train.py:20" in driven.row("stack"), "the chosen frame stays chosen"
        await driven.press("u")
        assert driven.panes.stack.row_count == folded
        await driven.click_text("library frames", "stack")
        assert driven.panes.stack.row_count == unfolded
        await driven.press("u", "6", "G", "enter")
        assert driven.panes.stack.row_count == unfolded


async def test_eager_ops_of_one_line_collapse(library: Library) -> None:
    async with opened(library.path("eager_only"), WIDE) as driven:
        rows = driven.panes.executions.row_count
        await driven.press("2", "j", "j", "j")
        chosen = driven.chosen
        await driven.press("c")
        await driven.until(lambda: driven.panes.executions.row_count < rows)
        assert "×" in "".join(driven.lines_of("executions"))
        assert "one row" in driven.told
        assert driven.chosen == chosen
        assert driven.panes.executions.cursor is not None
        await driven.press("c")
        assert driven.panes.executions.row_count == rows
        assert driven.row("executions").split()[1] == str(chosen.execution)


@pytest.mark.parametrize(("size", "home"), [(WIDE, "timeline"), (SMALL, "executions")])
async def test_the_strip_zooms_around_the_selection(
    frozen: Path, size: tuple[int, int], home: str
) -> None:
    async with opened(frozen, size) as driven:
        await driven.press("!", "2")
        whole = driven.lines_of(home)[0]
        await driven.press("+")
        closer = driven.lines_of(home)[0]
        assert closer != whole
        await driven.press("minus")
        assert driven.lines_of(home)[0] == whole
        await driven.press(*"+" * 15)
        assert "~" in driven.lines_of(home)[0], "the call has ended later than its cause"
        await driven.press(*["minus"] * 20)
        assert driven.lines_of(home)[0] == whole


async def test_the_timeline_tells_steps_and_points_at_the_first_bad_tensor(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        signs, axis = driven.lines_of("timeline")
        assert axis.split()[:2] == ["step", "1"]
        assert axis.split()[-2:] == ["step", "12"]
        assert "▲ step 7, first NaN or Inf" in axis
        assert signs[axis.index("▲")] == "!", "it points at the cause"
        assert signs.count("!") == 1
        assert "~" in signs
        assert "~" not in signs[: axis.index("▲")]


async def test_the_graph_gets_deeper_and_shallower(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!", "5")
        rows = [driven.panes.graph.row_count]
        for key in ("+", "+", "minus", "minus", "minus", "minus"):
            await driven.press(key)
            rows.append(driven.panes.graph.row_count)
            assert "Log" in driven.row("graph"), "the cursor stays on the selection"
        assert rows[1] > rows[0]
        assert rows[3] == rows[1]
        assert rows[5] < rows[0]
        assert rows[6] == rows[5], "one step is the least"


async def test_the_wheel_scrolls_the_pane_under_it(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!")
        tops = {name: driven.panes.pane(name).top for name in PANES}
        region = driven.region("source")
        await driven.wheel(region.x + 3, region.y + 3, 1)
        changed = [name for name in PANES if driven.panes.pane(name).top != tops[name]]
        assert changed == ["source"]
        assert driven.focused == "traces"
        assert driven.chosen.trace == 60


async def test_the_mouse_can_be_given_to_the_terminal(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("m")
        assert "off" in driven.told
        await driven.press("m")
        assert "on" in driven.told


async def test_keys_that_go_elsewhere_move_no_pane_and_paint_no_timeline_that_says_the_same(
    frozen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("3")
        panes = driven.panes
        before = {name: panes.pane(name).region for name in panes.names}
        painted = []
        draw = panes.timeline.render_line

        def render_line(y: int) -> Strip:
            painted.append(y)
            return draw(y)

        monkeypatch.setattr(panes.timeline, "render_line", render_line)
        marked = [panes.timeline._strip._here]
        for key in ("n", "n", "down", "N", "G", "g", "down", "down"):
            await driven.press(key)
            marked.append(panes.timeline._strip._here)
            assert {name: panes.pane(name).region for name in panes.names} == before
        changes = sum(one != other for one, other in pairwise(marked))
        assert 0 < len(painted) <= 2 * changes, "both rows, where another part is marked"
