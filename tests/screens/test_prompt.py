"""The prompt: its history, its ways out, and whose the keys are meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events

from tests.support.app_under_test import opened

if TYPE_CHECKING:
    from pathlib import Path


async def test_the_prompt_keeps_what_was_typed(frozen: Path) -> None:
    async with opened(frozen) as driven:
        for text in ("first", "second"):
            await driven.press("/")
            await driven.write(text, "enter")
        await driven.press("/", "up")
        assert driven.main.view.prompt.value == "/second"
        await driven.press("up")
        assert driven.main.view.prompt.value == "/first"
        await driven.press("down", "down")
        assert driven.main.view.prompt.value == "/"
        await driven.press("escape", ":", "up")
        assert driven.main.view.prompt.value == ":", "each purpose has its own"


async def test_the_prompt_is_left_by_escape_or_by_deleting_its_sign(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("4")
        before = driven.lines()
        await driven.press("/")
        await driven.write("Log", "escape")
        assert driven.lines() == before
        assert driven.focused == "health"
        await driven.press("/", "backspace")
        assert not driven.main.view.prompt.display
        assert driven.focused == "health"
        assert driven.navigator.search is None


async def test_keys_are_text_while_something_is_typed(frozen: Path) -> None:
    async with opened(frozen) as driven:
        before = driven.chosen
        await driven.press("/")
        await driven.write("17q!fz[]ues:&/? x")
        assert driven.main.view.prompt.value == "/17q!fz[]ues:&/? x"
        assert driven.chosen == before
        assert not driven.has_quit


async def test_keys_typed_behind_a_search_go_on_from_its_match(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("3", "g")
        await driven.write("/softmax", "enter")
        first = driven.chosen.trace or 0
        await driven.press("escape", "g")
        for key in (*"/softmax", "enter", *"nn"):
            driven._send_key(key)
        await driven.until(lambda: driven.chosen.trace == first + 18)
        for key in (*"&op:Log", "enter", "G"):
            driven._send_key(key)
        traces = driven.panes.traces
        await driven.until(lambda: traces.cursor == traces.row_count - 1)
        assert " Log " in driven.row("traces")


async def test_a_prompt_that_has_lost_the_keys_is_left_by_escape(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("/", "g")
        driven.main.set_focus(None)  # as Textual does when it hides what had the keys
        await driven.press("escape")
        assert not driven.main.view.prompt.display
        await driven.press("!")
        assert driven.focused == "traces"
        await driven.press("/", "g")
        driven.main.set_focus(None)
        await driven.press("4")
        assert driven.focused == "health", "or by going somewhere"
        assert not driven.main.view.prompt.display


async def test_a_terminal_without_the_focus_keeps_what_is_typed(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await driven.press("/", "g")
        driven.app.post_message(events.AppBlur())
        await driven.settle()
        await driven.press("5")
        assert driven.main.view.prompt.value == "/g5"
        await driven.press("escape")
        assert not driven.main.view.prompt.display
