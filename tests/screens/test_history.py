"""One tensor over all its computations, over the panes, by keys and by mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.app_under_test import SMALL, WIDE, Driven, opened
from tfdbg_tui.config import Config
from tfdbg_tui.data.views import tensor_history
from tfdbg_tui.screens.dialogs.history import HistoryScreen

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library


def shown(driven: Driven) -> list[str]:
    return driven.lines_of("history-rows")


def words(driven: Driven) -> str:
    return driven.lines_of("history-words")[0]


def is_read(driven: Driven) -> bool:
    """Whether all that the page shows has been read back."""
    page = driven.main.session.looks.history.page(driven.app.screen._rows.room)  # type: ignore[attr-defined]
    return driven.is_loaded and page is not None and not page.is_reading


async def open_history(driven: Driven) -> None:
    await driven.press("h")
    assert isinstance(driven.app.screen, HistoryScreen)
    await driven.until(lambda: "Looking" not in "".join(shown(driven)))
    await driven.until(lambda: is_read(driven))
    await driven.settle()


async def test_one_key_shows_how_the_tensor_went(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        await open_history(driven)
        rows = shown(driven)
        assert rows[0].split() == ["step", *map(str, range(1, 13))]
        assert rows[2].split() == ["outcome", *"······iNNNNN"]
        assert any(line.strip().startswith("-inf") and "1,312 26%" in line for line in rows)
        assert "  ok 6×, then inf 1×, then NaN 5×" in rows
        assert words(driven).startswith(" #60, step 7: -inf 1,312  - 3,688")
        assert words(driven).endswith("7 of 12, 6 bad")


@pytest.mark.parametrize("leave", ["escape", "q", "h"])
async def test_leaving_changes_nothing(frozen: Path, leave: str) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        before = driven.chosen
        await open_history(driven)
        await driven.press("right", "n", leave)
        assert driven.app.screen is driven.main
        assert driven.chosen == before


async def test_a_computation_is_gone_to_in_all_panes(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        await open_history(driven)
        await driven.press("home", "right", "enter")
        assert driven.app.screen is driven.main
        index = driven.navigator.index
        assert index is not None
        assert driven.chosen.trace is not None
        assert index.steps.step_of(index.host.traces.wall_time(driven.chosen.trace)) == 2
        assert "Log" in driven.row("traces")


async def test_clicks_put_the_cursor_and_go_there(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!")
        await open_history(driven)
        x, y = driven.find("N", "history-rows")
        await driven.click(x, y)
        assert words(driven).startswith(" #69, step 8: NaN")
        await driven.click(x, y)
        assert driven.app.screen is driven.main
        assert driven.chosen.trace == 69


async def test_bad_ones_are_walked_and_the_ends_say_so(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        await open_history(driven)
        await driven.press("n")
        assert "step 8" in words(driven)
        await driven.press("N", "N")
        assert words(driven).startswith(" No bad computation before this one.")
        await driven.press("-")
        assert words(driven).startswith(" These are all computations.")


async def test_what_is_found_later_is_read_too(
    frozen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tensor_history, "ROWS_PER_SLICE", 9)
    async with opened(frozen) as driven:
        await driven.press("!")
        await open_history(driven)
        negative = next(line for line in shown(driven) if line.startswith("  negative"))
        assert len(negative.split("█")) > 12, "a bar for each column that has any"


async def test_what_was_computed_once_is_one_list(frozen: Path) -> None:
    async with opened(frozen) as driven:
        driven.navigator.select_execution(5)
        await open_history(driven)
        text = "\n".join(shown(driven))
        assert "computed once" in text
        assert "outcome" not in text


async def test_values_give_magnitudes_and_no_mode_is_blamed_for_nothing(library: Library) -> None:
    async with opened(library.path("full_tensor"), WIDE) as driven:
        await driven.press("!")
        await open_history(driven)
        text = "\n".join(shown(driven))
        assert "|x|" in text
        assert "mean -" in text
    async with opened(library.path("curt_health")) as driven:
        await driven.press("!")
        await open_history(driven)
        text = "\n".join(shown(driven))
        assert "|x|" not in text
        assert "FULL_HEALTH counts" in text


@pytest.mark.parametrize("size", [(40, 10), (50, 12), SMALL, WIDE], ids=str)
@pytest.mark.parametrize("ascii_only", [False, True])
async def test_every_size_and_every_terminal_shows_it(
    frozen: Path, size: tuple[int, int], ascii_only: bool
) -> None:
    async with opened(frozen, size, Config(ascii=ascii_only)) as driven:
        await driven.press("!")
        await open_history(driven)
        lines = driven.lines()
        assert any("NNNNN" in line.replace(" ", "") for line in lines)
        assert not ascii_only or all(line.isascii() for line in lines)
        for key in ("down", "end", "home", "n", "N", "+", "-"):
            await driven.press(key)
        assert isinstance(driven.app.screen, HistoryScreen)
