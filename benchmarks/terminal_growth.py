"""What a key press costs with very many rows, against few: from the key to the last byte painted.

Both apps are open at the same time and take turns, so whatever else the machine does hits both.
"""

from __future__ import annotations

import re
import statistics
from contextlib import ExitStack
from typing import TYPE_CHECKING

from benchmarks.table import Row
from benchmarks.terminal_lab import (
    TRACE_COUNT,
    WIDE,
    Lab,
    Result,
    milliseconds,
    number_shown,
    settle,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.terminal_tape import TapedTerminal

    Press = Callable[[TapedTerminal, int], float | None]

GOAL, COLLAPSED = 1.5, 3.0
"""Times the cost with few rows."""

TURNS, TURNS_FOR_CI = 15, 5

TIMEOUT = 3.0
"""Seconds in which a key is answered, or never."""

SETTLED = 0.15
"""Seconds of silence after which nothing more comes of a key."""

LAST_TITLE = "what it holds"
"""Stands above the rows of the list, at every size, and nowhere else."""

PART_OF_A_RUN = 0.2
"""Where in the run that is repeated the keys are pressed: before its first bad tensors."""


def growth(lab: Lab) -> Iterator[Result]:
    """One row for each key, in a small terminal and in a wide one."""
    yield from _growth(lab, 80, 24)
    if not lab.small:
        yield from _growth(lab, *WIDE)


def _growth(lab: Lab, columns: int, rows: int) -> Iterator[Result]:
    with ExitStack() as stack:
        short, long = (
            stack.enter_context(lab.app(logdir, columns, rows)) for logdir in (lab.short, lab.long)
        )
        for terminal in (short, long):
            settle(terminal)
            terminal.press("3")
            terminal.wait_for(LAST_TITLE)
        counts = [number_shown(TRACE_COUNT, t.text()) or 0 for t in (short, long)]
        _go_to_same_row(short, long, *counts)
        for name, press in _presses(lab.small).items():
            turns = TURNS_FOR_CI if lab.small else TURNS
            times = _take_turns((short, long), press, turns)
            yield _result(f"{name}, {columns}x{rows}", counts, times)


def _go_to_same_row(short: TapedTerminal, long: TapedTerminal, few: int, many: int) -> None:
    """In the long recording to a repetition in its middle."""
    row = int(few * PART_OF_A_RUN)
    for terminal, place in ((short, row), (long, many // few // 2 * few + row)):
        terminal.press(":", f"#{place}", "enter")
        terminal.wait_for(re.compile(rf"▸\s*{place:,} "))
        terminal.wait_quiet()


def _presses(small: bool) -> dict[str, Press]:
    """How to press each key where it has something to do."""
    presses: dict[str, Press] = {
        "`down`": lambda terminal, _: terminal.latency("down", TIMEOUT),
        "page down": lambda terminal, _: terminal.latency("pagedown", TIMEOUT),
        "click on a row": _click,
        "`n`": lambda terminal, _: terminal.latency("n", TIMEOUT),
        "`G`": lambda terminal, _: _from_the_first_row(terminal, "G"),
        "`!`": lambda terminal, _: _from_the_first_row(terminal, "!"),
        "`w` behind it": _why,
    }
    return {name: presses[name] for name in ("`down`", "`!`")} if small else presses


def _click(terminal: TapedTerminal, turn: int) -> float | None:
    column, row = terminal.find(LAST_TITLE)
    return terminal.click_latency(column, row + 2 + turn % 3, TIMEOUT)


def _from_the_first_row(terminal: TapedTerminal, key: str) -> float | None:
    terminal.press("g")
    terminal.wait_quiet(SETTLED)
    return terminal.latency(key, TIMEOUT)


def _why(terminal: TapedTerminal, _: int) -> float | None:
    terminal.press("!")
    terminal.wait_quiet(SETTLED)
    seconds = terminal.latency("w", TIMEOUT)
    terminal.press("escape")
    terminal.wait_quiet(SETTLED)
    return seconds


def _take_turns(
    terminals: tuple[TapedTerminal, TapedTerminal], press: Press, turns: int
) -> tuple[list[float], list[float]]:
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(turns):
        order = (0, 1) if turn % 2 else (1, 0)
        for number in order:
            seconds = press(terminals[number], turn)
            if seconds is not None:
                times[number].append(seconds)
    for terminal in terminals:
        terminal.wait_quiet()
    return times


def _result(what: str, counts: list[int], times: tuple[list[float], list[float]]) -> Result:
    few, many = times
    ratio = statistics.median(many) / statistics.median(few) if few and many else float("inf")
    row = Row(
        f"{what}, {counts[1]:,} rows; rival: {counts[0]:,}",
        milliseconds(many),
        milliseconds(few),
        f"{ratio:.2f}",
        f"at most {GOAL}",
    )
    return Result(row, ratio > COLLAPSED)
