"""The program itself, as `tfdbg-tui` and as `python -m tfdbg_tui`: begins lean, is gone at once."""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn

FEW_COLLECTIONS = 100_000
"""New objects before Python looks for cycles among them: imports make many objects, all to stay."""

ROOM_FOR_CALLS = 1 << 14
"""Values for which Python has room when it calls us, and once more for all calls below.

It maps memory for calls 16 kB at a time, and unmaps it when the first call in it returns. Imports
nest so deep that they cross such an edge over a thousand times, which costs as much as the work.
"""


def start() -> NoReturn:
    """Run the command line and leave with its exit code."""
    gc.set_threshold(FEW_COLLECTIONS)
    _run.__code__ = _run.__code__.replace(co_stacksize=ROOM_FOR_CALLS)
    code = _run()
    _flush()
    # Nothing is open any more; to free a large recording piece by piece would take seconds.
    os._exit(code)


def _run() -> int:
    from tfdbg_tui.cli import main

    return main()


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # it was closed before we started
            try:
                stream.flush()
            except OSError:
                pass  # who read it is gone


if __name__ == "__main__":
    if not getattr(sys.flags, "safe_path", False):
        # Python looks first where we are called, for us too: a `json.py` there is none of ours.
        sys.path.append(sys.path.pop(0))
    start()
