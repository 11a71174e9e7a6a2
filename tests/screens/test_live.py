"""A recording that grows: following moves with it, otherwise nothing moves and +N grows."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.support.app_under_test import SMALL, WIDE, Driven, opened
from tests.support.growing import Growing
from tfdbg_tui.data.stores.event_kind import EventKind
from tfdbg_tui.screens.pane_names import PANES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library
    from tfdbg_tui.data.search.search import Search


@pytest.fixture
def growing(frozen: Path, tmp_path: Path) -> Growing:
    """The first events of the frozen run."""
    return Growing(frozen, tmp_path / "logdir", blocks=2)


def unseen(driven: Driven) -> int:
    """The number that the status line shows behind +."""
    found = re.search(r"\+([\d,]+)", driven.status)
    return int(found[1].replace(",", "")) if found else 0


def lengths(driven: Driven) -> tuple[int, int]:
    """How many traces and executions have been read."""
    index = driven.navigator.index
    assert index is not None
    return len(index.host.traces), len(index.host.executions)


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=str)
async def test_nothing_moves_under_the_user_and_the_badge_grows(
    growing: Growing, size: tuple[int, int]
) -> None:
    async with opened(growing.path, size) as driven:
        await driven.press("3", "G", "k")
        chosen, rows = driven.chosen.node, driven.panes.traces.row_count
        before = {name: driven.lines_of(name) for name in ("traces", "source")}
        badges = [unseen(driven)]
        while not growing.is_whole:
            growing.grow(2)
            await driven.until(lambda: unseen(driven) > badges[-1] or growing.is_whole)
            badges.append(unseen(driven))
            assert driven.chosen.node == chosen
            assert driven.panes.traces.row_count == rows
            assert driven.lines_of("traces") == before["traces"]
            assert driven.focused == "traces"
        assert len(badges) > 2
        assert badges == sorted(badges)
        await driven.until(lambda: lengths(driven) == (108, 127))
        await driven.until(lambda: unseen(driven) == sum(lengths(driven)) - sum(shown(driven)))
        await driven.press("G")
        assert driven.chosen.trace == 107
        assert driven.panes.traces.row_count == 108


async def test_a_list_that_was_scrolled_away_from_its_cursor_stays_there(growing: Growing) -> None:
    growing.grow(2)
    async with opened(growing.path, WIDE) as driven:
        await driven.press("3", "G")
        assert driven.chosen.execution is None, "its call is not on disk yet"
        region = driven.region("traces")
        await driven.wheel(region.x + 5, region.y + 5, -5)
        before, top = driven.lines_of("traces"), driven.panes.traces.top
        growing.start()
        await driven.until(lambda: driven.chosen.execution is not None)
        assert driven.panes.traces.top == top
        assert driven.lines_of("traces") == before


def shown(driven: Driven) -> tuple[int, int]:
    """How many rows the lists show."""
    return driven.panes.traces.row_count, driven.panes.executions.row_count


async def test_following_stays_at_the_newest_event(growing: Growing) -> None:
    async with opened(growing.path, WIDE) as driven:
        await driven.press("3", "f")
        assert "following" in driven.status
        assert driven.chosen.trace == lengths(driven)[0] - 1
        writer = growing.start()
        seen = set()
        while driven.chosen.trace != 107:
            await driven.until(lambda: driven.chosen.trace not in seen)
            seen.add(driven.chosen.trace)
            trace = driven.chosen.trace
            assert trace is not None
            assert driven.row("traces").split()[1] == str(trace)
            pane = driven.panes.traces
            assert pane.cursor is not None
            assert pane.top <= pane.cursor < pane.top + pane.body_height
        writer.join()
        assert unseen(driven) == 0
        assert driven.focused == "traces"
        assert "#107" in driven.panes.health.subject


async def test_following_shows_the_newest_calls_before_that_of_the_tensor_is_there(
    growing: Growing,
) -> None:
    growing.grow(2)
    async with opened(growing.path, WIDE) as driven:
        await driven.press("3", "f")
        assert driven.chosen.execution is None, "its call is not on disk yet"
        pane = driven.panes.executions
        assert pane.row_count > pane.body_height
        assert pane.top + pane.body_height == pane.row_count


async def test_who_never_asked_to_follow_has_no_layer_to_leave(growing: Growing) -> None:
    async with opened(growing.path, follow=True, greeting="Hello.") as driven:
        assert driven.told == "Hello."
        assert "following" in driven.status
        assert driven.focused == "traces"
        assert driven.chosen.trace == lengths(driven)[0] - 1
        await driven.press("escape")
        assert driven.main.session.following.is_on
        assert driven.told == ""
        await driven.press("f", "f", "q")
        assert not driven.main.session.following.is_on, "the user did ask for this"
        assert not driven.has_quit
        await driven.press("q")
        assert driven.has_quit


async def test_following_executions(growing: Growing) -> None:
    async with opened(growing.path) as driven:
        await driven.press("2", "f")
        assert driven.chosen.kind is EventKind.EXECUTION
        growing.start()
        await driven.until(lambda: driven.chosen.execution == 126)
        assert driven.panes.executions.row_count == 127


@pytest.mark.parametrize("key", ["k", "g", "pageup", "f", "escape", "!"])
async def test_leaving_the_end_stops_following(growing: Growing, key: str) -> None:
    growing.grow(3)
    async with opened(growing.path) as driven:
        await driven.press("3", "f")
        await driven.until(lambda: driven.is_loaded)
        await driven.press(key)
        assert not driven.main.session.following.is_on
        assert "following" not in driven.status
        chosen = driven.chosen.trace
        growing.start()
        await driven.until(lambda: lengths(driven) == (108, 127))
        assert driven.chosen.trace == chosen


async def test_leaving_the_end_wins_over_news_that_come_at_the_same_moment(
    growing: Growing,
) -> None:
    async with opened(growing.path) as driven:
        await driven.press("3", "f")
        last = driven.chosen.trace
        assert last is not None
        assert driven.main.session.snapshot is not None
        driven.panes.traces.action_move(-1)
        driven.main.show_snapshot(driven.main.session.snapshot)
        await driven.settle()
        assert driven.chosen.trace == last - 1
        assert not driven.main.session.following.is_on


async def test_pausing_stops_reading_until_it_goes_on(growing: Growing) -> None:
    async with opened(growing.path) as driven:
        await driven.press("3", "f", "space")
        await driven.until(lambda: "PAUSED" in driven.status)
        before = lengths(driven)
        growing.grow(100)
        assert growing.is_whole
        for key in "jkjkgG12345673":
            await driven.press(key)
        assert lengths(driven) == before
        assert "PAUSED" in driven.status
        await driven.press("space")
        await driven.until(lambda: lengths(driven) == (108, 127))
        assert "PAUSED" not in driven.status


async def test_alerts_that_were_scrolled_stay_where_they_are(growing: Growing) -> None:
    async with opened(growing.path) as driven:
        growing.grow(5)
        await driven.until(lambda: driven.panes.alerts.row_count >= 12)
        assert not growing.is_whole
        await driven.press("1", "g", "j")
        region = driven.region("alerts")
        await driven.wheel(region.x + 5, region.y + 5, 9)
        top = driven.panes.alerts.top
        assert top > 1
        growing.start()
        await driven.until(lambda: "! 117" in driven.status)
        assert driven.panes.alerts.top == top


async def test_alerts_grow_while_the_cursor_stays_on_its_site(growing: Growing) -> None:
    growing.grow(4)
    async with opened(growing.path, WIDE) as driven:
        await driven.until(lambda: driven.panes.alerts.row_count > 3)
        await driven.press("1", "g", "j", "j")
        site = driven.row("alerts").split()[1]
        growing.start()
        await driven.until(lambda: "117 from 1 cause" in driven.panes.alerts.title_text)
        assert driven.row("alerts").split()[1] == site
        assert "! 117" in driven.status


def finders(driven: Driven) -> list[Search | None]:
    """The search and the filter."""
    return [driven.navigator.search, driven.navigator.filter]


async def test_what_comes_late_completes_the_rows_in_view(frozen: Path, tmp_path: Path) -> None:
    names = ("graphs", "stack_frames", "source_files")
    growing = Growing(frozen, tmp_path / "logdir", blocks=0, growing=names)
    async with opened(growing.path, WIDE) as driven:
        await driven.press("3", ":")
        await driven.write("#60", "enter")
        assert driven.row("traces").split()[1:3] == ["60", "Log:0"], "no graph is on disk yet"
        assert "train.py" not in "".join(driven.lines())
        growing.start()
        await driven.until(lambda: growing.is_whole and driven.is_loaded)
        await driven.until(lambda: "Stack: loss:20" in "".join(driven.lines()))
        shown = {name: "\n".join(driven.lines_of(name)) for name in PANES}
        assert re.search("loss +Log +Log ", shown["traces"])
        assert "train.py:33" in shown["executions"]
        assert "tf.math.log" in shown["source"]
        assert "→ mul  ~ NaN" in shown["graph"]
        assert "7-12" in shown["alerts"], "steps are known by the functions"


async def test_a_search_and_a_filter_go_on_with_what_comes(growing: Growing) -> None:
    async with opened(growing.path) as driven:
        await driven.press("3", "/")
        await driven.write("Softmax", "enter", "&")
        await driven.write("fn:model", "enter")
        growing.start()
        await driven.until(lambda: lengths(driven) == (108, 127))
        await driven.until(lambda: all(found and found.is_done for found in finders(driven)))
        await driven.press("G")
        assert driven.row("traces").split()[1:4] == ["103", "Softmax", "Softmax"]
        await driven.press("N")
        assert driven.chosen.trace == 94


async def test_a_logdir_that_comes_later_is_shown(frozen: Path, tmp_path: Path) -> None:
    logdir = tmp_path / "later"
    async with opened(logdir, loaded=False) as driven:
        await driven.until(lambda: "Waiting for" in "".join(driven.lines()))
        assert "enable_dump_debug_info" in "".join(driven.lines())
        shutil.copytree(frozen, logdir)
        await driven.until(lambda: driven.is_loaded and driven.panes.display)
        await driven.press("!")
        assert driven.chosen.trace == 60


async def test_the_first_bad_tensor_can_be_asked_for_before_it_is_there(growing: Growing) -> None:
    async with opened(growing.path, first_bad=True) as driven:
        assert driven.chosen.trace != 60
        growing.start()
        await driven.until(lambda: driven.chosen.trace == 60)
        assert driven.focused == "traces"
        assert "tf.math.log" in driven.row("source")


async def test_who_asks_too_early_for_the_first_bad_tensor_gets_there(growing: Growing) -> None:
    async with opened(growing.path) as driven:
        await driven.press("!")
        assert driven.told == "No NaN or Inf so far; this goes there when one comes."
        growing.start()
        await driven.until(lambda: driven.chosen.trace == 60)
        assert "tf.math.log" in driven.row("source")


async def test_who_does_something_else_stays_there(growing: Growing) -> None:
    async with opened(growing.path) as driven:
        await driven.press("!", "2")
        chosen = driven.chosen
        growing.start()
        await driven.until(lambda: "first NaN or Inf has come" in driven.told)
        assert driven.chosen.execution == chosen.execution
        assert driven.focused == "executions"


async def test_an_earlier_bad_tensor_that_comes_later_is_gone_to(
    frozen: Path, tmp_path: Path
) -> None:
    for leave in (False, True):
        logdir = tmp_path / f"logdir {leave}"
        growing = Growing(frozen, logdir, blocks=0, growing=("graph_execution_traces",))
        async with opened(logdir, WIDE) as driven:
            await driven.press("!")
            assert driven.chosen.kind is EventKind.EXECUTION
            if leave:
                await driven.press("j")
            chosen = driven.chosen.execution
            growing.start()
            await driven.until(lambda: lengths(driven)[0] == 108)
            if leave:
                await driven.settle()
                assert driven.chosen.execution == chosen
            else:
                await driven.until(lambda: driven.chosen.trace == 60)
                assert driven.focused == "traces"
                assert driven.told == "More is known by now: this is the first cause."


async def test_a_run_can_be_asked_for_by_its_id(library: Library) -> None:
    logdir = library.path("two_runs")
    async with opened(logdir) as driven:
        assert driven.main.session.snapshot is not None
        first, last = (state.run.run_id or "" for state in driven.main.session.snapshot.runs)
        assert last[:8] in driven.status
    async with opened(logdir, run_id=first[:6]) as driven:
        assert first[:8] in driven.status
