"""What the benchmarks of the full-screen app have in common: recordings, and how it is started."""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.long_recordings import lengthen, record_deep
from benchmarks.recordings import ROOT
from benchmarks.terminal_tape import TapedTerminal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.table import Row

SHORT = 5_000
LONG, LONG_FOR_CI = 5_000_000, 100_000
"""Rows of graph executions; five million are more than a gigabyte."""

TIMEOUT = 120.0
"""Seconds for a long recording to be loaded."""

WIDE = (160, 48)
"""Columns and rows of a terminal that shows all panes."""

TRACE_COUNT = re.compile(r"3 Graph tensors ([\d,]+)")
EXECUTION_COUNT = re.compile(r"2 Executions ([\d,]+)")
WAITING = re.compile(r" \+([\d,]+) ")
CURSOR = re.compile(r"^▸\s*([\d,]+) ")


class Result(NamedTuple):
    """A row of the table, and whether it is so bad that something must be broken."""

    row: Row
    collapsed: bool = False


class Lab:
    """Recordings, made when first asked for, and terminals in which the app runs over them."""

    def __init__(self, place: Path, small: bool, source: Path | None = None) -> None:
        place.mkdir(exist_ok=True)
        self.place = place
        self.small = small
        """Whether only a collapse is looked for, quickly."""
        self._source = source

    @cached_property
    def source(self) -> Path:
        """A short real recording."""
        return self._source or record_deep(self.place / "deep")

    @cached_property
    def short(self) -> Path:
        """A few thousand rows."""
        return self._lengthened("short", SHORT)

    @cached_property
    def long(self) -> Path:
        """The same program with very many rows."""
        return self._lengthened("long", LONG_FOR_CI if self.small else LONG)

    def _lengthened(self, name: str, traces: int) -> Path:
        lengthen(self.source, self.place / name, traces)
        return self.place / name

    @property
    def environment(self) -> dict[str, str]:
        """Modules are compiled once, as in an installation; the user's settings do not count."""
        return {
            "PYTHONPATH": str(ROOT),
            "PYTHONPYCACHEPREFIX": str(self.place / "compiled"),
            "PYTHONDONTWRITEBYTECODE": "",
            "XDG_CONFIG_HOME": str(self.place / "settings"),
        }

    def app(self, logdir: Path, columns: int = 80, rows: int = 24) -> TapedTerminal:
        """The app over a logdir, in a terminal; a context manager."""
        command = [sys.executable, "-m", "tfdbg_tui", str(logdir)]
        return TapedTerminal(command, columns, rows, self.environment)

    def run(self, code: str) -> None:
        """Run some Python as the app is run, to its end."""
        environment = {**os.environ, **self.environment}
        subprocess.run([sys.executable, "-c", code], env=environment, check=True)


def settle(terminal: TapedTerminal) -> None:
    """Wait until all is read and painted."""
    terminal.wait_for(re.compile("● (ENDED|LIVE)"), TIMEOUT)
    terminal.wait_quiet(1.0, TIMEOUT)


def number_shown(pattern: re.Pattern[str], lines: Sequence[str]) -> int | None:
    """The number that stands somewhere on the screen; None if it does not."""
    for line in lines:
        if found := pattern.search(line):
            return int(found[1].replace(",", ""))
    return None


def milliseconds(times: Sequence[float]) -> str:
    """The median of some times."""
    return f"{statistics.median(times) * 1e3:.0f} ms" if times else "never"


def spread(times: Sequence[float]) -> str:
    """Median, 95th percentile and highest of some times."""
    if not times:
        return "never"
    ordered = sorted(times)
    high = ordered[int(0.95 * (len(ordered) - 1))]
    return " / ".join(f"{t * 1e3:.0f}" for t in (statistics.median(ordered), high, ordered[-1])) + (
        " ms"
    )
