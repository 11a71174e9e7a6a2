"""A key that has nothing to do says so in a sentence: silence looks like a broken key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.app_under_test import SMALL, WIDE, Driven, opened
from tfdbg_tui.screens.keys import BINDINGS
from tfdbg_tui.screens.pane_names import PANES, TITLES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.recordings.record import Library

LEFT_OUT = {"app.quit", "do.edit", "do.record-values", "view.mouse"}
"""Keys that end the app, or reach outside it."""


async def says(driven: Driven, *keys: str) -> str:
    """What is said after the last of some keys."""
    await driven.press(*keys)
    return driven.told


async def silent(driven: Driven, key: str) -> bool:
    """Whether a key neither says nor shows anything; what it opened is left again."""
    await driven.press("m", "m")  # says something, which goes with the next key
    driven.main.view.tell("")
    await driven.settle()
    before = driven.lines()
    await driven.press(key)
    was_silent = driven.lines() == before and not driven.told
    while driven.app.screen is not driven.main:
        await driven.press("escape")
    if driven.main.view.prompt.display:
        await driven.press("escape")
    return was_silent


async def test_no_key_is_silent_where_nothing_is_recorded(tmp_path: Path) -> None:
    async with opened(tmp_path, SMALL, loaded=False) as driven:
        await driven.until(lambda: driven.main.session.snapshot is not None)
        keys = [key.key.split(",")[0] for key in BINDINGS if key.id not in LEFT_OUT]
        assert [key for key in keys if await silent(driven, key)] == []
        assert await says(driven, "z") == "There are no panes yet: nothing is recorded."
        assert await says(driven, "e") == "Nothing is recorded yet."
        assert await says(driven, "x") == "Nothing is selected."


async def test_no_key_is_silent_in_a_run_without_alerts(library: Library) -> None:
    async with opened(library.path("healthy"), WIDE) as driven:
        await driven.until(lambda: "ENDED" in driven.status)
        keys = [key.key.split(",")[0] for key in BINDINGS if key.id not in LEFT_OUT]
        assert [key for key in keys if await silent(driven, key)] == []
        clean = "No NaN or Inf in 163 events."
        for key in ("e", "E", "!"):
            assert await says(driven, key) == clean
        for key in ("up", "down", "g", "G", "pagedown", "enter", "left", "right"):
            assert await says(driven, "1", key) == clean, key


@pytest.mark.parametrize("size", [SMALL, WIDE], ids=str)
async def test_the_ends_of_lists_say_so(frozen: Path, size: tuple[int, int]) -> None:
    async with opened(frozen, size) as driven:
        await driven.press("!")
        for number, name in enumerate(PANES, 1):
            if name == "health":
                continue
            first, last = f"first row of {TITLES[name]}", f"last row of {TITLES[name]}"
            assert await says(driven, str(number), "g", "up") == f"This is the {first}."
            assert await says(driven, "g") == f"This is the {first}."
            assert await says(driven, "G", "down") == f"This is the {last}."
            assert await says(driven, "pagedown") == f"This is the {last}."
        assert await says(driven, "pageup") == "", "where it moves it says nothing"


async def test_health_that_is_in_view_does_not_scroll(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        assert await says(driven, "!", "4", "z", "down") == "All of Health is in view."
        assert await says(driven, "G") == "All of Health is in view."


async def test_source_says_where_lines_begin_and_end(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        assert await says(driven, "!", "7", "left") == "Lines begin here."
        while not driven.told.startswith("No line"):
            await driven.press("right")
        assert driven.told == "No line in view goes on further."
        assert await says(driven, "left") == ""


async def test_first_and_last_alert_say_so(frozen: Path) -> None:
    async with opened(frozen) as driven:
        assert await says(driven, "!", "E") == "No earlier alert: this is the first of 117."
        alerts = driven.navigator.run
        assert alerts is not None
        driven.navigator.jump_to(alerts.log[len(alerts.log) - 1].ref)
        assert await says(driven, "e") == "Warning 1 of 1: poisoned."
        assert await says(driven, "e") == "No later warning: this is the last."


async def test_back_and_forward_name_where_they_lead(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        assert await says(driven, "n", "[") == "Back at Log #60."
        assert await says(driven, "]") == "Forward to mul #61."
        assert await says(driven, "]") == "Nothing was selected after."
        while driven.told != "Nothing was selected before.":
            await driven.press("[")


async def test_outputs_are_counted_as_their_names_are(library: Library) -> None:
    async with opened(library.path("full_health"), WIDE) as driven:
        index = driven.navigator.index
        assert index is not None
        executions = index.host.executions
        several = next(n for n in range(len(executions)) if executions.site_of(n).tensors == 4)
        await driven.press(":")
        await driven.write(f"#{several}", "enter")
        await driven.press("2", ":")
        await driven.write(f"#{several}", "enter")
        assert driven.chosen.execution == several
        assert "output :0 of 4" in "".join(driven.lines())
        assert (await says(driven, "x")).endswith(": output :1.")
        assert "output :1 of 4" in "".join(driven.lines())
        await driven.press("x", "x", "x")
        assert "output :0 of 4" in "".join(driven.lines())


async def test_a_tensor_without_other_outputs_is_named(frozen: Path) -> None:
    async with opened(frozen) as driven:
        assert await says(driven, "!", "x") == "Log #60 has no other recorded output."


async def test_what_is_scaled_says_how_far(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        assert await says(driven, "2", "-") == "The timeline shows the whole run."
        assert await says(driven, "+") == "The timeline shows 1/4 of the run."
        await driven.press("!")
        assert await says(driven, "5", "-") == "Graph: 1 step up and down."
        assert await says(driven, "-") == "Graph: 1 step up and down at the least."
        assert await says(driven, *["+"] * 6) == "Graph: 6 steps up and down at the most."


async def test_following_a_run_that_has_ended_says_so(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.until(lambda: "ENDED" in driven.status)
        assert await says(driven, "f") == "The program has ended: this is its newest event."
        assert await says(driven, "f") == "No longer following."


async def test_folding_frames_says_so_where_the_stack_is_not_in_view(frozen: Path) -> None:
    async with opened(frozen) as driven:
        assert await says(driven, "!", "z", "u") == "Stack: library frames are shown."
        assert await says(driven, "u") == "Stack: library frames are folded."


async def test_escape_with_nothing_to_leave_and_a_pane_that_has_the_keys(frozen: Path) -> None:
    async with opened(frozen) as driven:
        assert (await says(driven, "escape")).startswith("There is nothing to leave")
        assert await says(driven, "escape") == "", "that takes the sentence away"
        assert await says(driven, "3", "3") == "Graph tensors has the keys already."
        assert (await says(driven, "8")).endswith("shows here what a script prints.")
        assert await says(driven, "1", "left") == ""
        assert await says(driven, "2", "enter") == "", "what leads somewhere says nothing"
