"""The README says what the program does: its keys, its picture, its commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.readme import PICTURE, README, ROOT, at_first_nan, lines_in, with_commands, with_keys
from tfdbg_tui.commands.help import RUN_HELP

if TYPE_CHECKING:
    from pathlib import Path


def readme() -> str:
    return README.read_text(encoding="utf-8")


def test_the_keys_are_those_of_the_program() -> None:
    assert with_keys(readme()) == readme(), "python -m tests.readme writes them anew"


def test_the_commands_are_those_that_are_defined() -> None:
    assert with_commands(readme()) == readme(), "python -m tests.readme writes them anew"


async def test_the_picture_shows_the_app_at_the_first_nan(tmp_path: Path) -> None:
    shown, _ = await at_first_nan(tmp_path)
    kept = PICTURE.read_text(encoding="utf-8")
    assert lines_in(kept) == shown, "python -m tests.readme takes it anew"
    assert f"({PICTURE.relative_to(ROOT)})" in readme()


def test_the_picture_asks_nobody_for_anything() -> None:
    kept = PICTURE.read_text(encoding="utf-8")
    assert "url(http" not in kept
    assert "@font-face" not in kept
    assert "<script" not in kept


def test_the_options_of_run_are_told() -> None:
    options = [word for word in RUN_HELP.split() if word.startswith("--")]
    assert {option for option in options if option != "--ascii,"} <= set(
        readme().replace("`", " ").split()
    )


def test_the_two_commands_come_first() -> None:
    first, second = "pip install . && tfdbg-tui demo", "pip install '.[test]' && pytest"
    assert 0 < readme().index(first) < readme().index(second)
