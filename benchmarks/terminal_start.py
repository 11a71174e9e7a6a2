"""How soon the app is there, and how soon it is gone."""

from __future__ import annotations

import re
import statistics
import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.table import Row
from benchmarks.terminal_answers import answer_times, press
from benchmarks.terminal_lab import (
    CURSOR,
    TIMEOUT,
    TRACE_COUNT,
    Lab,
    Result,
    number_shown,
    spread,
)
from benchmarks.terminal_tape import TapedTerminal, first_time

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

GOAL, COLLAPSED = 2.0, 4.0
"""Times the imports that any such app needs."""

IMPORTS = "import textual.app, numpy"

STARTS, STARTS_FOR_CI = 15, 4

LONG_STARTS = 5
"""Starts over a long recording, each ended while it loads."""

EXIT_GOAL = 0.5
"""Seconds from `q` to the end of the process."""

EXIT_TIMEOUT = 10.0

KEY_INTERVAL = 0.15
"""Seconds between keys while loading, which is soon over."""

LIST_LINES = slice(2, 11)
"""Lines of the screen at 80x24 in which a list stands."""

ROWS = re.compile(r"1 Alerts.*2 Executions [\d,]+", re.DOTALL)
"""On the screen once the panes are."""


class Start(NamedTuple):
    """Seconds from the beginning of the process."""

    first_paint: float
    rows: float
    """Until the panes had rows."""


def start(lab: Lab) -> Iterator[Result]:
    """The first paint over a small logdir, against the imports alone, in turns."""
    starts, bare, exits = [], [], []
    for _ in range(1 + (STARTS_FOR_CI if lab.small else STARTS)):
        began = time.perf_counter()
        lab.run(IMPORTS)
        bare.append(time.perf_counter() - began)
        with lab.app(lab.source) as terminal:
            _wait_for_rows(terminal)
            terminal.wait_quiet()
            starts.append(_start_on(terminal))
            exits.append(_leave(terminal))
    # Modules are compiled at the first start.
    paints = [start.first_paint for start in starts[1:]]
    yield _against_imports("first paint of a small logdir", paints, bare[1:])
    yield _against_imports("its panes with rows", [start.rows for start in starts[1:]], bare[1:])
    yield _exit_result("`q` to the end of the process", exits)


def load(lab: Lab) -> Iterator[Result]:
    """A very long recording: its first paint against a short one's; leaving, and keys meanwhile."""
    starts: dict[Path, list[Start]] = {lab.short: [], lab.long: []}
    exits = []
    for _ in range(LONG_STARTS):
        for logdir, found in starts.items():
            with lab.app(logdir) as terminal:
                _wait_for_rows(terminal)
                found.append(_start_on(terminal))
                if "LOADING" in terminal.text()[0]:
                    exits.append(_leave(terminal))
    gigabytes = sum(path.stat().st_size for path in lab.long.iterdir()) / 1e9
    for what, place in (("first paint", 0), ("panes with rows", 1)):
        few, many = (statistics.median(s[place] for s in found) for found in starts.values())
        yield Result(
            Row(
                f"{what}, {gigabytes:.1f} GB; rival: a small logdir",
                f"{many:.2f} s",
                f"{few:.2f} s",
                f"{many - few:+.2f} s",
                "at most 1 s more",
            )
        )
    yield _exit_result(f"the same while {gigabytes:.1f} GB are loaded", exits)
    yield _keys_while_loading(lab)


def _wait_for_rows(terminal: TapedTerminal) -> None:
    """Look now and then only: to draw the tape takes time that the app needs."""
    until = time.monotonic() + TIMEOUT
    while not ROWS.search("\n".join(terminal.text())) and time.monotonic() < until:
        terminal.pump(0.1)
        until = until if terminal.exit_code is None else 0.0
    terminal.wait_for(ROWS, 0.1)


def _keys_while_loading(lab: Lab) -> Result:
    with lab.app(lab.long) as terminal:
        terminal.wait_for(TRACE_COUNT)
        terminal.press("3")
        terminal.wait_for("function")
        first, began = len(terminal.tape.chunks), time.time()
        pressed = []
        while "LOADING" in terminal.text()[0] and time.time() < began + TIMEOUT:
            here = number_shown(CURSOR, terminal.text()[LIST_LINES])
            pressed.append(press(terminal, "down", partial(_has_left, here)))
            terminal.pump(KEY_INTERVAL)
        seconds = time.time() - began
        terminal.pump(1.0)
        answers = answer_times(list(terminal.tape.frames(first)), pressed)
    what = f"`down` {len(pressed)} times in {seconds:.1f} s of loading, median/95%/max"
    return Result(Row(what, spread(answers), "", "", "answered"))


def _has_left(row: int | None, lines: Sequence[str]) -> bool:
    now = number_shown(CURSOR, lines[LIST_LINES])
    return now is not None and now != row


def _start_on(terminal: TapedTerminal) -> Start:
    """When things were first shown, from the tape."""
    began = terminal.began_at
    painted = first_time(terminal.tape.frames(), lambda lines: "tfdbg" in lines[0])
    rows = first_time(terminal.tape.frames(), lambda lines: ROWS.search("\n".join(lines)))
    assert painted is not None, "the app painted nothing"
    return Start(painted - began, float("inf") if rows is None else rows - began)


def _leave(terminal: TapedTerminal) -> float:
    """Seconds from `q` to the end of the process."""
    pressed = time.perf_counter()
    terminal.type("q")
    while terminal.exit_code is None and time.perf_counter() - pressed < EXIT_TIMEOUT:
        terminal.pump(0.005)
    assert terminal.exit_code == 0, f"the app left with {terminal.exit_code}"
    return time.perf_counter() - pressed


def _against_imports(what: str, ours: Sequence[float], bare: Sequence[float]) -> Result:
    ratio = statistics.median(ours) / statistics.median(bare)
    row = Row(
        f"{what}; rival: `{IMPORTS}`",
        _median_and_best(ours),
        _median_and_best(bare),
        f"{ratio:.2f}, best {min(ours) / min(bare):.2f}",
        f"at most {GOAL:.0f}",
    )
    return Result(row, ratio > COLLAPSED)


def _median_and_best(times: Sequence[float]) -> str:
    return f"{statistics.median(times):.3f} s, best {min(times):.3f}"


def _exit_result(what: str, times: Sequence[float]) -> Result:
    shown = f"{statistics.median(times):.2f} s, at most {max(times):.2f}"
    return Result(Row(what, shown, "", "", f"under {EXIT_GOAL} s"))
