"""What the system really denies, seen by a user without rights: root is denied nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tfdbg_tui.commands.outcome import BAD, CANNOT_READ

if TYPE_CHECKING:
    from collections.abc import Callable

NOBODY = 65534
ROOT = Path(__file__).parents[2]

# Everything is imported before the rights are given up: nobody may not even read the interpreter.
AS_NOBODY = f"""
import argparse, importlib, json, os, pkgutil, resource, sys, tempfile
sys.path.insert(0, {str(ROOT)!r})
from tfdbg_tui.cli import main
from tfdbg_tui.data.records.debug_event_schema import message_class
for room in ("commands", "data", "record", "verdict"):
    folder = os.path.join({str(ROOT)!r}, "tfdbg_tui", room)
    for found in pkgutil.walk_packages([folder], f"tfdbg_tui.{{room}}."):
        importlib.import_module(found.name)
message_class("DebugEvent")
stderr, sys.stderr = sys.stderr, None
main(["check", "/there is no such folder"])
sys.stderr = stderr
if os.getuid() == 0:
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
sys.exit(main(sys.argv[1:]))
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "setuid"), reason="needs POSIX users")


def reachable(logdir: Path) -> Path:
    """A recording that everybody can reach from now on."""
    for folder in (logdir, *logdir.parents):
        if folder == Path(folder.anchor) or folder.stat().st_uid != os.getuid():
            break
        folder.chmod(folder.stat().st_mode | 0o055)
    for file in logdir.iterdir():
        file.chmod(0o644)
    return logdir


@pytest.fixture
def recording(copy_of: Callable[[str], Path]) -> Path:
    return reachable(copy_of("full_health"))


def check_as_nobody(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", AS_NOBODY, "check", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")


def test_a_reader_without_rights_of_its_own_reads_what_it_may(recording: Path) -> None:
    done = check_as_nobody(recording)
    assert (done.returncode, done.stderr) == (BAD, "")


def test_a_directory_without_permission_is_one_sentence(recording: Path) -> None:
    recording.chmod(0)
    done = check_as_nobody(recording)
    recording.chmod(0o755)
    assert (done.returncode, done.stdout) == (CANNOT_READ, "")
    assert done.stderr.count("\n") == 1
    assert "permission denied" in done.stderr


def test_a_folder_below_that_is_denied_is_named_and_the_others_are_judged(recording: Path) -> None:
    denied = recording / "denied"
    denied.mkdir(mode=0)
    done = check_as_nobody(recording)
    denied.chmod(0o755)
    assert done.returncode == BAD
    assert f"not searched: {denied} (permission denied)." in done.stderr


@pytest.mark.parametrize("suffix", ["execution", "graphs", "source_files"])
def test_a_denied_file_is_named_and_the_rest_is_told(recording: Path, suffix: str) -> None:
    (file,) = recording.glob(f"*.{suffix}")
    file.chmod(0)
    done = check_as_nobody(recording)
    assert done.returncode == BAD
    assert f"{file} cannot be read (permission denied)." in done.stderr
    assert "Log:0" in done.stdout


def test_a_healthy_recording_with_a_denied_file_is_no_success(
    copy_of: Callable[[str], Path],
) -> None:
    logdir = reachable(copy_of("healthy"))
    (file,) = logdir.glob("*.source_files")
    file.chmod(0)
    done = check_as_nobody(logdir)
    assert done.returncode == CANNOT_READ
    assert "CLEAN" in done.stdout


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    script, logdir = tmp_path / "x.py", tmp_path / "logdir"
    script.write_text("")
    logdir.mkdir(mode=0o755)
    reachable(logdir)
    for wanted in (logdir, logdir / "new" / "folder"):
        words = ["run", "--headless", "--logdir", str(wanted), str(script)]
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, *words],
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
        )
        sentence = f"tfdbg-tui: cannot record to {wanted}: permission denied.\n"
        assert (done.returncode, done.stderr) == (CANNOT_READ, sentence)
