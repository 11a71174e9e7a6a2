"""`run --until FILTER`: a filter of one's own stops the script, as tfdbg's `run -f` did."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.support.running_scripts import TRAINS, headless, quick_headless, running, script

if TYPE_CHECKING:
    from pathlib import Path

TIMEOUT = 60
"""Seconds: a busy machine takes long to import TensorFlow."""

FILTERS = """
def third_log(tensor, value):
    return tensor.op_type == "Log" and tensor.event > 5

def never_there(tensor, value):
    return False
"""


def test_the_script_is_stopped_where_the_filter_holds(folder: Path) -> None:
    (folder / "mine.py").write_text(FILTERS)
    options = ("--filters", folder / "mine.py", "--until")
    done = quick_headless(folder, *options, "third_log", script(folder, TRAINS))
    assert (done.returncode, done.stdout) == (1, "training\n")
    said = [
        "tfdbg-tui: Filter third_log holds: Log:0 (Log), ",
        "tfdbg-tui: stopping train.py.\n",
        "interrupted at",
        "filter third_log: holds for ",
    ]
    assert re.search(".*".join(map(re.escape, said)), done.stderr, re.DOTALL), done.stderr


def test_a_filter_that_is_not_there_is_told_before_anything_runs(folder: Path) -> None:
    (folder / "mine.py").write_text(FILTERS)
    options = ("--filters", folder / "mine.py", "--until", "third")
    done = headless(folder, *options, script(folder, TRAINS))
    assert (done.returncode, done.stdout) == (2, "")
    names = "bad, nan, inf, has_inf_or_nan, third_log, never_there"
    assert done.stderr == f"tfdbg-tui: --until third: there is only {names}.\n"


def test_in_the_app_the_script_is_stopped_and_the_filter_finds_it(folder: Path) -> None:
    (folder / "mine.py").write_text(FILTERS)
    options = ("--filters", folder / "mine.py", "--until", "third_log")
    with running(folder, *options, script(folder, TRAINS)) as terminal:
        terminal.wait_for(re.compile("ENDED.* exit 130"), TIMEOUT)
        terminal.press("8")
        lines = terminal.wait_for("interrupted at")
        assert "trained" not in "\n".join(lines)
        terminal.press("/")
        terminal.type("filter:third_log\r")
        terminal.wait_for(re.compile(r"▸ .*Log"))
        terminal.press("q")
