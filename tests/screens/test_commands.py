"""Commands typed in the app: their pages, by keys and by mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.app_under_test import SMALL, WIDE, Driven, opened
from tfdbg_tui.config import Config
from tfdbg_tui.kept.of_session import KeptOfSession
from tfdbg_tui.kept.typed_lines import LineKeeper
from tfdbg_tui.screens.dialogs.result_page import ResultScreen

if TYPE_CHECKING:
    from pathlib import Path


def page(driven: Driven) -> ResultScreen:
    screen = driven.app.screen
    assert isinstance(screen, ResultScreen)
    return screen


def rows(driven: Driven) -> list[str]:
    return driven.lines_of("result-rows")


def words(driven: Driven) -> str:
    return driven.lines_of("result-words")[0]


async def type_command(driven: Driven, line: str) -> None:
    await driven.press(":")
    await driven.write(line, "enter")
    await driven.settle()


async def open_page(driven: Driven, line: str) -> None:
    await type_command(driven, line)
    await driven.until(lambda: isinstance(driven.app.screen, ResultScreen))
    await driven.settle()


async def at_rest(driven: Driven) -> None:
    """Wait until the page has been sorted and searched."""
    await driven.until(lambda: not page(driven).look.working)
    await driven.settle()


async def test_a_command_opens_a_page_that_is_left_as_everything_is(frozen: Path) -> None:
    async with opened(frozen) as driven:
        before = driven.lines()
        await open_page(driven, "lt -n Log")
        assert driven.lines()[0].startswith(" :lt -n Log  12 tensors of 235")
        assert rows(driven)[0].split()[:3] == ["time", "size", "op"]
        assert words(driven).strip().startswith("enter goes to graph tensor #6 ")
        assert words(driven).rstrip().endswith("1 of 12")
        await driven.press("q")
        assert driven.lines() == before


async def test_enter_goes_to_the_tensor_in_all_panes(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await open_page(driven, "lt -n Log")
        await driven.press("j", "j", "enter")
        assert driven.app.screen is driven.main
        assert driven.chosen.trace == 24


async def test_a_click_on_a_name_goes_there_and_elsewhere_moves_the_cursor(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await open_page(driven, "q op:Log nan>0")
        (x, y) = driven.find("#78")
        await driven.click(x, y)
        assert "#78" in words(driven)
        assert page(driven)._rows.cursor == 1
        await driven.click(driven.find("train.py:20")[0], y)
        assert driven.app.screen is driven.main
        assert driven.focused == "source"
        assert driven.chosen.line == 20


async def test_heads_sort_by_a_click_and_keys_do_too(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await open_page(driven, "lt -n Log|Softmax")
        await driven.click(*driven.find("health"))
        await at_rest(driven)
        assert "health↑" in rows(driven)[0]
        assert "NaN" in rows(driven)[1]
        await driven.click(*driven.find("health"))
        await at_rest(driven)
        assert "health↓" in rows(driven)[0]
        assert " ok " in rows(driven)[1]
        await driven.press("s")
        await at_rest(driven)
        assert "by event, " in words(driven)
        await driven.press("S")
        await at_rest(driven)
        assert "event↓" in rows(driven)[0]


async def test_a_search_within_the_page(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await open_page(driven, "lt -n Log")
        await driven.press("/")
        await driven.write("/inf/", "enter")
        await at_rest(driven)
        assert "-inf 1,312" in rows(driven)[1 + (page(driven)._rows.cursor or 0)]
        await driven.press("n")
        await at_rest(driven)
        assert words(driven).startswith(" No later row has /inf/.")
        await driven.press("/")
        await driven.write("(", "enter")
        assert words(driven).startswith(" ( is no pattern: ")


async def test_a_row_is_copied(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await open_page(driven, "lt -n Log")
        await driven.press("y")
        assert driven.app.clipboard.split()[:3] == ["0.023s", "5,000", "Log"]
        assert words(driven).startswith(" Copied 0.023s")


async def test_commands_are_typed_on_from_a_page_and_come_back_to(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await open_page(driven, "help")
        await driven.press("enter")
        await driven.until(lambda: driven.lines()[0].startswith(" :help lt"))
        await type_command(driven, "ri")
        await driven.until(lambda: driven.lines()[0].startswith(" :ri"))
        await driven.press("[")
        assert driven.lines()[0].startswith(" :help lt")
        await driven.press("]")
        assert driven.lines()[0].startswith(" :ri")
        await driven.press(":", "up", "up")
        assert page(driven).prompt.value == ":help lt", "links are typed lines, too"
        await driven.press("escape")
        await type_command(driven, "#52")
        assert driven.app.screen is driven.main
        assert driven.chosen.trace == 52


async def test_an_error_keeps_what_was_typed(frozen: Path) -> None:
    async with opened(frozen) as driven:
        await type_command(driven, "li")
        assert "needs TENSOR" in driven.told
        assert driven.main.view.prompt.value == ":li"
        await driven.write(" nothing:0", "enter")
        await driven.until(lambda: "nothing" in driven.told)
        await driven.settle()
        assert driven.main.view.prompt.value == ":li nothing:0"
        await driven.press("escape")
        await open_page(driven, "ri")
        await type_command(driven, "li")
        assert "needs TENSOR" in words(driven)
        assert page(driven).prompt.value == ":li"


async def test_tab_completes_and_cycles(frozen: Path) -> None:
    async with opened(frozen) as driven:
        prompt = driven.main.view.prompt
        await driven.press(":")
        await driven.until(lambda: driven.is_loaded)
        await driven.write("al", "tab")
        assert prompt.value == ":alerts "
        await driven.press(*["backspace"] * 7)
        await driven.write("li Softm")
        await driven.until(lambda: bool(driven.main.session.commands._names.of("op type")))
        await driven.press("tab")
        assert prompt.value == ":li Softmax:0 "
        await driven.press("escape", ":")
        await driven.write("l", "tab")
        assert driven.lines()[-2].split() == ["li", "lo", "ls", "lt"]
        await driven.press("tab", "tab")
        assert prompt.value == ":lo"
        await driven.press("shift+tab", "shift+tab")
        assert prompt.value == ":l"
        (x, y) = driven.find("ls  lt")
        await driven.click(x, y)
        assert prompt.value == ":ls "
        assert not driven.main.view.candidates.display
        await driven.press("escape", ":", "l", "tab")
        assert driven.main.view.candidates.display
        await driven.press("x")
        assert not driven.main.view.candidates.display


async def test_a_file_is_replaced_when_enter_is_pressed_again(frozen: Path, tmp_path: Path) -> None:
    path = tmp_path / "o.txt"
    path.write_text("mine", encoding="utf-8")
    async with opened(frozen, WIDE) as driven:
        await type_command(driven, f"ri > {path}")
        await driven.until(lambda: "enter replaces it" in driven.told)
        assert path.read_text(encoding="utf-8") == "mine"
        await driven.press("enter")
        await driven.until(lambda: driven.told.startswith("Written to "))
        assert "FULL_HEALTH" in path.read_text(encoding="utf-8")


async def test_what_is_typed_is_there_in_the_next_session(frozen: Path, tmp_path: Path) -> None:
    path = tmp_path / "typed"
    for shown in (":", ":lt -n Log"):
        async with opened(frozen, kept=KeptOfSession(typed=LineKeeper(path))) as driven:
            await driven.press(":", "up")
            assert driven.main.view.prompt.value == shown
            await driven.press("escape")
            await open_page(driven, "lt -n Log")
            await driven.until(path.exists)


async def test_the_settings_in_use_and_the_mouse(frozen: Path) -> None:
    async with opened(frozen, WIDE, Config(theme="nord")) as driven:
        await type_command(driven, "mouse off")
        assert driven.told == "Mouse off: the terminal selects text."
        await open_page(driven, "config")
        told = {line[2:].split()[0]: line.split()[-1] for line in rows(driven)[1:10]}
        assert (told["theme"], told["mouse"]) == ("nord", "off")


@pytest.mark.parametrize("size", [(40, 10), SMALL], ids=str)
async def test_pages_fit_plain_and_small_terminals(frozen: Path, size: tuple[int, int]) -> None:
    async with opened(frozen, size, Config(ascii=True)) as driven:
        for line in ("lt -f bad", "li -r Log:0", "help lt", "ri"):
            await open_page(driven, line)
            text = "\n".join(driven.lines())
            assert text.isascii()
            assert r"\u" not in text
            assert len(driven.lines()) == size[1]
            await driven.press("tab", "right", "left", "G", "escape")
            assert driven.app.screen is driven.main
