"""tfdbg's commands, typed into the real app in a real terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.command_under_test import app, settle

if TYPE_CHECKING:
    from pathlib import Path


def test_a_session_of_commands_is_typed(frozen: Path, tmp_path: Path) -> None:
    written = tmp_path / "bad.txt"
    with app(frozen) as terminal:
        settle(terminal)
        terminal.type(":lt -n Log\r")
        terminal.wait_for("12 tensors of 235 recorded ones")
        terminal.type("/inf\r")
        terminal.wait_for("7 of 12")
        terminal.wait_quiet()  # by then all names are sorted
        terminal.type(":li -r Softm\t\r")
        terminal.wait_for("inputs of Softmax:0")
        terminal.type(f":lt -f has_inf_or_nan > {written}\r")
        terminal.wait_for("Written to")
        terminal.type(":wibble\r")
        terminal.wait_for("neither a place such as #52")
        terminal.press("escape")
        terminal.press("q")
        terminal.wait_for("q Quit")
        terminal.type(":exit\r")
        assert terminal.wait_exit() == 0
    assert "-inf 1,312" in written.read_text(encoding="utf-8")
