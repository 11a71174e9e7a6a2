"""The process that a command runs in: how many files it may open, and how it ends."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.recordings.freeze import FROZEN
from tfdbg_tui.data.files.open_files import MAX_OPEN

ENDING = """
import sys
from tfdbg_tui import __main__, cli

class Large:
    def __del__(self):
        print("freed")

def main():
    global kept
    kept = Large()
    print("done")
    return 5

cli.main = main
__main__.start()
"""

LIMITED = """
import resource, sys
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
hard = min(hard, int(sys.argv[1])) if hard != resource.RLIM_INFINITY else int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
from tfdbg_tui.commands import arguments, check, doctor, show
words = sys.argv[2:]
if words[0] == "show":  # as far as it gets without a terminal
    show.allow_many_files()
else:
    options = arguments.parse(words)
    {"check": check, "doctor": doctor}[options.command].run(options)
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0], hard)
"""


def printed(program: str, *words: str, code: int = 0) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (code, "")
    return done.stdout.split()


def test_what_was_read_is_not_freed_piece_by_piece_at_the_end() -> None:
    """Of a recording of a million sites that took seconds; the system does it at once."""
    assert printed(ENDING, code=5) == ["done"]


@pytest.mark.parametrize("allowed", [512, 2 * MAX_OPEN])
@pytest.mark.parametrize("command", ["check", "doctor", "show"])
def test_as_many_files_may_be_open_as_recordings_use(command: str, allowed: int) -> None:
    """The limit that a shell sets is low, and any program may raise its own up to a higher one."""
    limit, most = map(int, printed(LIMITED, f"{allowed}", command, str(FROZEN)))
    assert limit == most if most < MAX_OPEN else MAX_OPEN <= limit <= most
