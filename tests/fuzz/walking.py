"""Hostile recordings in the real app: a walk of keys through a pseudo-terminal.

The other cases look at everything without a screen. These go through what only the command has:
its threads, its painting, its end, and the bytes that reach the terminal.
"""

from __future__ import annotations

import shutil
import time
from random import Random
from typing import TYPE_CHECKING

from tests.fuzz.cases import write_case
from tests.fuzz.workers import TOLD_EVERY, say
from tests.recordings.hostile import MARKERS
from tests.support.command_under_test import SETTLED, app
from tfdbg_tui.commands.outcome import CANNOT_READ, CLEAN

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.fuzz.originals import Original
    from tests.support.terminal import Terminal

KEYS = (
    *("!", "down", "pagedown", "n", "e"),
    *"1234567",
    *("/", "x", "enter"),
    *("&", "bad", "enter"),
    "G",
    *("q", "q", "q"),
)
"""What is pressed: the first bad tensor, every pane, a search, a filter, the end of a list.

`q` leaves the filter, then the search, then the app.
"""

SIZES = ((80, 24), (160, 48), (60, 20), (120, 30))
"""Columns and rows, one of which a case has."""

SETTLING = 5.0
"""Seconds for a recording to be read; one that never is can be walked through all the same."""

ENDING = 10.0
"""Seconds from the last key to the end of the app."""


def walk_cases(seeds: Sequence[int], recordings: list[Original], scratch: Path) -> list[int]:
    """Walk through cases one by one and print what is wrong; returns the cases that are."""
    offenders, slowest = [], (0.0, seeds[0])
    for count, seed in enumerate(seeds, 1):
        logdir = scratch / "walked"
        write_case(seed, recordings, logdir)
        began = time.monotonic()
        try:
            walk(logdir, seed)
        except AssertionError as error:
            offenders.append(seed)
            say(f"case {seed}: {error}")
        slowest = max(slowest, (time.monotonic() - began, seed))
        shutil.rmtree(logdir)
        if count % (TOLD_EVERY // 10) == 0:
            say(f"{count:,} cases")
    say(
        f"{len(seeds):,} cases in a terminal, {len(offenders)} wrong; "
        f"the slowest took {slowest[0]:.1f} s (case {slowest[1]})"
    )
    return offenders


def walk(logdir: Path, seed: int) -> None:
    """Open a recording, press the keys, and leave; an AssertionError says what is wrong."""
    columns, rows = Random(seed).choice(SIZES)
    with app(logdir, columns=columns, rows=rows) as terminal:
        deadline = time.monotonic() + SETTLING
        while not _is_settled(terminal) and time.monotonic() < deadline:
            terminal.pump(0.1)
        for key in KEYS:
            if terminal.exit_code is None:
                terminal.press(key)
        code = terminal.wait_exit(ENDING)
        left = "\n".join(line for line in terminal.text() if line)
        assert code in (CLEAN, CANNOT_READ), f"exit code {code}\n{left}"
        assert code == CANNOT_READ or not left, f"left on the screen:\n{left}"
        assert "Traceback" not in left, left
        reached = [marker for marker in MARKERS if marker in terminal.transcript]
        assert not reached, f"reached the terminal: {reached}"
        assert not terminal.left_sane(), f"not put back: {terminal.left_sane()}"


def _is_settled(terminal: Terminal) -> bool:
    return terminal.exit_code is not None or bool(SETTLED.search("\n".join(terminal.text())))
