"""Completion in a real zsh at a real terminal; bash is asked in `tests/commands`."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.support.terminal import Terminal
from tfdbg_tui.cli import main

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh")

PROMPT = "ready: "


def test_zsh_completes_commands_options_and_their_values(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--print-completion", "zsh"]) == 0
    (tmp_path / "completion").write_text(capsys.readouterr().out)
    (tmp_path / "runs").mkdir()
    settings = {"HOME": str(tmp_path), "ZDOTDIR": str(tmp_path), "PS1": PROMPT, "PROMPT_SP": ""}
    with Terminal(["zsh", "-f", "-i"], columns=100, env=settings) as terminal:
        terminal.wait_for(PROMPT.strip())
        terminal.type(f"cd {tmp_path}; autoload -U compinit; compinit -u -D")
        terminal.press("enter")
        terminal.type('eval "$(<completion)"; echo switched on')  # as the README says
        terminal.press("enter")
        terminal.wait_for(lambda lines: "switched on" in lines)
        for typed, completed in (
            ("tfdbg-tui dem", "tfdbg-tui demo"),
            ("tfdbg-tui check --fail", "tfdbg-tui check --fail-on"),
            ("tfdbg-tui run --mode CON", "tfdbg-tui run --mode CONCISE_HEALTH"),
            ("tfdbg-tui doctor ru", "tfdbg-tui doctor runs/"),
        ):
            terminal.type(typed)
            terminal.press("tab")
            terminal.wait_for(f"{PROMPT}{completed}")
            terminal.press("ctrl+c")
