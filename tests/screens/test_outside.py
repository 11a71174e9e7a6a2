"""The world outside: the editor and the clipboard."""

from __future__ import annotations

import os
import shutil
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.recordings.fabricate import frame, split
from tests.recordings.freeze import PROGRAM
from tests.recordings.neutral import PROGRAM_PATH
from tests.support.app_under_test import WIDE, opened
from tfdbg_tui import editor
from tfdbg_tui.app import TfdbgApp
from tfdbg_tui.config import Config
from tfdbg_tui.data.records.debug_event_schema import parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
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
    rename(logdir, PROGRAM_PATH, str(program))
    return logdir


def rename(logdir: Path, recorded: str, name: str, lines: list[str] | None = None) -> None:
    """Have a recorded source file be another file, with other lines if there are any."""
    (sources,) = logdir.glob("*.source_files")
    records = [parse(payload) for _, payload in split(sources)]
    for event in filter(None, records):
        if event.source_file.file_path == recorded.encode():
            event.source_file.file_path = name.encode()
            if lines is not None:
                del event.source_file.lines[:]
                event.source_file.lines.extend(line.encode() for line in lines)
    sources.write_bytes(b"".join(frame(event.SerializeToString()) for event in records if event))


async def test_the_editor_opens_the_line(
    recording: Path, program: Path, calls: list[tuple[str, int]]
) -> None:
    async with opened(recording) as driven:
        await driven.press("!", "o")
        await driven.until(lambda: calls)
        assert calls == [(str(program), LOG_LINE)]
        assert driven.told == ""
        await driven.press("7", "g", "o")
        await driven.until(lambda: len(calls) > 1)
        assert calls[1:] == [(str(program), 1)]


async def test_a_file_that_has_changed_is_opened_only_when_asked_again(
    recording: Path, program: Path, calls: list[tuple[str, int]]
) -> None:
    program.write_text("import sys\n" + PROGRAM)
    question = f"{program} has changed since it was recorded; lines may differ. o again opens it."
    async with opened(recording) as driven:
        for keys in (("!", "o"), ("j", "k", "o")):  # another key takes the question back
            await driven.press(*keys)
            await driven.until(lambda: driven.told == question)
            assert calls == []
        await driven.press("o")
        await driven.until(lambda: calls)
        assert calls == [(str(program), LOG_LINE)]
        assert driven.told == ""
        await driven.press("o")
        await driven.until(lambda: driven.told == question)
        assert len(calls) == 1


async def test_the_question_names_the_key_that_the_user_has_mapped(
    recording: Path, program: Path, calls: list[tuple[str, int]]
) -> None:
    program.write_text("import sys\n" + PROGRAM)
    async with opened(recording, config=Config(keys={"do.edit": "f7"})) as driven:
        await driven.press("!", "f7")
        await driven.until(lambda: driven.told.endswith(" f7 again opens it."))
        await driven.press("f7")
        await driven.until(lambda: calls)


async def test_a_file_whose_text_was_not_recorded_is_opened_only_when_asked_again(
    recording: Path, program: Path, tmp_path: Path, calls: list[tuple[str, int]]
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("of this machine")
    rename(recording, str(program), str(secret), lines=[])
    async with opened(recording) as driven:
        await driven.press("!", "o")
        await driven.until(lambda: "lies outside what was recorded as source" in driven.told)
        assert calls == []
        await driven.press("o")
        await driven.until(lambda: calls)
        assert calls == [(str(secret), LOG_LINE)]


async def test_a_relative_path_is_not_looked_for_where_we_are(
    recording: Path,
    program: Path,
    calls: list[tuple[str, int]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(program.parent)
    rename(recording, str(program), program.name)
    async with opened(recording) as driven:
        await driven.press("!", "o")
        await driven.until(lambda: driven.told)
        assert driven.told == f"{program.name} cannot be found: its folder was not recorded."
        await driven.press("o")
        await driven.until(lambda: driven.told)
        assert calls == []


async def test_a_pipe_is_not_waited_for(
    recording: Path, program: Path, calls: list[tuple[str, int]]
) -> None:
    program.unlink()
    os.mkfifo(program)
    async with opened(recording) as driven:
        await driven.press("!", "o")
        await driven.until(lambda: driven.told)
        assert driven.told == f"{program} is no file of text; it is not opened."
        assert calls == []


async def test_a_slow_file_system_keeps_no_key_waiting_and_opens_nothing_out_of_the_blue(
    recording: Path, calls: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, compared = threading.Event(), threading.Event()
    difference = editor.difference

    def wait(path: str, recorded: Sequence[str] | None) -> editor.Difference | None:
        answer.wait()
        compared.set()
        return difference(path, recorded)

    monkeypatch.setattr(editor, "difference", wait)
    async with opened(recording) as driven:
        await driven.press("!", "o")
        await driven.until(lambda: driven.told == "Waiting for the file system.")
        await driven.press("o")
        assert driven.told == "Waiting for the file system."
        await driven.press("7", "g")
        assert driven.panes.source.cursor == 0
        answer.set()
        await driven.until(compared.is_set)
        await driven.press("j", "o")
        await driven.until(lambda: calls)
        assert [line for _, line in calls] == [2]


async def test_a_file_of_another_machine_is_not_opened(
    frozen: Path, calls: list[tuple[str, int]]
) -> None:
    async with opened(frozen) as driven:
        await driven.press("!", "o")
        await driven.until(lambda: driven.told)
        assert calls == []
        assert driven.told == f"{PROGRAM_PATH} is not on this machine."


async def test_an_editor_that_fails_is_told_of(
    recording: Path, calls: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    sentence = "emacz cannot be started (no such file or directory); set $EDITOR to an editor."
    monkeypatch.setattr(editor, "run", lambda path, line: sentence)
    async with opened(recording) as driven:
        await driven.press("!", "o")
        await driven.until(lambda: driven.told == sentence)


@pytest.mark.parametrize(
    ("name", "copied"),
    [
        (
            "evil\n; rm -rf ~\r\x1b]52;c;ZXZpbA==\x07",
            r"evil\x0a; rm -rf ~\x0d\x1b]52;c;ZXZpbA==\x07",
        ),
        ("a\u2028b\x85c\u202ed\udcffe", r"a\u2028b\x85c\u202ed\udcffe"),
        ("scope/" * 2_000 + "Log:0", "scope/" * 2_000 + "Log:0"),
    ],
)
async def test_one_line_of_clean_text_is_copied(frozen: Path, name: str, copied: str) -> None:
    async with opened(frozen) as driven:
        await driven.press("!")
        driven.main.view.details.name = name
        driven.main.action_copy()
        assert driven.app.clipboard == copied
        assert driven.told == f"Copied {copied}"
        driven.main.view.details.name = "x" * 1_000_000
        driven.main.action_copy()
        assert driven.app.clipboard == copied
        assert driven.told == "A name this long is not copied."


async def test_the_name_is_copied(frozen: Path) -> None:
    async with opened(frozen, WIDE) as driven:
        await driven.press("!", "y")
        assert driven.app.clipboard == "Log:0"
        assert driven.told == "Copied Log:0"
        await driven.click_text("probs ", "graph")
        await driven.press("y")
        assert driven.app.clipboard == "probs:0"
