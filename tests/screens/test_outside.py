"""The world outside: the editor and the clipboard."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.recordings.fabricate import frame, split
from tests.recordings.freeze import PROGRAM
from tests.recordings.neutral import PROGRAM_PATH
from tests.support.app_under_test import WIDE, opened
from tfdbg_tui import editor
from tfdbg_tui.app import TfdbgApp
from tfdbg_tui.data.records.debug_event_schema import parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOG_LINE = 1 + PROGRAM.split("\n").index("    diff = -labels * tf.math.log(probs)")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What the editor was asked to open; no editor is run and the terminal stays."""
    opened_at: list[tuple[str, int]] = []

    def run(path: str, line: int) -> str | None:
        opened_at.append((path, line))
        return None

    @contextmanager
    def suspend(app: TfdbgApp) -> Iterator[None]:
        yield

    monkeypatch.setattr(editor, "run", run)
    monkeypatch.setattr(TfdbgApp, "suspend", suspend)
    return opened_at


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """The frozen program as a file of this machine."""
    path = tmp_path / "train.py"
    path.write_text(PROGRAM)
    return path


@pytest.fixture
def recording(frozen: Path, tmp_path: Path, program: Path) -> Path:
    """The frozen recording, recorded from that file."""
    logdir = shutil.copytree(frozen, tmp_path / "logdir")
    (sources,) = logdir.glob("*.source_files")
    records = [parse(payload) for _, payload in split(sources)]
    for event in filter(None, records):
        if event.source_file.file_path == PROGRAM_PATH.encode():
            event.source_file.file_path = str(program).encode()
    sources.write_bytes(b"".join(frame(event.SerializeToString()) for event in records if event))
    return logdir


async def test_the_editor_opens_the_line(
    recording: Path, program: Path, calls: list[tuple[str, int]]
) -> None:
    async with opened(recording) as driven:
        await driven.press("!", "o")
        assert calls == [(str(program), LOG_LINE)]
        assert driven.told == ""
        await driven.press("7", "g", "o")
        assert calls[1:] == [(str(program), 1)]


async def test_a_file_that_has_changed_is_opened_and_that_is_said(
    recording: Path, program: Path, calls: list[tuple[str, int]]
) -> None:
    program.write_text("import sys\n" + PROGRAM)
    async with opened(recording) as driven:
        await driven.press("!", "o")
        assert calls == [(str(program), LOG_LINE)]
        assert "has changed since it was recorded" in driven.told


async def test_a_file_of_another_machine_is_not_opened(
    frozen: Path, calls: list[tuple[str, int]]
) -> None:
    async with opened(frozen) as driven:
        await driven.press("!", "o")
        assert calls == []
        assert driven.told == f"{PROGRAM_PATH} is not on this machine."


async def test_an_editor_that_fails_is_told_of(
    recording: Path, calls: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    sentence = "emacz cannot be started (no such file or directory); set $EDITOR to an editor."
    monkeypatch.setattr(editor, "run", lambda path, line: sentence)
    async with opened(recording) as driven:
        await driven.press("!", "o")
        assert driven.told == sentence


async def test_the_name_is_copied(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!", "y")
        assert driven.app.clipboard == "Log:0"
        assert driven.told == "Copied Log:0"
        await driven.click_text("probs:0", "graph")
        await driven.press("y")
        assert driven.app.clipboard == "probs:0"
