"""The program itself, as `tfdbg-tui` and as `python -m tfdbg_tui`: begins lean, is gone at once."""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn

FEW_COLLECTIONS = 50_000
"""New objects before Python looks for cycles among them: imports make many objects, all to stay."""


def start() -> NoReturn:
    """Run the command line and leave with its exit code."""
    gc.set_threshold(FEW_COLLECTIONS)
    from tfdbg_tui.cli import main

    code = main()
    _flush()
    # Nothing is open any more; to free a large recording piece by piece would take seconds.
    os._exit(code)


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
