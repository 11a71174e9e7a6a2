"""What nobody thought of: one sentence, an exit code of its own, the details in a file."""

from __future__ import annotations

import errno
import os
import tempfile
from typing import TYPE_CHECKING

import pytest

from tests.recordings.freeze import FROZEN
from tfdbg_tui import cli
from tfdbg_tui.cli import main
from tfdbg_tui.commands.outcome import CRASHED

if TYPE_CHECKING:
    from pathlib import Path

    from tfdbg_tui.commands.outcome import Outcome


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Have every command fail in a way that it does not know of."""

    def fail(options: object) -> Outcome:
        raise error

    monkeypatch.setattr(cli, "command", lambda name: fail)


@pytest.mark.parametrize("command", ["check", "doctor", "demo"])
@pytest.mark.parametrize("kind", [ValueError, RecursionError, KeyError, OSError])
def test_a_bug_is_one_sentence_and_no_verdict(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    command: str,
    kind: type[Exception],
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    failing(monkeypatch, kind("the reason\x1b[2J"))
    logdir = [] if command == "demo" else [str(FROZEN)]
    assert main([command, *logdir]) == CRASHED == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "Traceback" not in printed.err
    [log] = tmp_path.iterdir()
    assert printed.err.endswith(f"Details are in {log}\n")
    assert f"{kind.__name__}: " in log.read_text()


def test_without_memory_there_are_no_details(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    failing(monkeypatch, MemoryError())
    assert main(["check", str(FROZEN)]) == CRASHED
    assert "not enough memory" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_without_room_for_the_details_the_error_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*args: object, **more: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
    failing(monkeypatch, ZeroDivisionError("by zero"))
    assert main(["check", str(FROZEN)]) == CRASHED
    assert "It was ZeroDivisionError" in capsys.readouterr().err
