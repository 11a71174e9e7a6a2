"""What `tfdbg-tui run` leaves on disk: its own, for its owner alone, and nobody else's changed."""

from __future__ import annotations

import os
import stat
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.support.command_under_test import app, quick_command, run_headless
from tests.support.running_scripts import script

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

COMPUTES = "import tensorflow as tf\ntf.math.log(tf.constant(1.0))\n"


@pytest.fixture
def _no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def headless(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return run_headless(*words, cwd=cwd, command=quick_command())


def test_the_output_goes_to_a_file_of_its_own_and_that_is_named(tmp_path: Path) -> None:
    logdir = tmp_path / "logdir"
    logdir.mkdir(mode=0o755)
    (tmp_path / "precious").write_text("precious")
    (logdir / "output.txt").symlink_to(tmp_path / "precious")
    with app(
        "run", "--logdir", logdir, script(tmp_path, "print('hello')"), columns=200
    ) as terminal:
        terminal.wait_for("8 Output exit 0")
        terminal.press("q")
        assert terminal.wait_exit() == 0
        terminal.wait_for(f"Its output: {logdir / 'output-2.txt'}")
    assert (logdir / "output-2.txt").read_bytes() == b"hello\r\n"
    assert (tmp_path / "precious").read_text() == "precious"
    assert (logdir / "output.txt").is_symlink()
    assert mode_of(logdir) == 0o755


@pytest.mark.usefixtures("_no_umask")
def test_new_folders_are_their_owners_alone_and_go_if_they_are_empty(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    program = "import os\nfor n in ('a', 'a/b'): print(oct(os.stat('theirs/' + n).st_mode & 0o777))"
    done = run_headless("--logdir", "theirs/a/b", script(tmp_path, program), cwd=tmp_path)
    assert done.stdout == "0o700\n0o700\n"
    assert list((tmp_path / "theirs").iterdir()) == []
    assert mode_of(tmp_path / "theirs") == 0o777


@pytest.mark.usefixtures("_no_umask")
def test_each_run_has_a_folder_that_nobody_else_has(tmp_path: Path) -> None:
    logdir = tmp_path / "new" / "logdir"
    assert headless("--logdir", logdir, script(tmp_path, COMPUTES), cwd=tmp_path).returncode == 0
    assert mode_of(logdir) == mode_of(logdir.parent) == 0o700
    (logdir / "run-2").symlink_to(tmp_path / "nowhere")
    (logdir / "run-3").write_text("precious")
    logdir.chmod(0o755)
    done = headless("--logdir", logdir, script(tmp_path, COMPUTES), cwd=tmp_path)
    assert f"look at it: tfdbg-tui {logdir / 'run-4'}\n" in done.stderr
    assert mode_of(logdir / "run-4") == 0o700
    assert mode_of(logdir) == 0o755
    assert (logdir / "run-3").read_text() == "precious"
    assert not (tmp_path / "nowhere").exists()


def test_what_is_refused_leaves_nothing_behind(tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    words = ("run", "--theme", "no such theme", str(script(tmp_path, "")))
    with app(*words, env={"TMPDIR": str(temporary)}) as terminal:
        assert terminal.wait_exit() == 2
        terminal.wait_for("there is no theme no such theme")
    assert list(temporary.iterdir()) == []


def test_a_script_through_a_pipe_of_the_shell_is_run(tmp_path: Path) -> None:
    command = f"{' '.join(quick_command()[:1])} -m tfdbg_tui run --headless <(echo \"print('hi')\")"
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == "hi\n", done.stderr
