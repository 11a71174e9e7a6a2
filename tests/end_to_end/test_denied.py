"""What the system denies is named; the rest is shown."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.command_under_test import COMMAND, SETTINGS
from tests.support.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# Takes the power of root to read everything from the command that follows.
WITHOUT_POWERS = """
import ctypes, os, sys
for power in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
    ctypes.CDLL(None).prctl(24, power, 0, 0, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
UNPRIVILEGED = [sys.executable, "-c", WITHOUT_POWERS]


@pytest.fixture
def denied_file(copy_of: Callable[[str], Path]) -> Path:
    """A file of a recording that really cannot be read."""
    (file,) = copy_of("full_health").glob("*.graph_execution_traces")
    file.chmod(0)
    read = [*UNPRIVILEGED, sys.executable, "-c", "import sys; open(sys.argv[1])", str(file)]
    if subprocess.run(read, capture_output=True, check=False).returncode == 0:
        pytest.skip("this system denies nothing to this user")
    return file


def test_a_file_that_is_denied_is_named_and_the_rest_is_shown(denied_file: Path) -> None:
    command = [*UNPRIVILEGED, *COMMAND, str(denied_file.parent)]
    with Terminal(command, columns=300, env=SETTINGS) as terminal:
        terminal.wait_for("2 Executions 110")
        terminal.wait_for(f"{denied_file} cannot be read (Permission denied)")
        denied_file.chmod(0o600)
        terminal.wait_for("3 Graph tensors 108")


def test_a_folder_that_is_denied_is_named(denied_file: Path) -> None:
    folder = denied_file.parent
    folder.chmod(0)
    try:
        with Terminal(
            [*UNPRIVILEGED, *COMMAND, str(folder)], columns=300, env=SETTINGS
        ) as terminal:
            terminal.wait_for(f"{folder} cannot be read")
            terminal.wait_for("Permission denied. Check its rights.")
    finally:
        folder.chmod(0o700)
