"""A hundred and twenty runs where the system allows a program few open files."""

from __future__ import annotations

import json
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.recordings.freeze import FROZEN
from tests.support.command_under_test import COMMAND, SETTINGS, finished, is_chosen, settle
from tests.support.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

RUNS = 120
FILES_ALLOWED = 128

LIMIT_FILES = """
import os, resource, sys
allowed, taken = map(int, sys.argv[1:3])
for _ in range(taken):
    os.set_inheritable(os.open(os.devnull, os.O_RDONLY), True)
resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, allowed))
os.execv(sys.argv[3], sys.argv[3:])
"""


def limited(*words: str | Path, taken: int = 0) -> list[str]:
    """The command where few files may be open, and the program before it left some open."""
    numbers = [str(FILES_ALLOWED), str(taken)]
    return [sys.executable, "-c", LIMIT_FILES, *numbers, *COMMAND, *map(str, words)]


@pytest.fixture(scope="module")
def many_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The frozen recording many times; links, so that nothing is written."""
    folder = tmp_path_factory.mktemp("many")
    first = shutil.copytree(FROZEN, folder / "a first one")
    for number in range(1, RUNS):
        shutil.copytree(first, folder / f"run {number:03}", copy_function=os.link)
    return folder


def without_directories(verdict: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**run, "directory": ""} for run in verdict["runs"]]


def test_check_reads_them_all(many_runs: Path) -> None:
    told = finished(limited("check", "--json", many_runs))
    assert (told.returncode, told.stderr) == (1, "")
    alone = finished([*COMMAND, "check", "--json", str(FROZEN)])
    assert without_directories(json.loads(told.stdout)) == RUNS * without_directories(
        json.loads(alone.stdout)
    )


def test_doctor_reads_them_all(many_runs: Path) -> None:
    told = finished(limited("doctor", "--json", many_runs))
    assert (told.returncode, told.stderr) == (0, "")
    assert len(json.loads(told.stdout)["runs"]) == RUNS
    assert "cannot be read" not in told.stdout


def test_the_app_shows_any_of_them_and_what_it_imports_late(many_runs: Path) -> None:
    with Terminal(limited(many_runs), columns=120, rows=40, env=SETTINGS) as terminal:
        lines = settle(terminal)
        assert f"run {RUNS}/{RUNS}" in lines[0]
        terminal.press("!")
        terminal.wait_for(is_chosen("20", "!2", "diff = -labels"))
        terminal.press("r")
        terminal.wait_for("235 ! 117")
        terminal.type("first")
        terminal.wait_for(is_chosen("1 b9a2519f", "first"))
        terminal.press("enter")  # its files were closed long ago
        terminal.wait_for(f"run 1/{RUNS}")
        terminal.press("!")
        terminal.wait_for(is_chosen("60 loss", "Log ", "! -inf 1,312"))
        terminal.press("?")
        terminal.wait_for("escape closes")
        descriptors = os.listdir(f"/proc/{terminal.pid}/fd")  # noqa: PTH208 - counts, not paths
        assert len(descriptors) < FILES_ALLOWED - FILES_ALLOWED // 4
        terminal.press("escape")
        terminal.press("q")
        assert terminal.wait_exit() == 0


@pytest.mark.parametrize("command", ["check", "doctor"])
def test_where_others_have_most_of_the_files_the_rest_will_do(frozen: Path, command: str) -> None:
    told = finished(limited(command, frozen, taken=FILES_ALLOWED - 20))
    assert (told.returncode, told.stderr) == (0 if command == "doctor" else 1, "")
    assert told.stdout == finished([*COMMAND, command, str(frozen)]).stdout


@pytest.mark.parametrize("taken", [FILES_ALLOWED - 6, FILES_ALLOWED - 12])
@pytest.mark.parametrize("command", ["check", "doctor"])
def test_where_others_have_nearly_all_a_sentence_says_so(
    frozen: Path, command: str, taken: int
) -> None:
    told = finished(limited(command, frozen, taken=taken))
    assert (told.returncode, told.stdout) == (2, "")
    [sentence] = told.stderr.splitlines()
    assert "more files can be opened" in sentence
    assert "ulimit -n" in sentence
