"""Thousands of file sets: what each takes before there is anything to keep."""

from __future__ import annotations

import gc
import tracemalloc
from typing import TYPE_CHECKING

from tfdbg_tui.data.stores.host import Host
from tfdbg_tui.data.stores.logdir import Logdir

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.recordings.record import Library

SETS = 50
MAX_BYTES = 32 << 10
"""Of one set: six paths, six files and their stores, all empty."""


def bytes_each(made: Callable[[int], object]) -> float:
    """The memory that one of many things takes, and all that it holds."""
    kept = [made(SETS)]  # whatever is made once is made now
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        kept += [made(number) for number in range(SETS)]
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return (after - before) / SETS


def test_a_file_set_takes_little_before_anything_is_read() -> None:
    taken = bytes_each(lambda n: Host("nowhere", f"tfdbg_events.{n}.host", "host"))
    assert taken < MAX_BYTES


def test_a_file_set_that_holds_nothing_takes_little_when_it_is_read(library: Library) -> None:
    path = library.path("nothing_computed")

    def loaded(_: int) -> Logdir:
        logdir = Logdir(path)
        logdir.load()
        assert logdir.runs[0].run_id
        return logdir

    assert bytes_each(loaded) < 2 * MAX_BYTES
