"""A look at a logdir from outside the app, long enough to see whether it grows."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from tfdbg_tui.data.live.feed import Feed
from tfdbg_tui.data.live.run_activity import QUIET_AFTER
from tfdbg_tui.data.live.snapshot import Activity

if TYPE_CHECKING:
    from tfdbg_tui.data.live.snapshot import RunState, Snapshot
    from tfdbg_tui.data.stores.logdir import Logdir

WATCH = 2.0
"""Seconds to watch a run that grows: its rate is known by then."""

MAX_WATCH = QUIET_AFTER + 1.0
"""Seconds to watch a run that was just written and may have ended."""

LOOK_INTERVAL = 0.05
"""Seconds between looks at what has been told."""


def observe(logdir: Logdir) -> Snapshot:
    """What the app would know of a logdir after a moment; all that is on disk is read."""
    told: list[Snapshot] = []
    feed = Feed(logdir, told.append)
    start = time.monotonic()
    rest = threading.Event()
    feed.start()
    try:
        while not told or not _is_settled(told[-1], time.monotonic() - start):
            rest.wait(LOOK_INTERVAL)
    finally:
        feed.stop()
    return told[-1]


def _is_settled(snapshot: Snapshot, seconds: float) -> bool:
    if snapshot.activity is Activity.LOADING:
        return snapshot.failure is not None  # what cannot be read is never loaded
    return not snapshot.runs or all(_is_known(run, seconds) for run in snapshot.runs)


def _is_known(state: RunState, seconds: float) -> bool:
    if state.ended or seconds >= MAX_WATCH:
        return True
    return seconds >= WATCH and (state.bytes_per_second > 0 or not state.growing)
