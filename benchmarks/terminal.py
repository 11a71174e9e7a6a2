"""Measures the full-screen app through a real pseudo-terminal.

    python -m benchmarks.terminal [--small] [NAME...]

`--small` is for CI: what is quick, and an exit code of 1 if something collapses.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.table import Row, print_table
from benchmarks.terminal_follow import follow
from benchmarks.terminal_growth import growth
from benchmarks.terminal_idle import idle
from benchmarks.terminal_lab import Lab, Result
from benchmarks.terminal_start import load, start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

BENCHMARKS: dict[str, Callable[[Lab], Iterator[Result]]] = {
    "start": start,
    "idle": idle,
    "growth": growth,
    "load": load,
    "follow": follow,
}

FOR_CI = ("start", "idle", "growth")


def measure_terminal(
    place: Path, small: bool, source: Path | None = None, names: Sequence[str] = ()
) -> tuple[list[Row], bool]:
    """The rows of some benchmarks or all, and whether anything collapsed."""
    lab = Lab(place, small, source)
    rows, collapsed = [], False
    for name in names or (FOR_CI if small else BENCHMARKS):
        print(f"terminal: {name} ...", file=sys.stderr, flush=True)
        for result in BENCHMARKS[name](lab):
            if result.collapsed:
                print(f"collapsed: {result.row.what}: {result.row.ours}", file=sys.stderr)
            rows.append(result.row)
            collapsed |= result.collapsed
    return rows, collapsed


def main() -> int:
    """Run the benchmarks; 1 if something collapsed."""
    parser = argparse.ArgumentParser("python -m benchmarks.terminal")
    parser.add_argument("--small", action="store_true", help="what is quick, for CI")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - BENCHMARKS.keys():
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory(prefix="tfdbg-benchmark-") as folder:
        rows, collapsed = measure_terminal(Path(folder), arguments.small, names=arguments.names)
    print_table(rows)
    return 1 if collapsed else 0


if __name__ == "__main__":
    sys.exit(main())
