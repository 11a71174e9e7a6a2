"""Hostile recordings by the thousand: `python -m tests.fuzz --cases 10000 --seed 0`.

Every case runs in a process that is forked for some of them, measured there, and ended when it
takes too long. What is wrong is printed with its number; `--cases 1 --seed N` repeats it. With
`--terminal`, each is walked through in the real app instead, which takes seconds.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from tests.fuzz.originals import originals
from tests.fuzz.walking import walk_cases
from tests.fuzz.workers import Limits, run_cases
from tests.recordings.record import Library


def main() -> int:
    """Run the cases; 1 if something is wrong with any."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first case")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=5.0, help="for one case")
    parser.add_argument("--megabytes", type=float, default=500.0, help="beyond the file sizes")
    parser.add_argument("--terminal", action="store_true", help="in the app, one by one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tfdbg-fuzz-") as scratch:
        kept = os.environ.get("TFDBG_TUI_RECORDINGS")
        recordings = originals(Library(Path(kept) if kept else Path(scratch) / "recordings"))
        seeds = range(options.seed, options.seed + options.cases)
        if options.terminal:
            return 1 if walk_cases(seeds, recordings, Path(scratch)) else 0
        limits = Limits(options.seconds, options.megabytes * 1e6)
        offenders = run_cases(seeds, recordings, Path(scratch), options.workers, limits)
    return 1 if offenders else 0


if __name__ == "__main__":
    sys.exit(main())
